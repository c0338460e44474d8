// Which conversation to go on with: those of this project or of all, newest first, read page by page as they are looked at.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords, projectLabel } from '../conversation-view.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Here } from '../recall/here.ts';
import type { Key } from './keys/key-decoder.ts';
import { readOffered } from './read-offered.ts';
import type { PickerRow, PickerView } from './view/repl-view.ts';
import type { ScreenState } from './view/screen-state.ts';

const pageSize = 40;

export interface PickerOptions {
  context: Context;
  store: ConversationStore;
  here: Here;
  screen: ScreenState;
  /** Undefined for a new conversation. */
  onChosen: (id: ConversationId | undefined) => void;
}

interface Found {
  rows: readonly PickerRow[];
  /** Where the rest begins; undefined where there is none. */
  next: string | undefined;
}

export class Picker {
  readonly #options: PickerOptions;
  #cursor: string | undefined;
  /** Another list was begun: what comes of an older one is dropped. */
  #generation = 0;
  /** The list that is shown, or the one that is about to be. */
  #wanted: PickerView['scope'] = 'here';

  constructor(options: PickerOptions) {
    this.#options = options;
  }

  /** Shows the conversations of the project; false, and nothing is shown, where there are none or `isWanted` says no meanwhile. */
  async open(isWanted: () => boolean): Promise<boolean> {
    const found = await this.#read('here', undefined);
    if (found.rows.length === 0 || !isWanted()) return false;
    this.#show('here', found);
    return true;
  }

  close(): void {
    this.#generation += 1;
    this.#options.screen.show({ picker: undefined });
  }

  press(key: Key): void {
    const { screen } = this.#options;
    if (screen.view.picker?.isLost) screen.change({ picker: { ...screen.view.picker, isLost: false } });
    const { picker } = screen.view;
    if (!picker) return;
    const letter = key.name === 'text' && 'text' in key ? key.text.toLowerCase() : '';
    if (key.name === 'up' || letter === 'k') this.#choose(picker.chosen - 1);
    else if (key.name === 'down' || letter === 'j') this.#choose(picker.chosen + 1);
    else if (key.name === 'page-up') this.#choose(picker.chosen - 10);
    else if (key.name === 'page-down') this.#choose(picker.chosen + 10);
    else if (key.name === 'home') this.#choose(0);
    else if (key.name === 'end') this.#choose(picker.rows.length);
    else if (key.name === 'tab' || key.name === 'shift-tab') void this.#load(this.#wanted === 'here' ? 'everywhere' : 'here');
    else if (key.name === 'escape' || letter === 'n') this.#settle(undefined);
    else if (key.name === 'enter' || key.name === 'newline') this.#settle(picker.rows[picker.chosen - 1]?.id);
    else screen.show({ picker: { ...picker, isLost: true } });
  }

  #settle(id: string | undefined): void {
    this.close();
    this.#options.onChosen(id as ConversationId | undefined);
  }

  #choose(place: number): void {
    const { screen } = this.#options;
    const { picker } = screen.view;
    if (!picker) return;
    const chosen = Math.max(0, Math.min(picker.rows.length, place));
    screen.show({ picker: { ...picker, chosen } });
    if (picker.hasMore && !picker.isLoading && chosen > picker.rows.length - 5) void this.#loadMore();
  }

  /** The list that is shown stays until the other is there: Enter opens what is seen. */
  async #load(scope: PickerView['scope']): Promise<void> {
    const { screen } = this.#options;
    const { picker } = screen.view;
    if (!picker) return;
    this.#generation += 1;
    const generation = this.#generation;
    this.#wanted = scope;
    screen.show({ picker: { ...picker, isLoading: true } });
    const found = await this.#read(scope, undefined);
    if (generation === this.#generation && screen.view.picker) this.#show(scope, found);
  }

  async #loadMore(): Promise<void> {
    const { screen } = this.#options;
    const { picker } = screen.view;
    if (!picker) return;
    const generation = this.#generation;
    screen.show({ picker: { ...picker, isLoading: true } });
    const { rows, next } = await this.#read(picker.scope, this.#cursor);
    const now = screen.view.picker;
    if (generation !== this.#generation || !now) return;
    this.#cursor = next;
    screen.show({ picker: { ...now, rows: [...now.rows, ...rows], isLoading: false, hasMore: next !== undefined } });
  }

  /** A list from its beginning. The newest is what people mostly want. */
  #show(scope: PickerView['scope'], { rows, next }: Found): void {
    const { screen, here } = this.#options;
    this.#wanted = scope;
    this.#cursor = next;
    const project = plainLine(here.evidence.name);
    const chosen = Math.min(1, rows.length);
    screen.show({ picker: { scope, project, rows, chosen, isLoading: false, hasMore: next !== undefined } });
  }

  async #read(scope: PickerView['scope'], cursor: string | undefined): Promise<Found> {
    const { store, here } = this.#options;
    const { items, nextCursor } = await readOffered(store, here, { scope, limit: pageSize, cursor });
    return { rows: await Promise.all(items.map((conversation) => this.#toRow(conversation))), next: nextCursor };
  }

  async #toRow(conversation: Conversation): Promise<PickerRow> {
    const { context, store } = this.#options;
    const { id, activeAt, lastSeq, team, pinned } = conversation;
    return {
      id,
      title: (await findName(store, conversation)) ?? namelessWords(context.text, conversation),
      ago: formatAgo(activeAt, context.now(), context.text.time),
      messages: lastSeq,
      project: plainLine(projectLabel(conversation) ?? ''),
      team: team === undefined ? undefined : plainLine(team),
      isPinned: pinned,
    };
  }
}
