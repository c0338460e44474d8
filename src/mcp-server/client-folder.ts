// Where the client works, as its roots say it: the first folder among them. A client without roots works where the server was started.
import { fileURLToPath } from 'node:url';
import { isObject } from './read-message.ts';

/** A client that does not answer is not waited for again and again. */
const patience = 2000;

export class ClientFolder {
  /** Whether the client said that it has roots. */
  hasRoots = false;
  readonly #request: (method: string, milliseconds: number) => Promise<unknown>;
  #asking: Promise<string | undefined> | undefined;

  constructor(request: (method: string, milliseconds: number) => Promise<unknown>) {
    this.#request = request;
  }

  /** Asks the client, now or anew. */
  ask(): void {
    if (this.hasRoots) this.#asking = this.#request('roots/list', patience).then(firstFolder);
  }

  async find(): Promise<string | undefined> {
    return this.#asking;
  }
}

function firstFolder(answer: unknown): string | undefined {
  const roots = isObject(answer) && Array.isArray(answer.roots) ? answer.roots : [];
  for (const root of roots) {
    const uri: unknown = isObject(root) ? root.uri : undefined;
    if (typeof uri !== 'string' || !uri.startsWith('file:')) continue;
    try {
      return fileURLToPath(uri);
    } catch {
      // Not a path of this system.
    }
  }
  return undefined;
}
