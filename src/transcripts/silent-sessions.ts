// Remembers the sessions in which nothing was said, so that they are neither announced nor read again while they are as they were. A file of
// digests, sizes and moments that may be deleted at any time: what is forgotten is read once more. Readers of another version may hear more,
// so that what an earlier one remembered counts for nothing.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../base/private-files.ts';
import { isFields } from './fields.ts';
import type { TranscriptSource } from './transcript-format.ts';

/** Some 5 MB. The oldest go first. */
const mostRemembered = 50_000;

export class SilentSessions {
  readonly #path: string;
  readonly #version: string;
  #known: Map<string, string>;
  readonly #added = new Map<string, string>();

  private constructor(path: string, version: string, known: Map<string, string>) {
    this.#path = path;
    this.#version = version;
    this.#known = known;
  }

  static async load(path: string, version: string): Promise<SilentSessions> {
    return new SilentSessions(path, version, await readKnown(path, version));
  }

  has(key: string, source: TranscriptSource): boolean {
    return this.#known.get(digestOf(key)) === looksOf(source);
  }

  add(key: string, source: TranscriptSource): void {
    this.#known.set(digestOf(key), looksOf(source));
    this.#added.set(digestOf(key), looksOf(source));
  }

  /** What was added, with what others have added meanwhile. Where it cannot be written it is forgotten, and nothing is lost. */
  async save(): Promise<void> {
    if (this.#added.size === 0) return;
    const known = await readKnown(this.#path, this.#version);
    for (const [digest, looks] of this.#added) {
      known.delete(digest);
      known.set(digest, looks);
    }
    this.#known = new Map([...known].slice(-mostRemembered));
    this.#added.clear();
    const content = { version: this.#version, sessions: Object.fromEntries(this.#known) };
    await writeFileAtomically(this.#path, `${JSON.stringify(content)}\n`).catch(() => undefined);
  }
}

async function readKnown(path: string, version: string): Promise<Map<string, string>> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isFields(content) || content.version !== version || !isFields(content.sessions)) return new Map();
    return new Map(Object.entries(content.sessions).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  } catch {
    return new Map();
  }
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function looksOf({ size, modifiedAt }: TranscriptSource): string {
  return `${size} ${modifiedAt}`;
}
