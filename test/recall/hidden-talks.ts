// Conversations that may not be seen from elsewhere, one for each reason there is, and an open one about the same thing. Every hidden
// one holds a word of its own that nobody asks for, so that whatever comes out tells which reason was not kept.
import type { NewConversation } from '../../src/model/conversation.ts';
import type { ConversationId } from '../../src/model/id.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';

interface Reason {
  conversation?: NewConversation;
  /** How its project is named among the private ones. */
  named?: string;
  /** Done to it after it was said, and after it was indexed. */
  afterwards?: (store: ConversationStore, id: ConversationId) => Promise<unknown>;
}

const gitKey = `git:${'5ec2e7'.padEnd(40, '0')}`;
const open: NewConversation = { project: 'path:/open' };

export const reasons: Readonly<Record<string, Reason>> = {
  'a private project': { conversation: { project: 'path:/vault/one' }, named: 'path:/vault/one' },
  'a private project stored as a plain path': { conversation: { project: '/vault/two' }, named: 'path:/vault/two' },
  'a private project named by its plain path': { conversation: { project: 'path:/vault/three' }, named: '/vault/three' },
  'a private project stored and named as a plain path': { conversation: { project: '/vault/four' }, named: '/vault/four' },
  'a private project of a repository': { conversation: { project: gitKey }, named: gitKey },
  'an excluded conversation': { conversation: { ...open, meta: { recall: 'excluded' } } },
  'a conversation excluded afterwards': { afterwards: (store, id) => store.mergeMeta(id, { recall: 'excluded' }) },
  'the trash': { afterwards: (store, id) => store.trash(id) },
  'what was purged': {
    afterwards: async (store, id) => {
      await store.trash(id);
      await store.purge(id);
    },
  },
  'what a fork shares of an excluded conversation': {
    afterwards: async (store, id) => {
      const { id: fork } = await store.fork(id);
      // Not the newest: that is the open one.
      const at = (await store.get(id)).activeAt + 1;
      await store.append(fork, [
        { kind: 'message', role: 'user', text: 'Is the boathouse painted?', at },
        { kind: 'message', role: 'assistant', text: 'It is green.', at },
      ]);
      await store.mergeMeta(id, { recall: 'excluded' });
      await store.mergeMeta(fork, { topics: [] });
    },
  },
  'the policy headers-only': { conversation: { ...open, policy: { kind: 'headers-only' } } },
  'the policy none': { conversation: { ...open, policy: { kind: 'none' } } },
  'a policy of time that is over': {
    conversation: { ...open, policy: { kind: 'ttl', milliseconds: 60_000, afterwards: 'headers-only' } },
  },
};

export const privateProjects = Object.values(reasons).flatMap(({ named }) => named ?? []);
export const question = 'What is the pass phrase of the boathouse?';
/** What the open conversation answers. */
export const openAnswer = 'SESAME';

/** Asked for: it leads to a hidden conversation. */
export const leadOf = (reason: string) => `LEAD${Object.keys(reasons).indexOf(reason)}X`;
/** Never asked for: wherever it stands, the hidden conversation was read. */
export const secretOf = (reason: string) => `SECRET${Object.keys(reasons).indexOf(reason)}X`;

export interface HiddenTalks {
  /** The hidden conversations, and the forks that share something of them. */
  ids: ConversationId[];
  openId: ConversationId;
}

/** Says everything half an hour before `now`; `indexed` is waited for before the last things are done to it. */
export async function sayHidden(store: ConversationStore, now: number, indexed: () => Promise<unknown>): Promise<HiddenTalks> {
  const ids: ConversationId[] = [];
  let at = now - 30 * 60_000;
  for (const [reason, { conversation = open }] of Object.entries(reasons)) {
    const [lead, secret] = [leadOf(reason), secretOf(reason)];
    const { meta = {}, ...rest } = conversation;
    const { id } = await store.create({
      title: `Boathouse ${lead} ${secret}`,
      tags: [lead],
      createdAt: at,
      ...rest,
      meta: { topics: [lead], ...meta },
    });
    at += 10_000;
    const said = `The pass phrase of the boathouse is ${lead} ${secret}.`;
    await store.append(id, [
      { kind: 'message', role: 'user', text: `${question} Is it ${lead} ${secret}?`, at },
      { kind: 'tool-call', callId: 'a', tool: 'read_file', input: { path: `boathouse/${lead}/${secret}` }, at: at + 1 },
      { kind: 'tool-result', callId: 'a', tool: 'read_file', text: said, at: at + 2 },
      { kind: 'message', role: 'assistant', text: said, at: at + 3 },
      { kind: 'summary', text: said, covers: { from: 1, to: 4 }, at: at + 4 },
    ]);
    ids.push(id);
  }
  const { id: openId } = await store.create({ ...open, createdAt: at });
  await store.append(openId, [
    // As if it had gone on from all of them.
    { kind: 'message', role: 'user', text: question, at: at + 10_000, meta: { recalled: ids } },
    { kind: 'message', role: 'assistant', text: `The pass phrase of the boathouse is ${openAnswer}.`, at: at + 20_000 },
  ]);
  await indexed();
  for (const [i, { afterwards }] of Object.values(reasons).entries()) await afterwards?.(store, ids[i] as ConversationId);
  const { items } = await store.list({ trash: 'include' });
  const forks = items.filter(({ forkedFrom }) => forkedFrom !== undefined).map(({ id }) => id);
  return { ids: [...ids, ...forks], openId };
}

/** The reasons that were not kept. */
export function leaksIn(given: string): string[] {
  return Object.keys(reasons).filter((reason) => given.includes(secretOf(reason)));
}
