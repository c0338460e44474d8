// Brings one session into the store: what is new of it, once. Entries go in by groups; the checkpoint that stands for them follows. Killed
// in between, the next run meets the entries after the checkpoint again and knows them by their ids. A session that is one group is made
// with its checkpoint: one that stands for more than is stored counts for nothing. Two importers at one session never double anything: an
// append after the other's is refused (`seq-conflict`), and the caller runs the session again.
import type { JsonObject } from '../base/json.ts';
import type { Conversation } from '../model/conversation.ts';
import { ContinuoError } from '../model/error.ts';
import { defined } from './fields.ts';
import type { Handover, Handovers } from './handover.ts';
import type { ReportKeeper, SourceOutcome } from './import-report.ts';
import { findStanding } from './import-standing.ts';
import { createImportState, type ImportState, withHeader } from './import-state.ts';
import { isGarbage } from './import-unread.ts';
import { KnownEntries } from './known-entries.ts';
import { type Origin, SessionWriter, type SessionWriterOptions } from './session-writer.ts';
import { type Beginnings, SharedBeginning } from './shared-beginning.ts';
import type { SilentSessions } from './silent-sessions.ts';
import type {
  EntryItem,
  HeaderItem,
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
  /** Also what was purged here. */
  again: boolean;
  silent?: SilentSessions | undefined;
  /** Counts and writes nothing. */
  dryRun: boolean;
  signal?: AbortSignal | undefined;
  mostLineBytes?: number | undefined;
  onEntries(count: number): void;
}

/** The source could not be read to its end; `cause` says why. The store is fine. */
export class SourceFault extends Error {}

/** So many go in with one commit, at the next checkpoint; twice as many where none comes. */
const mostEntries = 1000;
/** After so many the checkpoint is stored: a commit of its own. */
const mostUnsaved = 5000;
const mostCharacters = 4 * 1024 * 1024;

export class SessionImport {
  readonly #options: SessionImportOptions;
  readonly #source: TranscriptSource;
  readonly #writer: SessionWriter;
  #state: ImportState;
  #earlierTitle: string | undefined;
  #header: TranscriptHeader = {};
  #known: KnownEntries | undefined;
  /** Whether anything was said in what was read, new or not; and whether that is the whole source. */
  #isSaid = false;
  #isWhole = true;
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
    const outcome = await this.#run();
    // Also where another import has stored it meanwhile: all of it is there now, for those that begin with the same.
    const { conversation } = this.#writer;
    if (conversation && conversation.trashedAt === undefined) this.#tellBeginning(conversation);
    return outcome;
  }

  async #run(): Promise<SourceOutcome> {
    const { store, format, signal, mostLineBytes } = this.#options;
    const standing = await findStanding(this.#options, this.#source);
    const { conversation: existing, settled } = standing;
    this.#state = standing.state ?? this.#state;
    if (existing) {
      this.#writer.goOnWith(existing);
      this.#earlierTitle = this.#state.title;
    }
    if (settled !== undefined) {
      if (settled === 'unchanged' && existing) await this.#takeTitle();
      return settled;
    }
    this.#handover = standing.handover;
    // Before the source is opened: whatever is stored of it by now is in it then.
    if (existing) this.#known = await KnownEntries.load(store, existing.id, this.#state.checkpoint ? this.#state.seq : 0);
    const from = this.#state.checkpoint;
    this.#isWhole = from === undefined;
    const { title } = this.#source;
    const before = this.#options.report.notes;
    // Whether it is the reader that throws, or the store.
    let isReading = true;
    try {
      for await (const item of format.read(this.#source, { from, signal, mostLineBytes })) {
        isReading = false;
        // A promise for every entry costs more than the entry.
        const taking = this.#take(item);
        if (taking !== undefined) await taking;
        isReading = true;
      }
      if (!this.#isSaid && this.#isWhole) await this.#assertReadable(before);
      isReading = false;
      if (title !== undefined) await this.#take({ type: 'header', header: { title } });
      await this.#save(true);
    } catch (cause) {
      if (!isReading) throw cause;
      signal?.throwIfAborted();
      // What came before the fault is as good as ever.
      if (this.#isSaid) await this.#save(false);
      throw new SourceFault('the source could not be read', { cause });
    } finally {
      await this.#shared?.close();
    }
    if (existing) return this.#stored > 0 ? 'grown' : 'unchanged';
    if (this.#stored > 0 || this.#shared) return 'created';
    // What could not be read is told again, and looked at again.
    if (this.#options.report.notes.unread === before.unread) this.#options.silent?.add(standing.key, this.#source);
    return this.#handover ? 'unchanged' : 'empty';
  }

  /** That nothing was said is one thing, that nothing could be read another: then it is tried again next time. */
  async #assertReadable({ unread, others }: ReportKeeper['notes']): Promise<void> {
    const { notes } = this.#options.report;
    if (notes.others > others) return;
    const { path } = this.#source;
    if (notes.unread === unread && !(await isGarbage(this.#source))) return;
    throw new ContinuoError('io-failed', { path, reason: 'nothing in it could be read' });
  }

  /** Nothing new was said, but it may have another name. */
  async #takeTitle(): Promise<void> {
    const { title } = this.#source;
    if (title !== undefined && title !== this.#state.title && !this.#options.dryRun)
      await this.#writer.save({ ...this.#state, title }, this.#earlierTitle);
  }

  #take(item: TranscriptItem): Promise<void> | undefined {
    if (item.type === 'entry') return this.#takeEntry(item);
    if (item.type === 'header') return this.#takeHeader(item);
    if (item.type === 'skipped') this.#options.report.skipped({ path: this.#source.path, ...item });
    else {
      this.#checkpoint = item.checkpoint;
      if (this.#unsaved + this.#batch.length >= mostUnsaved) return this.#save(false);
      if (this.#batch.length >= mostEntries) return this.#flush();
    }
    return undefined;
  }

  async #takeHeader(item: HeaderItem): Promise<void> {
    this.#header = { ...this.#header, ...defined(item.header) };
    this.#state = withHeader(this.#state, item.header);
    const { conversation } = this.#writer;
    if (item.resumed !== false) return;
    this.#isWhole = true;
    // Whoever wrote it anew may have changed what we had written: then it is a session like every other.
    this.#handover = undefined;
    if (conversation) this.#known = await KnownEntries.load(this.#options.store, conversation.id, 0);
  }

  #takeEntry(item: EntryItem): Promise<void> | undefined {
    const at = item.entry.at ?? this.#lastMoment;
    this.#lastMoment = at;
    this.#isSaid = true;
    this.#checkpoint = undefined;
    if (this.#known?.meet(item.id, { kind: item.entry.kind, at })) {
      this.#options.report.known();
      return undefined;
    }
    const isFirst = this.#state.first === undefined && !this.#writer.conversation;
    return isFirst || this.#shared ? this.#takeShared(item, at) : this.#keep(item, at);
  }

  #keep(item: EntryItem, at: number): Promise<void> | undefined {
    this.#batch.push(item.entry.at === undefined ? { ...item, entry: { ...item.entry, at } } : item);
    this.#characters += 'text' in item.entry ? item.entry.text.length : 0;
    const isMuch = this.#batch.length >= 2 * mostEntries || this.#characters >= mostCharacters;
    return isMuch ? this.#flush() : undefined;
  }

  /** Another session may have it already, at the same place of the same beginning. */
  async #takeShared(item: EntryItem, at: number): Promise<void> {
    const { store, beginnings, report } = this.#options;
    if (this.#state.first === undefined && !this.#writer.conversation) {
      this.#state.first = item.id;
      const origin = await beginnings.find(item.id);
      if (origin) this.#shared = new SharedBeginning(store, origin);
    }
    if (await this.#shared?.takes(item.id)) report.known();
    else await this.#keep(item, at);
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
    const shared = this.#origin();
    if (this.#state.checkpoint === undefined) this.#state.seq = shared?.seq ?? 0;
    this.#tellBeginning(await this.#writer.create(this.#state, this.#header, shared));
  }

  #tellBeginning(conversation: Conversation): void {
    const { first } = this.#state;
    if (first !== undefined) this.#options.beginnings.add(first, conversation);
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
    // What is stored and was not met may come yet, also where the source is at its end: it may be cut now, and whole again later.
    const unmet = this.#known?.firstUnmet;
    const { size: _size, modifiedAt: _modifiedAt, ...state } = this.#state;
    this.#state = {
      ...state,
      path,
      checkpoint,
      seq: unmet === undefined ? this.#writer.seq : Math.min(unmet - 1, this.#writer.seq),
      ...(isEnd && { size, modifiedAt }),
    };
    await this.#writer.save(this.#state, this.#earlierTitle);
    this.#unsaved = 0;
  }
}
