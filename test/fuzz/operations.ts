// Everything that can be done to a store, as data that can be drawn at random, shrunk and shown.
import fc from 'fast-check';
import type { NewConversation } from '../../src/model/conversation.ts';
import type { NewEntry } from '../../src/model/entry.ts';
import type { ListQuery } from '../../src/model/list-query.ts';

/** Conversations are named by the order of their creation; numbers beyond the last one wrap around. */
export type Operation = { store: 0 | 1 } & (
  | { do: 'create'; input: NewConversation }
  | { do: 'append'; to: number; entries: NewEntry[]; expectedSeq?: number; endsDraft?: boolean }
  | { do: 'put-draft'; id: number; draft: NewEntry }
  | { do: 'find-draft'; id: number }
  | { do: 'delete-draft'; id: number }
  | { do: 'append-at-once'; to: number[]; text: string }
  | { do: 'read'; from: number; order: 'forward' | 'backward'; after?: number; before?: number; limit?: number }
  | { do: 'tail'; of: number; count: number }
  | { do: 'find-entry'; of: number; seq: number }
  | { do: 'find'; key: string }
  | { do: 'resolve'; of: number; length: number }
  | { do: 'list'; query: ListQuery; forkedFrom?: number; pages: number }
  | { do: 'rename'; id: number; title: string }
  | { do: 'tag'; id: number; add: string[]; remove: string[] }
  | { do: 'pin'; id: number; pinned: boolean }
  | { do: 'put-meta'; id: number; meta: NonNullable<NewConversation['meta']> }
  | { do: 'merge-meta'; id: number; changes: NonNullable<NewConversation['meta']> }
  | { do: 'fork'; id: number; at?: number; title?: string }
  | { do: 'trash'; id: number; releaseKey: boolean }
  | { do: 'restore'; id: number }
  | { do: 'purge'; id: number; withForks: boolean }
  | { do: 'plan-sweep' }
  | { do: 'sweep' }
  | { do: 'move-clock'; by: number }
  | { do: 'acquire-lease'; id: number; ttl: number }
  | { do: 'release-lease'; id: number }
  | { do: 'find-lease'; id: number }
  | { do: 'compress'; before: number }
  | { do: 'reopen' }
  | { do: 'verify' }
);

export const hour = 3_600_000;
export const start = Date.UTC(2026, 2, 1);

const which = fc.nat({ max: 7 });
const keys = ['chat:1', 'chat:2', 'Chat:1', '群聊:甲', '../up', 'con', 'a'.repeat(300)];
const names = ['alpha', 'beta', 'Γάμμα'];
const tags = ['red', 'blue', '标签'];

const words = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\n', '\u2028 line', '{"kind":"message"}', 'x'.repeat(9000), 'ß'.repeat(3000)) },
);
const moment = fc.integer({ min: -20, max: 20 }).map((hours) => start + hours * hour);
const meta = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c d'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
}) as fc.Arbitrary<Record<string, never>>;

const policy = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'full' } as const) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'headers-only' } as const, { kind: 'none' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('ttl' as const),
      milliseconds: fc.constantFrom(1, hour, 5 * hour),
      afterwards: fc.constantFrom('headers-only' as const, 'delete' as const),
    }),
  },
);

const conversation = fc.record(
  {
    title: fc.oneof({ weight: 9, arbitrary: words }, { weight: 1, arbitrary: fc.constant('t'.repeat(1001)) }),
    key: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: fc.constant('') }),
    project: fc.constantFrom(...names),
    team: fc.constantFrom(...names),
    agent: fc.constantFrom(...names),
    tags: fc.array(fc.constantFrom(...tags, ' red '), { maxLength: 3 }),
    pinned: fc.boolean(),
    policy,
    createdAt: moment,
    meta,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<NewConversation>;

const common = { at: moment, turnId: fc.constantFrom('t1', 't2'), meta };
const always = ['kind', 'role', 'text', 'callId', 'tool', 'input', 'covers', 'name'];
/** A record whose other fields may be left out. */
function fields(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record(model, { requiredKeys: Object.keys(model).filter((name) => always.includes(name)) });
}
const entry = fc.oneof(
  {
    weight: 6,
    arbitrary: fields({
      kind: fc.constant('message'),
      role: fc.constantFrom('user', 'assistant', 'system'),
      text: words,
      author: fc.record({ name: fc.constantFrom(...names) }),
      model: fc.constantFrom('m1', 'm2'),
      usage: fc.record({ inputTokens: fc.nat() }),
      interrupted: fc.boolean(),
      ...common,
    }),
  },
  { weight: 1, arbitrary: fields({ kind: fc.constant('thinking'), text: words, ...common }) },
  {
    weight: 1,
    arbitrary: fields({
      kind: fc.constant('tool-call'),
      callId: fc.constant('c'),
      tool: fc.constant('t'),
      input: fc.jsonValue(),
      ...common,
    }),
  },
  {
    weight: 1,
    arbitrary: fields({
      kind: fc.constant('tool-result'),
      callId: fc.constant('c'),
      text: words,
      output: fc.jsonValue(),
      failed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('summary' as const),
      text: words,
      covers: fc.record({ from: fc.nat({ max: 3 }), to: fc.integer({ min: 1, max: 5 }) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('label' as const), name: words, text: words }) },
  {
    weight: 2,
    arbitrary: fields({
      kind: fc.constant('event'),
      name: fc.constantFrom('turn-start', 'turn-end', ''),
      code: fc.constantFrom('ok', 'cancelled'),
      counts: fc.dictionary(fc.constantFrom('calls', 'tokens', '计'), fc.double({ noNaN: true, noDefaultInfinity: true }), {
        maxKeys: 2,
      }),
      text: words,
      ...common,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'nonsense' },
      { kind: 'message', role: 'nobody', text: 'x' },
      { kind: 'message', role: 'user' },
    ),
  },
) as fc.Arbitrary<NewEntry>;

const query = fc
  .record(
    {
      project: fc.constantFrom(...names, 'nowhere'),
      key: fc.constantFrom(...keys),
      team: fc.constantFrom(...names),
      agent: fc.constantFrom(...names),
      tag: fc.constantFrom(...tags),
      pinned: fc.boolean(),
      since: moment,
      before: moment,
      title: fc.oneof(fc.constantFrom('a', 'A', 'ß', '%', '_', ''), words),
      trash: fc.constantFrom('exclude' as const, 'only' as const, 'include' as const),
      limit: fc.integer({ min: 0, max: 4 }),
      cursor: fc.constantFrom('nonsense', '.', 'zz.cnv_1'),
    },
    { requiredKeys: [] },
  )
  .map((drawn) => {
    // A made-up cursor now and then is enough: it is always refused.
    const { cursor, ...rest } = drawn;
    return (cursor === '.' ? drawn : rest) as ListQuery;
  });

function operation<Name extends Operation['do'], Fields extends object>(
  name: Name,
  fields: fc.Arbitrary<Fields>,
): fc.Arbitrary<Operation> {
  return fc
    .tuple(fc.constantFrom(0 as const, 1 as const), fields)
    .map(([store, drawn]) => ({ do: name, store, ...drawn }) as unknown as Operation);
}

const nothing = fc.constant({});

export const creations: fc.Arbitrary<Operation> = operation('create', fc.record({ input: conversation }));

export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: creations },
  {
    weight: 14,
    arbitrary: operation(
      'append',
      fc.record(
        { to: which, entries: fc.array(entry, { maxLength: 4 }), expectedSeq: fc.nat({ max: 6 }), endsDraft: fc.boolean() },
        { requiredKeys: ['to', 'entries'] },
      ),
    ),
  },
  { weight: 4, arbitrary: operation('put-draft', fc.record({ id: which, draft: entry })) },
  { weight: 1, arbitrary: operation('find-draft', fc.record({ id: which })) },
  { weight: 1, arbitrary: operation('delete-draft', fc.record({ id: which })) },
  {
    weight: 3,
    arbitrary: operation('append-at-once', fc.record({ to: fc.array(which, { minLength: 1, maxLength: 6 }), text: words })),
  },
  {
    weight: 5,
    arbitrary: operation(
      'read',
      fc.record(
        {
          from: which,
          order: fc.constantFrom('forward' as const, 'backward' as const),
          after: fc.nat({ max: 12 }),
          before: fc.nat({ max: 15 }),
          limit: fc.integer({ min: -1, max: 5 }),
        },
        { requiredKeys: ['from', 'order'] },
      ),
    ),
  },
  { weight: 2, arbitrary: operation('tail', fc.record({ of: which, count: fc.integer({ min: 1, max: 5 }) })) },
  { weight: 1, arbitrary: operation('find-entry', fc.record({ of: which, seq: fc.integer({ min: 1, max: 12 }) })) },
  { weight: 1, arbitrary: operation('find', fc.record({ key: fc.constantFrom(...keys, '') })) },
  { weight: 1, arbitrary: operation('resolve', fc.record({ of: which, length: fc.integer({ min: 3, max: 31 }) })) },
  {
    weight: 5,
    arbitrary: operation(
      'list',
      fc.record({ query, forkedFrom: which, pages: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: ['query', 'pages'] }),
    ),
  },
  { weight: 2, arbitrary: operation('rename', fc.record({ id: which, title: words })) },
  {
    weight: 2,
    arbitrary: operation(
      'tag',
      fc.record({
        id: which,
        add: fc.array(fc.constantFrom(...tags, ''), { maxLength: 2 }),
        remove: fc.array(fc.constantFrom(...tags), { maxLength: 2 }),
      }),
    ),
  },
  { weight: 1, arbitrary: operation('pin', fc.record({ id: which, pinned: fc.boolean() })) },
  { weight: 1, arbitrary: operation('put-meta', fc.record({ id: which, meta })) },
  { weight: 2, arbitrary: operation('merge-meta', fc.record({ id: which, changes: meta })) },
  {
    weight: 4,
    arbitrary: operation(
      'fork',
      fc.record({ id: which, at: fc.integer({ min: -1, max: 8 }), title: words }, { requiredKeys: ['id'] }),
    ),
  },
  { weight: 4, arbitrary: operation('trash', fc.record({ id: which, releaseKey: fc.boolean() })) },
  { weight: 2, arbitrary: operation('restore', fc.record({ id: which })) },
  { weight: 3, arbitrary: operation('purge', fc.record({ id: which, withForks: fc.boolean() })) },
  { weight: 1, arbitrary: operation('plan-sweep', nothing) },
  { weight: 2, arbitrary: operation('sweep', nothing) },
  { weight: 4, arbitrary: operation('move-clock', fc.record({ by: fc.constantFrom(1, hour, 6 * hour, 40 * hour, -hour) })) },
  { weight: 2, arbitrary: operation('acquire-lease', fc.record({ id: which, ttl: fc.constantFrom(hour, 10 * hour) })) },
  { weight: 1, arbitrary: operation('release-lease', fc.record({ id: which })) },
  { weight: 1, arbitrary: operation('find-lease', fc.record({ id: which })) },
  { weight: 1, arbitrary: operation('compress', fc.record({ before: moment })) },
  { weight: 2, arbitrary: operation('reopen', nothing) },
  { weight: 1, arbitrary: operation('verify', nothing) },
);
