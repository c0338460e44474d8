import { describe, expect, it } from 'vitest';
import { secretValues, withoutSecrets } from './secret-environment.ts';

const env = {
  PATH: '/usr/bin',
  OPENAI_API_KEY: 'sk-1',
  HTTP_AUTHORIZATION: 'Bearer 2',
  SESSION_COOKIE: 'c=3',
  GIT_AUTHOR_NAME: 'Ada',
  MAX_TOKENS: '100000',
  GH_TOKEN: 'ghp_4',
  EMPTY: undefined,
};

describe('secrets of the environment', () => {
  it('are kept from commands, and who an author is stays', () => {
    expect(withoutSecrets(env)).toEqual({ PATH: '/usr/bin', GIT_AUTHOR_NAME: 'Ada' });
  });

  it('are the values that no file may hold; an amount of tokens is none', () => {
    expect(secretValues(env)).toEqual(['sk-1', 'Bearer 2', 'c=3', 'ghp_4']);
  });
});
