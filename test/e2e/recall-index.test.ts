// The search index beside the store: it gives up what is removed for good, and goes when the store changes its key.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/require-system.ts';
import { Cli } from './cli-program.ts';
import { hasTmux, TerminalScreen } from './terminal-screen.ts';

const madeAnew = 'The search index is made anew by the next search';

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
    expect((await cli.run(['encrypt'], { env })).stderr).not.toContain('search index');
    expect((await cli.run(['decrypt'], { env })).stderr).not.toContain('search index');
    await cli.json(['search', 'zebrafish']);
    expect((await cli.run(['encrypt'], { env })).stderr).toContain(madeAnew);
    expect(existsSync(join(cli.home, 'index.db'))).toBe(false);
    expect(await cli.json(['search', 'zebrafish'], { env })).toMatchObject({ hits: 1 });
    expect(indexHolds(cli, 'zebrafish')).toBe(false);
    expect(await cli.failure(['search', 'zebrafish'])).toMatchObject({ error: { code: 'key-required' } });
    expect((await cli.run(['decrypt'], { env })).stderr).toContain(madeAnew);
    expect(existsSync(join(cli.home, 'index.db'))).toBe(false);
    expect(await cli.json(['search', 'zebrafish'])).toMatchObject({ hits: 1 });
  });

  it.runIf(needs(hasTmux, 'tmux, which gives the program a terminal'))(
    'stays where a passphrase is typed in, and gives up what is purged then',
    async () => {
      const cli = new Cli();
      const env = { CONTINUO_PASSPHRASE: 'correct horse' };
      const gone = await idOf(cli, 'the zebrafish plan');
      await idOf(cli, 'the okapi plan');
      await cli.json(['encrypt'], { env });
      await cli.json(['search', 'zebrafish'], { env });
      await cli.json(['trash', gone], { env });
      const { ino } = statSync(join(cli.home, 'index.db'));
      const typed = async (args: string[], shown: string) => {
        using screen = await TerminalScreen.open(cli, args);
        await screen.shows(/assphrase.*:/);
        screen.say('correct horse');
        await screen.shows(shown);
        await screen.shows('ended with 0');
      };
      await typed(['purge', gone, '--yes'], '1 conversation removed for good.');
      expect(statSync(join(cli.home, 'index.db')).ino).toBe(ino);
      await typed(['search', 'okapi'], 'the okapi plan');
      expect(await cli.json(['search', 'plan'], { env })).toMatchObject({ hits: 1 });
    },
  );
});
