// The body of an HTTP answer, passed on as it comes: bounded, and with a word when it ends, in whatever way.

const idField = Buffer.from('id:');

export interface BodyEnd {
  tooLarge: boolean;
  /** Events had ids, to which the server may be asked to come back. */
  resumable: boolean;
}

export interface WatchedBody {
  /** The answer with a body that fails when one message in it is larger than allowed. */
  response: Response;
  /** Whether it is a stream of events. */
  isStream: boolean;
  /** Ends the body here, with a last text in it; the server need not send the rest. */
  finish(text: string): void;
}

export function watchBody(answer: Response, most: number, onEnd: (end: BodyEnd) => void): WatchedBody {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
  let output: ReadableStreamDefaultController<Uint8Array> | undefined;
  let size = 0;
  let resumable = false;
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd({ tooLarge: size > most, resumable });
  };
  const leave = () => {
    reader.cancel().catch(() => undefined);
    end();
  };
  const take = (value: Uint8Array) => {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    resumable ||= isStream && (bytes.includes('\nid:') || bytes.subarray(0, 3).equals(idField));
    // An event ends with an empty line; an answer that is no stream is one message.
    size = isStream && (bytes.includes('\n\n') || bytes.includes('\r\n\r\n')) ? 0 : size + bytes.length;
    if (size > most) throw new Error('too large');
    output?.enqueue(value);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      output = controller;
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (ended) return;
        if (!done) return take(value);
        controller.close();
        end();
      } catch (error) {
        controller.error(error);
        leave();
      }
    },
    cancel: leave,
  });
  return {
    response: new Response(body, { status: answer.status, statusText: answer.statusText, headers: answer.headers }),
    isStream,
    finish: (text) => {
      if (ended) return;
      output?.enqueue(Buffer.from(text));
      output?.close();
      leave();
    },
  };
}
