// A talk without a screen for the slash commands: a real home, a real session with a scripted model, and everything it was told.
import { onTestFinished } from 'vitest';
import { readTypedLine } from '../../src/cli/chat/slash-line.ts';
import { Cleanups } from '../../src/cli/cleanups.ts';
import { loadMessages } from '../../src/cli/messages/load-messages.ts';
import type { Language } from '../../src/cli/messages/messages.ts';
import { Output } from '../../src/cli/output/output.ts';
import { createStyle } from '../../src/cli/output/style.ts';
import { findHere, gatherHere, type Here } from '../../src/cli/recall/here.ts';
import { type HomeRecall, openHomeRecall } from '../../src/cli/recall/open-home-recall.ts';
import { type CurrentTalk, createTalkContext, type Question, type ReplHost, type Tone } from '../../src/cli/repl/repl-host.ts';
import { completeSlash, runSlash } from '../../src/cli/repl/slash/slash-table.ts';
import { configWithoutFile } from '../../src/config/load-config.ts';
import type { ConversationId } from '../../src/model/id.ts';
import { openStore } from '../../src/open-store.ts';
import type { Conversation } from '../../src/runtime/conversation.ts';
import { Session } from '../../src/runtime/session.ts';
import { FileSystemStorageService } from '../../src/snapshot/file-system-storage-service.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { createScriptedModel } from '../../src/testing/scripted-model.ts';
import { createQuickFolder } from './temporary-folder.ts';

export interface TalkBench {
  /** As the commands see it; members may be replaced or taken away. */
  host: { -readonly [Member in keyof ReplHost]: ReplHost[Member] };
  home: string;
  folder: string;
  store: ConversationStore;
  session: Session;
  /** What the host was told to do, in order. */
  calls: unknown[][];
  /** What was asked, and the answers that will be given; none is turning away. */
  asked: (Question | string)[];
  answers: string[];
  /** Something is said in the open conversation and answered. */
  talk(...words: string[]): Promise<Conversation>;
  /** A stored conversation of this folder, not open. */
  keep(words: string, fields?: { title?: string; project?: string }): Promise<ConversationId>;
  /** Types a line, and gives what was said in return: the tone and the text. */
  type(line: string): Promise<string[]>;
  complete(line: string): Promise<readonly string[] | undefined>;
}

export async function openTalk(language: Language = 'en', more: Partial<ReplHost> = {}): Promise<TalkBench> {
  const home = createQuickFolder('talk-home');
  const folder = createQuickFolder('talk-folder');
  const store = await openStore({ home });
  const model = createScriptedModel(() => 'Fine.');
  let said: string[] = [];
  const say = (lines: string | readonly string[], tone: Tone = 'plain') =>
    void said.push(`${tone}: ${[lines].flat().join('\n')}`);
  const base = await createContext(home, language);
  const context = createTalkContext(base, say, () => 80);
  const here: Here = await findHere(context, store, gatherHere(context, folder));
  const root = { create: { agent: 'continuo', project: here.key } };
  const session = Session.create({ store, model, root });
  let conversation: Conversation | undefined;
  let recall: Promise<HomeRecall> | undefined;
  onTestFinished(async () => {
    await session.close();
    await (await recall)?.close();
    await base.cleanups.run();
    await store.close();
  });
  const calls: unknown[][] = [];
  const asked: (Question | string)[] = [];
  const answers: string[] = [];
  const current = (): CurrentTalk => ({
    kind: 'conversation',
    id: conversation?.id,
    title: undefined,
    isBusy: false,
    model: 'scripted:model',
  });
  const host: ReplHost = {
    context,
    store,
    get current() {
      return current();
    },
    here: async () => here,
    recall() {
      recall ??= openHomeRecall(context, { store, key: undefined }, here);
      return recall;
    },
    storage: async () => new FileSystemStorageService({ home }),
    say,
    ask: async (question) => {
      asked.push(question);
      return answers.shift();
    },
    askText: async (prompt) => {
      asked.push(prompt);
      return answers.shift();
    },
    openConversation: async (id) => void calls.push(['open', id]),
    startNew: async (options) => void calls.push(['new', options]),
    deployTeam: async ({ id }, options) => void calls.push(['deploy', id, options]),
    setModel: async (reference) => void calls.push(['model', reference]),
    knownModels: () => ['scripted:model', 'scripted:other'],
    compact: async () => conversation?.compact(),
    uncompact: async () => conversation?.uncompact(),
    listApprovals: () => session.approvals.list(),
    revokeApproval: (id) => session.approvals.revoke(id),
    todos: () => [],
    interrupt: () => false,
    leave: async (options) => void calls.push(['leave', options]),
  };
  const bench: TalkBench = {
    host: Object.defineProperties(host, Object.getOwnPropertyDescriptors(more)) as TalkBench['host'],
    home,
    folder,
    store,
    session,
    calls,
    asked,
    answers,
    async talk(...words) {
      conversation = await session.root();
      for (const each of words) await conversation.message(each);
      return conversation;
    },
    async keep(words, fields = {}) {
      const { id } = await store.create({ agent: 'continuo', project: here.key, ...fields });
      await store.append(id, [
        { kind: 'message', role: 'user', text: words },
        { kind: 'message', role: 'assistant', text: 'Noted.' },
      ]);
      return id;
    },
    async type(line) {
      said = [];
      const typed = readTypedLine(line);
      if (!('command' in typed)) throw new Error(`${line} is no command`);
      await runSlash(typed, host);
      return said;
    },
    complete: async (line) => (await completeSlash(line, host))?.choices,
  };
  return bench;
}

async function createContext(home: string, language: Language) {
  const config = configWithoutFile({ home, env: {} });
  const { stdout, stderr } = process;
  return {
    home,
    env: {},
    flags: {},
    text: await loadMessages(language),
    style: createStyle(false),
    output: new Output({ stdout, stderr, json: false, quiet: true }),
    terminal: { stdin: false, stdout: false, stderr: false, columns: 80 },
    cleanups: new Cleanups(),
    config: () => config,
    now: Date.now,
  };
}
