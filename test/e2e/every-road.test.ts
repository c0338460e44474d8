// What may not be seen elsewhere comes out of no command that looks into earlier conversations, whatever it prints and whatever a model
// is shown. The same reasons as in test/recall/every-road.test.ts, through the program itself.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leadOf, leaksIn, openAnswer, privateProjects, question, reasons, sayHidden } from '../recall/hidden-talks.ts';
import { closeScripts, startScript } from './chat-server.ts';
import { Cli } from './cli-program.ts';

closeScripts();

const leads = Object.keys(reasons).map(leadOf);
const hiding = { CONTINUO_PRIVATE_PROJECTS: privateProjects.join(';') };

async function openHouse() {
  const cli = new Cli(hiding);
  const here = join(cli.folder, 'here');
  mkdirSync(here);
  const store = await cli.open();
  // Everything was indexed before the last things were done to it.
  const { openId } = await sayHidden(store, Date.now(), () => cli.json(['reindex']));
  await store.close();
  return { cli, cwd: here, openId };
}

describe('nothing hidden comes out of', () => {
  it.each([
    ['search', ['search', 'pass phrase boathouse'], 'finds'],
    ['search --explain', ['search', 'pass phrase boathouse', '--explain', '--limit', '100'], 'finds'],
    ['search --json', ['search', 'pass phrase boathouse', '--json', '--explain'], 'finds'],
    ['search by title', ['search', 'boathouse', '--role', 'title'], 'stays silent'],
    ['search by every word that leads there', ['search', leads.join(' '), '--json'], 'stays silent'],
    ['search by topic', ['search', 'boathouse', '--tag', leads[6] ?? ''], 'stays silent'],
    ['search in a private project', ['search', 'boathouse', '--project', '/vault/two'], 'stays silent'],
    ['recall', ['recall'], 'finds'],
    ['recall --json', ['recall', '--json', question], 'finds'],
    ['recall with a word that leads there', ['recall', `continue with the boathouse ${leads[0]}`], 'stays silent'],
    ['chat without a model', ['chat', '-p', question], 'finds'],
    ['chat without a model, going on', ['chat', '-p', 'continue'], 'finds'],
  ])('%s', async (_, args, expected) => {
    const { cli, cwd } = await openHouse();
    const { stdout, stderr } = await cli.run(args, { cwd });
    expect(leaksIn(stdout + stderr)).toEqual([]);
    expect(stdout.includes(openAnswer)).toBe(expected === 'finds');
  });

  it('chat with a model, what it is shown and what it is told by its tools', async () => {
    const { cli, cwd } = await openHouse();
    const calls = [question, '', ...leads].map((query, i) => ({ id: `c${i}`, name: 'recall', input: { query, limit: 50 } }));
    const { server, env } = await startScript([{ toolCalls: calls }, { text: 'I see.' }, { text: 'On it.' }]);
    const asked = await cli.run(['chat', '-p', question], { cwd, env });
    const gone = await cli.run(['chat', '-p', '继续刚才的任务'], { cwd, env });
    const shown = JSON.stringify(server.requests.map(({ body }) => body));
    expect([asked.code, gone.code, server.requests.length]).toEqual([0, 0, 3]);
    expect(leaksIn([shown, asked.stdout, asked.stderr, gone.stdout, gone.stderr].join('\n'))).toEqual([]);
    expect(shown).toContain(openAnswer);
    expect(leaksIn((await cli.run(['show', 'latest', '--all'])).stdout)).toEqual([]);
  });

  it.each(['md', 'json', 'jsonl'])('the export of another conversation as %s', async (format) => {
    const { cli, openId, cwd } = await openHouse();
    const { stdout, stderr } = await cli.run(['export', openId, '--to', format], { cwd });
    expect(leaksIn(stdout + stderr)).toEqual([]);
    expect(stdout).toContain(openAnswer);
  });
});
