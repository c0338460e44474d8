// The home behind the MCP server. It stays open for days while others write, change settings and make projects private: what may be seen
// is looked up again with every call, from the settings as they are now. Invariant: a setting that cannot be read hides everything.

import { stat } from 'node:fs/promises';
import type { Beginning, McpHost, Outlook } from '../../mcp-server/host.ts';
import type { NewConversation } from '../../model/conversation.ts';
import { ContinuoError, isContinuoError } from '../../model/error.ts';
import type { ProjectEvidence } from '../../project/gather-evidence.ts';
import { formatPathKey } from '../../project/project-key.ts';
import { dataFolder, loadHome } from '../../store/home.ts';
import type { Context } from '../context.ts';
import { describeError } from '../error-report.ts';
import { openHomeWithKey } from '../open-home.ts';
import { plainText } from '../output/plain-text.ts';
import { beginHere } from '../recall/begin-here.ts';
import { embedderOptions } from '../recall/configured-embedder.ts';
import { findHere, gatherHere, type Here, listPageOfProject } from '../recall/here.ts';
import { openHomeRecall } from '../recall/open-home-recall.ts';
import { localOffset, tokenBudget } from '../recall/prepare-here.ts';
import { CurrentSettings } from './current-settings.ts';

interface OpenStore extends Pick<Outlook, 'store' | 'recall' | 'isAbsent'> {
  /** Which store it is; undefined where there is none. */
  identity: string | undefined;
  close(): Promise<void>;
}

interface Known<Value> {
  value: Promise<Value>;
  until: number;
}

/** What a folder is changes rarely, which conversations a private name hides more often. */
const evidenceLives = 30_000;
const hereLives = 10_000;
const privateLives = 1000;

export class HomeHost implements McpHost {
  readonly #context: Context;
  readonly #folder: string;
  readonly #settings: CurrentSettings;
  readonly #evidence = new Map<string, Known<ProjectEvidence>>();
  readonly #here = new Map<string, Known<Here>>();
  #opening: Promise<OpenStore> | undefined;
  #hidden: readonly string[] = [];

  /** `folder` is where the client works, unless it says otherwise. */
  constructor(context: Context, folder: string) {
    // Nobody is there to type a passphrase: stdin belongs to the client.
    this.#context = { ...context, terminal: { ...context.terminal, stdin: false } };
    this.#folder = folder;
    this.#settings = new CurrentSettings(this.#context);
  }

  /** Opens the home ahead of the first call; whatever goes wrong is told then. */
  warm(): void {
    this.open(undefined).catch(() => undefined);
  }

  async open(folder = this.#folder): Promise<Outlook> {
    const context = await this.#settings.load();
    const opened = await this.#open(false);
    const here = await this.#findHere(context, opened, folder);
    this.#hidden = here.hidden;
    const config = context.config();
    const now = context.now();
    const { store, recall, isAbsent } = opened;
    return {
      store,
      recall,
      isAbsent,
      here: { key: here.key, fields: here.fields, name: here.evidence.name },
      hidden: here.hidden,
      now,
      offsetMinutes: localOffset(now),
      settings: {
        tokenBudget: tokenBudget(context),
        maxResults: config['conversation.semantic_search.max_results'].value ?? 5,
        similarityThreshold: config['conversation.semantic_search.similarity_threshold'].value ?? 0.7,
      },
      listOf: (fields, query) => listPageOfProject(store, fields, query),
    };
  }

  async begin(folder = this.#folder, fresh: NewConversation): Promise<Beginning> {
    const context = await this.#settings.load();
    const opened = await this.#open(true);
    const here = await this.#findHere(context, opened, folder);
    const remarks: string[] = [];
    const conversation = await beginHere(context, opened.store, here, fresh, (line) => remarks.push(plainText(line)));
    // It may have a marker now, or count as private.
    this.#evidence.clear();
    this.#here.clear();
    return { store: opened.store, conversation, remarks };
  }

  describe(error: unknown): string {
    const { text } = this.#context;
    if (!(error instanceof ContinuoError)) {
      this.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return describeError(
        new ContinuoError('internal', { reason: error instanceof Error ? error.message : String(error) }),
        text,
      );
    }
    // What was closed or converted behind our back is opened anew with the next call.
    if (isContinuoError(error, 'store-moved') || isContinuoError(error, 'store-closed')) this.#opening = undefined;
    const sentence = plainText(describeError(error, text));
    const needsKey = isContinuoError(error, 'key-required') || isContinuoError(error, 'wrong-key');
    return needsKey ? sentence + text.sentenceGap + text.mcpServer.giveKey : sentence;
  }

  log(line: string): void {
    this.#context.output.warn(plainText(line));
  }

  /**
   * Opened once, one after the other. Whether it is still there is asked with every call: what is written to a store that was deleted
   * would be lost without a word. A failure is tried again.
   */
  #open(makesIt: boolean): Promise<OpenStore> {
    const before = this.#opening;
    this.#opening = this.#openAfter(before, makesIt);
    return this.#opening;
  }

  async #openAfter(before: Promise<OpenStore> | undefined, makesIt: boolean): Promise<OpenStore> {
    const known = await before?.catch(() => undefined);
    const identity = await identifyStore(this.#context.home);
    const isAbsent = identity === undefined && !makesIt;
    if (known && known.isAbsent === isAbsent && known.identity === identity) return known;
    // Others may still be reading from it; their calls fail and are made again.
    known?.close().catch(() => undefined);
    return this.#openStore(isAbsent);
  }

  async #openStore(isAbsent: boolean): Promise<OpenStore> {
    const context = this.#context;
    const embedder = embedderOptions(context);
    embedder.catch(() => undefined);
    const opened = await openHomeWithKey(context, isAbsent ? 'read' : 'write');
    const seen = { key: formatPathKey(this.#folder), hidden: () => this.#hidden };
    const recall = await openHomeRecall(context, opened, seen, embedder);
    recall.engine?.start();
    const close = async () => {
      await recall.close();
      await opened.store.close();
    };
    return { store: opened.store, recall, isAbsent, identity: await identifyStore(context.home), close };
  }

  #findHere(context: Context, { store, isAbsent }: OpenStore, folder: string): Promise<Here> {
    const hasPrivate = (context.config()['recall.private_projects'].value ?? []).length > 0;
    const lives = hasPrivate ? privateLives : hereLives;
    const key = JSON.stringify([folder, this.#settings.stamp, isAbsent]);
    return keep(this.#here, key, lives, async () => findHere(context, store, await this.#gather(folder)));
  }

  #gather(folder: string): Promise<ProjectEvidence> {
    return keep(this.#evidence, folder, evidenceLives, () => gatherHere(this.#context, folder));
  }
}

/** One that was deleted and made again is another one. Undefined where there is none. */
async function identifyStore(home: string): Promise<string | undefined> {
  const record = await loadHome(home);
  if (record === undefined) return undefined;
  const found = await stat(dataFolder(home, record), { bigint: true }).catch(() => undefined);
  return `${record.createdAt}:${found?.dev}:${found?.ino}`;
}

const mostKept = 16;

/** The value under the key while it is fresh enough, else a new one. A failure is not kept. */
function keep<Value>(known: Map<string, Known<Value>>, key: string, lives: number, make: () => Promise<Value>): Promise<Value> {
  const found = known.get(key);
  if (found && performance.now() < found.until) return found.value;
  if (known.size >= mostKept) known.clear();
  const value = make();
  known.set(key, { value, until: performance.now() + lives });
  value.catch(() => known.delete(key));
  return value;
}
