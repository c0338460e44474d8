// The body of an HTTP answer, passed on as it comes: bounded, and with a word when it ends, in whatever way.

const idField = Buffer.from('id:');

export interface BodyEnd {
  tooLarge: boolean;
  /** Events had ids, to which the server may be asked to come back. */
  resumable: boolean;
}

/** The answer with a body that fails when one message in it is larger than allowed. */
export function watchBody(response: Response, most: number, onEnd: (end: BodyEnd) => void): Response {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  let size = 0;
  let resumable = false;
  let ended = false;
  const end = () => {
    if (!ended) onEnd({ tooLarge: size > most, resumable });
    ended = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return end();
        }
        const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        resumable ||= isStream && (bytes.includes('\nid:') || bytes.subarray(0, 3).equals(idField));
        // An event ends with an empty line; an answer that is no stream is one message.
        size = isStream && (bytes.includes('\n\n') || bytes.includes('\r\n\r\n')) ? 0 : size + bytes.length;
        if (size > most) throw new Error('too large');
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        await reader.cancel().catch(() => undefined);
        end();
      }
    },
    async cancel(reason) {
      await reader.cancel(reason).catch(() => undefined);
      end();
    },
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}
