import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import type { Entry } from '../../model/entry.ts';
import { createConversationId, formatEntryId } from '../../model/id.ts';
import { extractTopics } from './extract-topics.ts';
import { toProse, wordRuns } from './text-words.ts';

const conversationId = createConversationId(0);
/** User and assistant in turn. */
const talk = (...texts: string[]): Entry[] =>
  texts.map((text, i) => ({
    kind: 'message',
    role: i % 2 === 0 ? 'user' : 'assistant',
    text,
    id: formatEntryId(conversationId, i + 1),
    conversationId,
    seq: i + 1,
    at: i,
  }));
const namesOf = (entries: Entry[], maxTopics = 3) => extractTopics(entries, { maxTopics }).map(({ name }) => name);

const sofa = talk(
  '帮我设置导航到沙发',
  '好的，正在设置导航到沙发，已规划路径，预计 2 分钟到达。',
  '导航的时候绕开地毯',
  '已经把地毯设为禁行区，导航路径重新规划。',
);
const login = talk(
  'The login page throws TypeError when the session token expires',
  'The session token is refreshed too late. Fix useSession() so that the session token is refreshed before it expires.',
  'Also cover useSession in a test',
  'Added a test; session tokens and useSession are covered.',
);

describe('extractTopics', () => {
  it('names what a Chinese conversation is about', () => {
    expect(extractTopics(sofa, { maxTopics: 3 })).toEqual([
      { name: '导航', weight: 1 },
      { name: '沙发', weight: 0.417 },
      { name: '地毯', weight: 0.417 },
    ]);
  });

  it('names phrases and identifiers of an English one, singular and plural as one', () => {
    expect(namesOf(login, 2)).toEqual(['session token', 'useSession']);
  });

  it('joins Chinese words that always stand together', () => {
    const entries = talk(
      'orders 表的 user_id 没有联合索引',
      '给 user_id 加联合索引以后慢查询消失。',
      '联合索引会影响写入吗',
      '会，写入略慢。',
    );
    expect(namesOf(entries)).toEqual(['联合索引', '写入', 'user_id']);
  });

  it('keeps languages apart, and meets across them where the word is the same', () => {
    const topics = namesOf(
      talk('SQLite 的缓存太小', 'The SQLite cache is too small.', '把ＳＱＬｉｔｅ缓存加大', 'cache enlarged'),
      5,
    );
    expect(topics[0]).toBe('SQLite');
    expect(topics).toEqual(expect.arrayContaining(['缓存', 'cache']));
    expect(topics.filter((name) => name.toLowerCase() === 'sqlite')).toHaveLength(1);
  });

  it('leaves out code blocks, tool output, thinking and what was withheld', () => {
    const [first] = talk('Write the recipe parser\n```ts\nconst zebra = zebra + zebra;\n```');
    const base = { conversationId, id: formatEntryId(conversationId, 2), seq: 2, at: 2 };
    const others: Entry[] = [
      { kind: 'tool-result', callId: 'c', text: 'giraffe giraffe giraffe', ...base },
      { kind: 'thinking', text: 'walrus walrus walrus', ...base },
      { kind: 'message', role: 'user', text: '', withheld: { characters: 9 }, ...base },
    ];
    expect(namesOf([first as Entry, ...others], 9)).toEqual(['recipe parser']);
  });

  it('has nothing to say about nothing', () => {
    expect(extractTopics([])).toEqual([]);
    expect(extractTopics(talk('继续', 'ok', '谢谢', 'thanks!'))).toEqual([]);
  });

  it('is the same every time and honours the limit', () => {
    const runs = [1, 2, 3].map(() => JSON.stringify(extractTopics([...sofa, ...login], { maxTopics: 4 })));
    expect(new Set(runs).size).toBe(1);
    expect(JSON.parse(runs[0] ?? '[]')).toHaveLength(4);
  });

  it('is quick with a long conversation', () => {
    const entries = Array.from({ length: 500 }, (_, i) => [...sofa, ...login][i % 8] as Entry);
    expect(processorTime(() => expect(namesOf(entries, 1)).toHaveLength(1))).toBeLessThan(5000);
  });
});

describe('wordRuns', () => {
  it('keeps identifiers, paths and codes whole', () => {
    const words = wordRuns('In src/auth/login.ts the parseConfig and user_id gave E1234').flat();
    expect(words.map(({ text, script }) => [text, script])).toEqual([
      ['src/auth/login.ts', 'identifier'],
      ['parseConfig', 'identifier'],
      ['user_id', 'identifier'],
      ['gave', 'latin'],
      ['E1234', 'identifier'],
    ]);
  });
});

describe('wordRuns of Chinese', () => {
  it('joins the beginnings and endings of words that the segmenter parts', () => {
    const words = wordRuns('充电桩，公众号菜单，冷启动').flat();
    expect(words.map(({ text }) => text)).toEqual(['充电桩', '公众号', '菜单', '冷启动']);
  });
});

describe('toProse', () => {
  it('takes out code, addresses and marks', () => {
    expect(toProse('# Title\n**bold** `name` [link](http://a.b) https://x.y/z\n```\ncode\n```\nend').replace(/\s+/g, ' ')).toBe(
      'Title bold name link end',
    );
  });
});

it('takes them from what was said, never from a summary, and does not cut 登录超时', () => {
  const said = talk('修复登录超时', '已修复');
  const names = (entries: Entry[]) => extractTopics(entries).map(({ name }) => name);
  expect(names(said)).toContain('登录超时');
  const summary = {
    ...said[0],
    kind: 'summary',
    text: '诉求：修复登录超时。诉求：已修复。',
    covers: { from: 1, to: 2 },
  } as unknown as Entry;
  expect(names([...said, summary])).toEqual(names(said));
  expect(names(talk('登录超时怎么办', '登录超时是网关的问题', '登录超时又来了'))).toContain('登录超时');
});
