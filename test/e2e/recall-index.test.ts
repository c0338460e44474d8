// The search index beside the store: it gives up what is removed for good, and goes when the store changes its key.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from './cli-program.ts';

function indexHolds(cli: Cli, word: string): boolean {
  return readFileSync(join(cli.home, 'index.db')).toString('latin1').toLowerCase().includes(word);
}

async function idOf(cli: Cli, text: string): Promise<string> {
  return (await cli.json<{ conversation: { id: string } }>(['append', text])).conversation.id;
}

describe('the search index', () => {
  it('keeps no byte of a conversation that was purged, and still finds the others', async () => {
    const cli = new Cli();
    const gone = await idOf(cli, 'the zebrafish plan');
    const kept = await idOf(cli, 'the okapi plan');
    expect(await cli.json(['search', 'zebrafish'])).toMatchObject({ hits: 1 });
    expect(indexHolds(cli, 'zebrafish')).toBe(true);
    await cli.json(['trash', gone]);
    expect(await cli.json(['search', 'zebrafish'])).toMatchObject({ hits: 0 });
    await cli.json(['purge', gone, '--yes']);
    expect(indexHolds(cli, 'zebrafish')).toBe(false);
    expect(indexHolds(cli, 'okapi')).toBe(true);
    expect(await cli.json(['search', 'plan'])).toMatchObject({ hits: 1, groups: [{ conversationId: kept }] });
  });

  it('goes when the store is encrypted or decrypted, and is as unreadable as the store', async () => {
    const cli = new Cli();
    const env = { CONTINUO_PASSPHRASE: 'correct horse' };
    await idOf(cli, 'the zebrafish plan');
    await cli.json(['search', 'zebrafish']);
    await cli.json(['encrypt'], { env });
    expect(existsSync(join(cli.home, 'index.db'))).toBe(false);
    expect(await cli.json(['search', 'zebrafish'], { env })).toMatchObject({ hits: 1 });
    expect(indexHolds(cli, 'zebrafish')).toBe(false);
    expect(await cli.failure(['search', 'zebrafish'])).toMatchObject({ error: { code: 'key-required' } });
    await cli.json(['decrypt'], { env });
    expect(existsSync(join(cli.home, 'index.db'))).toBe(false);
    expect(await cli.json(['search', 'zebrafish'])).toMatchObject({ hits: 1 });
  });
});
