// Session keys: `{platform}:{user or chat}` by convention, any text that can be stored exactly by rule.
import { ContinuoError } from '../model/error.ts';

const maxKeyLength = 1024;
const loneSurrogate = /\p{Surrogate}/u;

export interface ChatAddress {
  /** The chat platform, for instance `feishu`. Holds no colon, so that two addresses never share a key. */
  platform: string;
  chatType: 'group' | 'private';
  /** The chat the message was written in; decides in a group. */
  chatId?: string;
  /** Who wrote it; decides in private. */
  userId?: string;
}

/** The key of the session a chat message belongs to: a group shares one, in private everybody has their own. */
export function sessionKey(address: ChatAddress): string {
  const { platform, chatType, chatId, userId } = address;
  if (platform === '' || platform.includes(':')) throw invalid('platform', 'it must be a name without a colon');
  if (chatType !== 'group' && chatType !== 'private') throw invalid('chatType', 'it must be "group" or "private"');
  const id = chatType === 'group' ? chatId : userId;
  if (!id) throw invalid(chatType === 'group' ? 'chatId' : 'userId', `a ${chatType} chat needs it`);
  return checkSessionKey(`${platform}:${id}`);
}

/** The key as given, or a coded refusal. Half a character cannot be written to any file and would make two keys one. */
export function checkSessionKey(key: string): string {
  if (typeof key !== 'string' || key === '') throw invalid('session key', 'it must be a text that is not empty');
  if (key.length > maxKeyLength) throw invalid('session key', `it is longer than ${maxKeyLength} characters`);
  if (loneSurrogate.test(key)) throw invalid('session key', 'it holds half of a character (a lone surrogate)');
  return key;
}

function invalid(what: string, reason: string): ContinuoError {
  return new ContinuoError('invalid-input', { what, reason });
}
