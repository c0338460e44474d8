// Which conversation to go on with: those of this project or of all, newest first, read page by page as they are looked at.
import type { Conversation } from '../../model/conversation.ts';
import type { ConversationId } from '../../model/id.ts';
import type { ConversationStore } from '../../store/conversation-store.ts';
import type { Context } from '../context.ts';
import { findName, namelessWords, projectLabel } from '../conversation-view.ts';
import { formatAgo } from '../output/moment.ts';
import { plainLine } from '../output/plain-text.ts';
import { type Here, listPageOfProject } from '../recall/here.ts';
import type { Key } from './keys/key-decoder.ts';
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

export class Picker {
  readonly #options: PickerOptions;
  #cursor: string | undefined;
  /** Another list was begun: what comes of an older one is dropped. */
  #generation = 0;

  constructor(options: PickerOptions) {
    this.#options = options;
  }

  /** Shows the conversations of the project; false, and nothing is shown, where there are none or `isWanted` says no meanwhile. */
  async open(isWanted: () => boolean): Promise<boolean> {
    const { store, here } = this.#options;
    const [newest] = (await listPageOfProject(store, here.fields, { limit: 1 })).items;
    if (!newest || newest.lastSeq === 0 || !isWanted()) return false;
    await this.#load('here');
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
    else if (key.name === 'tab' || key.name === 'shift-tab') void this.#load(picker.scope === 'here' ? 'everywhere' : 'here');
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

  async #load(scope: PickerView['scope']): Promise<void> {
    const { screen, here } = this.#options;
    this.#generation += 1;
    this.#cursor = undefined;
    const project = plainLine(here.evidence.name);
    screen.show({ picker: { scope, project, rows: [], chosen: 0, isLoading: true, hasMore: false } });
    await this.#loadMore();
    const { picker } = screen.view;
    // The newest is what people mostly want.
    if (picker && picker.rows.length > 0 && picker.chosen === 0) screen.show({ picker: { ...picker, chosen: 1 } });
  }

  async #loadMore(): Promise<void> {
    const { screen, store, here } = this.#options;
    const { picker } = screen.view;
    if (!picker) return;
    const generation = this.#generation;
    screen.show({ picker: { ...picker, isLoading: true } });
    const query = { limit: pageSize, ...(this.#cursor !== undefined && { cursor: this.#cursor }) };
    const page = picker.scope === 'here' ? await listPageOfProject(store, here.fields, query) : await store.list(query);
    const shown = page.items.filter(({ lastSeq, project }) => lastSeq > 0 && !here.hidden.includes(project ?? ''));
    const rows = await Promise.all(shown.map((conversation) => this.#toRow(conversation)));
    const now = screen.view.picker;
    if (generation !== this.#generation || !now) return;
    this.#cursor = page.nextCursor;
    screen.show({ picker: { ...now, rows: [...now.rows, ...rows], isLoading: false, hasMore: page.nextCursor !== undefined } });
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
