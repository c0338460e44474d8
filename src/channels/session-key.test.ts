import { describe, expect, it } from 'vitest';
import { checkSessionKey, sessionKey } from './session-key.ts';

describe('session keys', () => {
  it('a group shares one session and in private everybody has their own', () => {
    const address = { platform: 'feishu', chatId: 'oc_1', userId: 'ou_2' };
    expect(sessionKey({ ...address, chatType: 'group' })).toBe('feishu:oc_1');
    expect(sessionKey({ ...address, chatType: 'private' })).toBe('feishu:ou_2');
  });

  it.each([
    [{ platform: '', chatType: 'group', chatId: 'x' }, 'platform'],
    [{ platform: 'a:b', chatType: 'group', chatId: 'x' }, 'platform'],
    [{ platform: 'feishu', chatType: 'topic', chatId: 'x' }, 'chatType'],
    [{ platform: 'feishu', chatType: 'group', userId: 'x' }, 'chatId'],
    [{ platform: 'feishu', chatType: 'private', chatId: 'x', userId: '' }, 'userId'],
  ])('an address that would mix up sessions is refused: %j', (address, what) => {
    expect(() => sessionKey(address as never)).toThrow(
      expect.objectContaining({ code: 'invalid-input', details: expect.objectContaining({ what }) }),
    );
  });

  it.each(['a', 'feishu:oc_x', '飞书:用户', '../../etc/passwd', '👩‍👩‍👧', 'k'.repeat(1024), ' ', '\0'])('%j is a key', (key) => {
    expect(checkSessionKey(key)).toBe(key);
  });

  it.each(['', 'k'.repeat(1025), 'half \ud83d of an emoji', 7])('%j is no key', (key) => {
    expect(() => checkSessionKey(key as string)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
