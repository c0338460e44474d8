// Tells which folders something changed in: the system tells at once, and where it cannot (no more watches, a file system without them, a
// folder that is not there yet) they are looked at again and again. Changes that follow each other closely are told together.
// Invariant: what is watched is the folder that has the name now: the system goes on with the one it had then, and tells nothing.
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface FolderWatchOptions {
  /** Called with the folders to look at; not called again before it is done. */
  onChange(folders: ReadonlySet<string>): Promise<void>;
  /** How the system's watching is begun; throws where it cannot be. */
  startWatch?: (folder: string, onEvent: () => void) => Pick<FSWatcher, 'close' | 'on'>;
  /** Quiet after a change before it is told, and how long one is held back at most. */
  settle?: number;
  atMost?: number;
  /** How often folders that are not watched are looked at (and asked whether those that are are still there), and all: events get lost. */
  interval?: number;
  slowInterval?: number;
}

export class FolderWatch {
  readonly #folders: readonly string[];
  readonly #options: Required<FolderWatchOptions>;
  readonly #watchers = new Map<string, { watcher: Pick<FSWatcher, 'close'>; identity: string }>();
  readonly #changed = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #settling: NodeJS.Timeout | undefined;
  #firstChange = 0;
  #telling: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  #fail: (error: unknown) => void = () => undefined;
  /** Rejects where `onChange` fails; never resolves. */
  readonly failed: Promise<never>;

  constructor(folders: readonly string[], options: FolderWatchOptions) {
    this.#folders = folders;
    this.#options = { startWatch: watchFolder, settle: 200, atMost: 2000, interval: 2000, slowInterval: 30_000, ...options };
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  start(): void {
    const { interval, slowInterval } = this.#options;
    const lookAgain = () => {
      this.#looking ??= this.#lookAgain().finally(() => {
        this.#looking = undefined;
      });
    };
    this.#timers.add(setInterval(lookAgain, interval));
    this.#timers.add(setInterval(() => this.#change(...this.#folders), slowInterval));
    // Tells of all of them: what came before the watching did.
    lookAgain();
  }

  /** Waits for what is being told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#settling);
    for (const folder of this.#folders) this.#detach(folder);
    await this.#looking;
    await this.#telling;
  }

  async #lookAgain(): Promise<void> {
    const unwatched: string[] = [];
    for (const folder of this.#folders) {
      const identity = await identify(folder);
      if (this.#isClosed) return;
      if (identity !== undefined && this.#watchers.get(folder)?.identity === identity) continue;
      this.#detach(folder);
      if (identity !== undefined) this.#attach(folder, identity);
      unwatched.push(folder);
    }
    if (unwatched.length > 0) this.#change(...unwatched);
  }

  #attach(folder: string, identity: string): void {
    try {
      const watcher = this.#options.startWatch(folder, () => this.#change(folder));
      watcher.on('error', () => {
        if (this.#watchers.get(folder)?.watcher === watcher) this.#detach(folder);
      });
      this.#watchers.set(folder, { watcher, identity });
    } catch {
      // Looked at again and again instead.
    }
  }

  #detach(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  #change(...folders: readonly string[]): void {
    if (this.#isClosed) return;
    if (this.#changed.size === 0) this.#firstChange = performance.now();
    for (const folder of folders) this.#changed.add(folder);
    if (this.#telling !== undefined) return;
    const { settle, atMost } = this.#options;
    const left = this.#firstChange + atMost - performance.now();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#tell(), Math.max(0, Math.min(settle, left)));
  }

  #tell(): void {
    const folders = new Set(this.#changed);
    this.#changed.clear();
    this.#telling = this.#options
      .onChange(folders)
      .catch(this.#fail)
      .finally(() => {
        this.#telling = undefined;
        if (this.#changed.size > 0) this.#change();
      });
  }
}

/** Which folder has this name now, by way of links; numbers alone are given anew. Undefined where there is none. */
async function identify(folder: string): Promise<string | undefined> {
  const found = await stat(folder, { bigint: true }).catch(() => undefined);
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function watchFolder(folder: string, onEvent: () => void): FSWatcher {
  return watch(folder, { recursive: true, persistent: true }, onEvent);
}
