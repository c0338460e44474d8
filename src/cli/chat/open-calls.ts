// What the calls that are being made were given, from the call to its result: a question about a call can show it.
import type { JsonValue } from '../../base/json.ts';
import type { Session } from '../../runtime/session.ts';

export class OpenCalls {
  readonly #inputs = new Map<string, JsonValue>();

  follow({ events }: Session): void {
    events.listen((event) => {
      if (event.type === 'tool-call') this.#inputs.set(event.callId, event.input);
      if (event.type === 'tool-result') this.#inputs.delete(event.callId);
    });
  }

  inputOf(callId: string): JsonValue | undefined {
    return this.#inputs.get(callId);
  }
}
