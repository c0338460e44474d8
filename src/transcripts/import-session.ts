// Brings one session into the store: what is new of it, once. Entries go in by groups; the checkpoint that stands for them follows. Killed
// in between, the next run meets the entries after the checkpoint again and knows them by their ids. A session that is one group is made
// with its checkpoint: one that stands for more than is stored counts for nothing. Two importers at one session never double anything: an
// append after the other's is refused (`seq-conflict`), and the caller runs the session again.
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';
import { defined } from './fields.ts';
import type { Handover, Handovers } from './handover.ts';
import type { ReportKeeper, SourceOutcome } from './import-report.ts';
import { createImportState, type ImportState, isUnchanged, readImportState, withHeader } from './import-state.ts';
import { KnownEntries } from './known-entries.ts';
import { type Origin, SessionWriter, type SessionWriterOptions } from './session-writer.ts';
import { type Beginnings, SharedBeginning } from './shared-beginning.ts';
import type {
  EntryItem,
  ReadTranscriptOptions,
  TranscriptFormat,
  TranscriptHeader,
  TranscriptItem,
  TranscriptSource,
} from './transcript-format.ts';

export interface SessionImportOptions extends SessionWriterOptions {
  format: TranscriptFormat;
  report: ReportKeeper;
  beginnings: Beginnings;
  handovers: Handovers;
  /** Counts and writes nothing. */
  dryRun: boolean;
  signal?: AbortSignal | undefined;
  mostLineBytes?: number | undefined;
  onEntries(count: number): void;
}

/** The source could not be read to its end; `cause` says why. The store is fine. */
export class SourceFault extends Error {}

const mostEntries = 1000;
const mostCharacters = 4 * 1024 * 1024;

export class SessionImport {
  readonly #options: SessionImportOptions;
  readonly #source: TranscriptSource;
  readonly #writer: SessionWriter;
  #state: ImportState;
  #earlierTitle: string | undefined;
  #header: TranscriptHeader = {};
  #known: KnownEntries | undefined;
  /** How many of the known entries were met again. */
  #met = 0;
  #shared: SharedBeginning | undefined;
  /** It was written by us: everything up to the checkpoint is stored in that conversation. */
  #handover: Handover | undefined;
  #batch: EntryItem[] = [];
  #characters = 0;
  #lastMoment: number;
  /** What was stored since the state was last saved, and in all. */
  #unsaved = 0;
  #stored = 0;
  /** Stands for everything taken so far; undefined while an entry came after it. */
  #checkpoint: JsonObject | undefined;

  constructor(options: SessionImportOptions, source: TranscriptSource) {
    this.#options = options;
    this.#source = source;
    this.#writer = new SessionWriter(options, options.format.name, source.id);
    this.#state = createImportState(options.format, source, 0);
    this.#lastMoment = source.modifiedAt;
  }

  async run(): Promise<SourceOutcome> {
    const { store, format, signal, mostLineBytes } = this.#options;
    const existing = await this.#writer.find();
    if (existing?.trashedAt !== undefined) return 'trashed';
    if (existing) {
      this.#state = readStoredState(existing) ?? this.#state;
      this.#earlierTitle = this.#state.title;
      if (isUnchanged(this.#state, this.#source)) return this.#takeTitle();
      // Before the source is opened: whatever is stored of it by now is in it then.
      this.#known = await KnownEntries.load(store, existing.id, this.#state.checkpoint ? this.#state.seq : 0);
    } else {
      this.#handover = await this.#options.handovers.find(this.#writer.key);
      this.#state = this.#handover?.state ?? this.#state;
      if (isUnchanged(this.#state, this.#source)) return 'unchanged';
    }
    const from = this.#state.checkpoint;
    const { title } = this.#source;
    try {
      for await (const item of readSource(format, this.#source, { from, signal, mostLineBytes })) await this.#take(item);
      if (title !== undefined) await this.#take({ type: 'header', header: { title } });
      await this.#save(true);
    } catch (error) {
      // What came before the fault is as good as ever.
      if (error instanceof SourceFault) await this.#save(false);
      throw error;
    } finally {
      await this.#shared?.close();
    }
    if (existing) return this.#stored > 0 ? 'grown' : 'unchanged';
    return this.#stored > 0 || this.#shared ? 'created' : 'empty';
  }

  /** Nothing new was said, but it may have another name. */
  async #takeTitle(): Promise<'unchanged'> {
    const { title } = this.#source;
    if (title !== undefined && title !== this.#state.title && !this.#options.dryRun)
      await this.#writer.save({ ...this.#state, title }, this.#earlierTitle);
    return 'unchanged';
  }

  async #take(item: TranscriptItem): Promise<void> {
    if (item.type === 'entry') await this.#takeEntry(item);
    else if (item.type === 'skipped') this.#options.report.skipped({ path: this.#source.path, ...item });
    else if (item.type === 'checkpoint') {
      this.#checkpoint = item.checkpoint;
      if (this.#unsaved + this.#batch.length >= mostEntries) await this.#save(false);
    } else {
      this.#header = { ...this.#header, ...defined(item.header) };
      this.#state = withHeader(this.#state, item.header);
      const { conversation } = this.#writer;
      // Whoever wrote it anew may have changed what we had written: then it is a session like every other.
      if (item.resumed === false) this.#handover = undefined;
      if (item.resumed === false && conversation) this.#known = await KnownEntries.load(this.#options.store, conversation.id, 0);
    }
  }

  async #takeEntry(item: EntryItem): Promise<void> {
    const { report } = this.#options;
    const at = item.entry.at ?? this.#lastMoment;
    this.#lastMoment = at;
    this.#checkpoint = undefined;
    if (this.#known?.has(item.id, { kind: item.entry.kind, at })) {
      this.#met += 1;
      return report.known();
    }
    if (await this.#isShared(item)) return report.known();
    this.#batch.push(item.entry.at === undefined ? { ...item, entry: { ...item.entry, at } } : item);
    this.#characters += 'text' in item.entry ? item.entry.text.length : 0;
    if (this.#batch.length >= mostEntries || this.#characters >= mostCharacters) await this.#flush();
  }

  /** Whether another session has it already, at the same place of the same beginning. */
  async #isShared({ id }: EntryItem): Promise<boolean> {
    const { store, beginnings } = this.#options;
    if (this.#state.first === undefined && !this.#writer.conversation) {
      this.#state.first = id;
      const origin = await beginnings.find(id);
      if (origin) this.#shared = new SharedBeginning(store, origin);
    }
    return (await this.#shared?.takes(id)) ?? false;
  }

  /** Makes what was gathered durable. */
  async #flush(): Promise<void> {
    const { report, dryRun, onEntries, signal } = this.#options;
    const items = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (items.length === 0) return;
    signal?.throwIfAborted();
    if (dryRun) report.stored(items.map(({ entry }) => entry));
    else {
      if (!this.#writer.conversation) await this.#open();
      const { stored, refused } = await this.#writer.append(items);
      report.stored(stored);
      for (const note of refused) report.skipped({ path: this.#source.path, ...note });
    }
    this.#unsaved += items.length;
    this.#stored += items.length;
    onEntries(items.length);
  }

  async #open(): Promise<void> {
    const { beginnings } = this.#options;
    const shared = this.#origin();
    if (this.#state.checkpoint === undefined) this.#state.seq = shared?.seq ?? 0;
    const conversation = await this.#writer.create(this.#state, this.#header, shared);
    if (this.#state.first !== undefined) await beginnings.add(this.#state.first, conversation);
  }

  /** The conversation that holds its beginning already. */
  #origin(): Origin | undefined {
    if (this.#handover) return { conversation: this.#handover.conversation, seq: this.#handover.state.seq };
    if (this.#shared && this.#shared.seq > 0) return { conversation: this.#shared.origin, seq: this.#shared.seq };
    return undefined;
  }

  /** What was gathered, then the checkpoint that stands for it; at the end also that there is no more. */
  async #save(isEnd: boolean): Promise<void> {
    const checkpoint = this.#checkpoint;
    const { path, size, modifiedAt } = this.#source;
    const isWhole = isEnd && !this.#writer.conversation && checkpoint !== undefined && !this.#options.dryRun;
    const end = (this.#origin()?.seq ?? 0) + this.#batch.length;
    if (isWhole && this.#batch.length > 0) this.#state = { ...this.#state, path, checkpoint, seq: end, size, modifiedAt };
    await this.#flush();
    if (this.#options.dryRun || (isWhole && this.#state.seq === this.#writer.seq && this.#writer.conversation)) return;
    // A fork that says nothing new is still a session.
    if (isEnd && !this.#writer.conversation && this.#shared && this.#shared.seq > 0) await this.#open();
    if (!this.#writer.conversation || !checkpoint) return;
    // Entries that were known but not met yet come after this place: the next run must meet them again.
    const isAllMet = isEnd || this.#known === undefined || this.#met >= this.#known.size;
    const { size: _size, modifiedAt: _modifiedAt, ...state } = this.#state;
    this.#state = {
      ...state,
      path,
      checkpoint,
      ...(isAllMet && { seq: this.#writer.seq }),
      ...(isEnd && { size, modifiedAt }),
    };
    await this.#writer.save(this.#state, this.#earlierTitle);
    this.#unsaved = 0;
  }
}

/** A state that was made with the conversation and stands for entries that never came says nothing about what is stored. */
function readStoredState(conversation: Conversation): ImportState | undefined {
  const state = readImportState(conversation);
  if (!state || state.seq <= conversation.lastSeq) return state;
  const { checkpoint: _checkpoint, size: _size, modifiedAt: _modifiedAt, ...rest } = state;
  return { ...rest, seq: 0 };
}

/** Tells what the reader throws from what the store does. */
async function* readSource(
  format: TranscriptFormat,
  source: TranscriptSource,
  options: ReadTranscriptOptions,
): AsyncGenerator<TranscriptItem> {
  try {
    yield* format.read(source, options);
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new SourceFault('the source could not be read', { cause });
  }
}
