import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContinuoError } from '../model/error.ts';
import { configWithoutFile, loadConfig } from './load-config.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-config-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = () => join(home, 'conversation.toml');

async function mistakeIn(text: string): Promise<{ code: string; details: unknown }> {
  await writeFile(file(), text);
  const error = await loadConfig({ home, env: {} }).catch((reason: unknown) => reason);
  if (!(error instanceof ContinuoError)) throw new Error('no mistake was reported');
  return { code: error.code, details: error.details };
}

describe('loadConfig', () => {
  it('gives every setting its default where nothing is said', async () => {
    const origin = { from: 'default' };
    expect(await loadConfig({ home, env: {} })).toEqual({
      'store.driver': { value: 'sqlite', origin },
      'store.key_file': { value: undefined, origin },
      'store.redact': { value: true, origin },
      'trash.grace_days': { value: 30, origin },
      'model.name': { value: undefined, origin },
      'model.base_url': { value: undefined, origin },
      'chat.instructions': { value: undefined, origin },
      'chat.max_items': { value: 2000, origin },
      'chat.max_tokens': { value: 120_000, origin },
      'approvals.mode': { value: undefined, origin },
      'approvals.allow': { value: [], origin },
      'approvals.deny': { value: [], origin },
      'exec.sandbox': { value: 'auto', origin },
      'exec.network': { value: false, origin },
      'exec.timeout_seconds': { value: 120, origin },
      'mcp.config': { value: undefined, origin },
      'recall.enabled': { value: true, origin },
      'recall.token_budget': { value: 1500, origin },
      'recall.private_projects': { value: [], origin },
      'projects.marker': { value: true, origin },
      'embedder.kind': { value: undefined, origin },
      'embedder.model': { value: undefined, origin },
      'embedder.base_url': { value: undefined, origin },
      'embedder.key_env': { value: undefined, origin },
      'embedder.dimension': { value: undefined, origin },
      'embedder.folder': { value: undefined, origin },
      'embedder.pooling': { value: undefined, origin },
      'embedder.query_prefix': { value: undefined, origin },
      'embedder.passage_prefix': { value: undefined, origin },
      'conversation.db_path': { value: undefined, origin },
      'conversation.auto_save_interval': { value: 0, origin },
      'conversation.max_conversations': { value: 0, origin },
      'conversation.auto_summary_threshold': { value: 10, origin },
      'conversation.summary.by': { value: 'local', origin },
      'conversation.semantic_search.embedding_dimension': { value: undefined, origin },
      'conversation.semantic_search.similarity_threshold': { value: 0.7, origin },
      'conversation.semantic_search.max_results': { value: 5, origin },
      'conversation.topics.auto_extract': { value: true, origin },
      'conversation.topics.max_topics': { value: 5, origin },
      'conversation.cleanup.enable': { value: false, origin },
      'conversation.cleanup.strategy': { value: 'old', origin },
      'conversation.cleanup.retention_days': { value: 30, origin },
      'conversation.cleanup.min_similarity': { value: 0.3, origin },
      'notify.bell': { value: true, origin },
      'notify.desktop': { value: false, origin },
      'notify.webhook': { value: undefined, origin },
      'notify.after_seconds': { value: 30, origin },
      'cli.language': { value: undefined, origin },
      'cli.color': { value: 'auto', origin },
    });
  });

  it('lets a flag win over the environment, that over the file, that over the default', async () => {
    await writeFile(file(), '# mine\n[store]\ndriver = "jsonl"\nredact = false\n\n[trash]\ngrace_days = 7\n');
    const env = { CONTINUO_REDACT: 'yes', CONTINUO_LANG: 'en', CONTINUO_DRIVER: '' };
    const config = await loadConfig({ home, env, flags: { 'cli.language': { flag: '--lang', text: 'zh' } } });
    expect(config['store.driver']).toEqual({ value: 'jsonl', origin: { from: 'file', path: file(), line: 3 } });
    expect(config['store.redact']).toEqual({ value: true, origin: { from: 'environment', variable: 'CONTINUO_REDACT' } });
    expect(config['trash.grace_days']).toEqual({ value: 7, origin: { from: 'file', path: file(), line: 7 } });
    expect(config['cli.language']).toEqual({ value: 'zh', origin: { from: 'flag', flag: '--lang' } });
  });

  it('counts paths from the folder of the file they stand in, and from the working folder elsewhere', async () => {
    await writeFile(file(), 'store.key_file = "keys/mine"\n');
    expect((await loadConfig({ home, env: {} }))['store.key_file'].value).toBe(join(home, 'keys/mine'));
    expect((await loadConfig({ home, env: { CONTINUO_KEY_FILE: 'mine' } }))['store.key_file'].value).toBe(resolve('mine'));
    expect((await loadConfig({ home, env: { CONTINUO_KEY_FILE: '~/mine' } }))['store.key_file'].value).toBe(
      join(homedir(), 'mine'),
    );
  });

  it('reads lists from TOML arrays, and from one text with semicolons or line ends between the parts', async () => {
    await writeFile(file(), '[approvals]\nallow = ["git status", "npm test"]\n');
    expect((await loadConfig({ home, env: {} }))['approvals.allow']).toEqual({
      value: ['git status', 'npm test'],
      origin: { from: 'file', path: file(), line: 2 },
    });
    const { 'approvals.allow': allow } = await loadConfig({ home, env: { CONTINUO_ALLOW: ' git log ; make\nls -l;' } });
    expect(allow.value).toEqual(['git log', 'make', 'ls -l']);
  });

  it('names the line of text that is not TOML', async () => {
    const { code, details } = await mistakeIn('[store]\nredact = true\ndriver = sqlite\n');
    expect(code).toBe('config-invalid');
    expect(details).toEqual({ path: file(), line: 3, reason: expect.stringMatching(/\S/) });
  });

  it('refuses an unknown setting with its line and a suggestion', async () => {
    expect(await mistakeIn('\n[store]\ndrvier = "sqlite"\n')).toEqual({
      code: 'config-invalid',
      details: {
        path: file(),
        line: 3,
        reason: 'there is no setting "store.drvier"; did you mean "store.driver"?',
        setting: 'store.drvier',
      },
    });
    expect((await mistakeIn('[weather]\nsunny = true\n')).details).toEqual({
      path: file(),
      line: 2,
      reason: 'there is no setting "weather.sunny"',
      setting: 'weather.sunny',
    });
  });

  it.each([
    ['[store]\nredact = "yes"\n', 'store.redact must be true or false, not "yes"'],
    ['[trash]\ngrace_days = -1\n', 'trash.grace_days must be a whole number from 0 to 36500, not -1'],
    ['[trash]\ngrace_days = 1.5\n', 'trash.grace_days must be a whole number from 0 to 36500, not 1.5'],
    ['[cli]\ncolor = "pink"\n', 'cli.color must be one of auto, always, never, not "pink"'],
    ['[store]\nkey_file = 3\n', 'store.key_file must be a path, not 3'],
    ['[model]\nname = ""\n', 'model.name must be a text, not ""'],
    ['[approvals]\nallow = "git"\n', 'approvals.allow must be a list of texts, not "git"'],
    ['[notify]\nwebhook = "me"\n', 'notify.webhook must be an address that begins with http:// or https://, not "me"'],
  ])('says what would have been right: %j', async (text, reason) => {
    expect((await mistakeIn(text)).details).toMatchObject({ path: file(), line: 2, reason });
  });

  it('refuses a wrong word in the environment by the name of the variable', async () => {
    const error = await loadConfig({ home, env: { CONTINUO_TRASH_GRACE_DAYS: 'soon' } }).catch((reason: unknown) => reason);
    expect((error as ContinuoError).message).toBe(
      'The value of CONTINUO_TRASH_GRACE_DAYS is not valid: trash.grace_days must be a whole number from 0 to 36500, not "soon"',
    );
  });

  it('can do without a file that cannot be used', async () => {
    await writeFile(file(), 'not toml');
    expect(configWithoutFile({ home, env: { CONTINUO_LANG: 'zh' } })['cli.language'].value).toBe('zh');
  });
});
