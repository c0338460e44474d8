import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { configWithoutFile } from '../../config/load-config.ts';
import { readPlan } from '../chat/chat-options.ts';
import { Cleanups } from '../cleanups.ts';
import type { Context } from '../context.ts';
import { en } from '../messages/en.ts';
import { openHomeWithKey } from '../open-home.ts';
import { Output } from '../output/output.ts';
import { createStyle } from '../output/style.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { App } from './components/app.tsx';
import { type Key, KeyDecoder } from './keys/key-decoder.ts';
import { ReplController } from './repl-controller.ts';
import type { ReplView } from './view/repl-view.ts';
import { ScreenState } from './view/screen-state.ts';

const folders: string[] = [];
const open: ReplController[] = [];

afterEach(async () => {
  for (const controller of open.splice(0)) await controller.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function createContext(folder: string): Context {
  const home = join(folder, 'home');
  const { stdout, stderr } = process;
  return {
    home,
    env: {},
    flags: {},
    text: en,
    style: createStyle(false),
    output: new Output({ stdout, stderr, json: false, quiet: true }),
    terminal: { stdin: true, stdout: true, stderr: false, columns: 80 },
    cleanups: new Cleanups(),
    config: () => configWithoutFile({ home, env: {} }),
    now: Date.now,
  };
}

/** The application without a terminal, over a real store. */
async function openApplication(
  folder = mkdtempSync(join(tmpdir(), 'continuo-repl-')),
  typedEarly = '',
  watch: (view: ReplView) => void = () => undefined,
) {
  if (!folders.includes(folder)) folders.push(folder);
  const context = createContext(folder);
  const opened = await openHomeWithKey(context, 'write');
  const plan = { ...readPlan(context, { project: folder }), isScript: false };
  const here = await findHere(context, opened.store, gatherHere(context, folder));
  const screen = new ScreenState(80);
  screen.subscribe(() => watch(screen.view));
  const controller = new ReplController({ context, opened, here, plan, screen, columns: () => 80, redraw: () => undefined });
  open.push(controller);
  const decoder = new KeyDecoder();
  const type = (text: string) => {
    for (const key of [...decoder.push(text), ...decoder.flush()] as Key[]) controller.press(key);
  };
  const started = controller.start();
  type(typedEarly);
  await started;
  const said = () => screen.view.pieces.map(({ mark = '', text }) => mark + text);
  const isSettled = () => screen.view.status.saved === 'saved' && !controller.current.isBusy;
  const settled = () => expect.poll(isSettled, { timeout: 10_000 }).toBe(true);
  return { folder, controller, screen, store: opened.store, type, said, settled };
}

describe('the application without a terminal', () => {
  it('begins anew where nothing is stored, and creates nothing until something is said', async () => {
    const { screen, store, said } = await openApplication();
    expect([screen.view.picker, screen.view.status.saved, (await store.stats()).conversations]).toEqual([
      undefined,
      'nothing',
      0,
    ]);
    expect(said().at(-1)).toMatch(/^new conversation in /);
  });

  it('has what was said in the log, shown and answered', async () => {
    const { store, type, said, settled, controller } = await openApplication();
    type('hello there\r');
    await settled();
    const { id } = controller.current;
    if (id === undefined) throw new Error('no conversation');
    const entries = await store.tail(id, 10);
    expect(entries.filter(({ kind }) => kind === 'message').map((entry) => 'role' in entry && entry.role)).toEqual([
      ...['user', 'assistant'],
    ]);
    expect(said()).toContain('> hello there');
    expect(said()).toContain('offline');
  });

  it('offers what is stored, goes on with it, and brings back what was said in this project', async () => {
    const first = await openApplication();
    first.type('remember the blue door\r');
    await first.settled();
    await first.controller.close();
    await first.store.close();
    const { screen, type, said, controller } = await openApplication(first.folder);
    expect(screen.view.picker?.rows.map(({ title, messages }) => [title, messages])).toEqual([['remember the blue door', 4]]);
    type('\r');
    await expect.poll(() => said().some((line) => /^resumed cnv_/.test(line)), { timeout: 10_000 }).toBe(true);
    expect(said()[0]).toBe('> remember the blue door');
    expect(controller.current.id).toMatch(/^cnv_/);
    type('\u001b[A');
    await expect.poll(() => screen.view.editor.text).toBe('remember the blue door');
    type('\u001b[B');
    expect(screen.view.editor.text).toBe('');
  });

  it('draws no list in which another line is chosen than the one that Enter opens', async () => {
    const first = await openApplication();
    first.type('an earlier talk\r');
    await first.settled();
    await first.controller.close();
    const chosen = new Set<string | undefined>();
    const { screen, type } = await openApplication(first.folder, '', (view) => {
      if (view.picker) chosen.add(view.picker.rows[view.picker.chosen - 1]?.title);
    });
    type('\t');
    await expect.poll(() => [screen.view.picker?.scope, screen.view.picker?.isLoading]).toEqual(['everywhere', false]);
    expect([...chosen]).toEqual(['an earlier talk']);
  });

  it('goes to the talk and not to the list with what is typed before it is there', async () => {
    const first = await openApplication();
    first.type('an earlier talk\r');
    await first.settled();
    await first.controller.close();
    await first.store.close();
    const { screen, said, settled } = await openApplication(first.folder, 'nothing of jkn is lost\r');
    await settled();
    expect(screen.view.picker).toBeUndefined();
    expect(said()).toContain('> nothing of jkn is lost');
  });

  it('runs slash commands, and tells what it does not know without sending it', async () => {
    const { store, type, said, settled, screen, controller } = await openApplication();
    type('first words\r');
    await settled();
    type('/rename 蓝色的门\r');
    await expect.poll(() => screen.view.status.title).toBe('蓝色的门');
    expect((await store.get(controller.current.id as string)).title).toBe('蓝色的门');
    type('/nonsense\r');
    await expect.poll(() => said().some((line) => line.includes('/nonsense') && !line.startsWith('/'))).toBe(true);
    expect((await store.tail(controller.current.id as never, 50)).filter(({ kind }) => kind === 'message').length).toBe(2);
  });

  it('asks before it resumes a team: only r goes on, anything else is asked again, Esc does nothing', async () => {
    const { folder, type, said, settled, controller, screen } = await openApplication();
    const members = [
      { kind: 'human', id: 'max' },
      { kind: 'model', id: 'ana', displayName: '安娜', model: 'offline' },
    ];
    const file = join(folder, 'team.json');
    writeFileSync(file, JSON.stringify({ id: 'review', name: 'Review', members }));
    type(`/team deploy ${file}\r`);
    await expect.poll(() => controller.current.kind, { timeout: 10_000 }).toBe('team');
    type('看看这个改动\r');
    await settled();
    expect(said()).toContain('安娜');
    type('/end\r');
    await expect.poll(() => controller.current.kind, { timeout: 10_000 }).toBe('conversation');
    type(`/team deploy ${file}\r`);
    await expect.poll(() => screen.view.question?.prompt, { timeout: 10_000 }).toBe('Choose [r/n]');
    type('yes\r');
    expect(screen.view.question?.prompt).toBe('Choose [r/n]');
    type('\u001b');
    await expect.poll(() => screen.view.question).toBeUndefined();
    expect(controller.current.kind).toBe('conversation');
    type(`/team deploy ${file}\r`);
    await expect.poll(() => screen.view.question?.prompt, { timeout: 10_000 }).toBe('Choose [r/n]');
    type('R\r');
    await expect.poll(() => controller.current.kind, { timeout: 10_000 }).toBe('team');
    expect(controller.current).toMatchObject({ kind: 'team', messages: 2, isBusy: false });
  });

  it('shows todos beside the talk and keeps none', async () => {
    const { controller, screen, store } = await openApplication();
    controller.publishTodo([{ text: 'water the plants', state: 'open' }]);
    screen.flush();
    const draw = { text: en, style: createStyle(false), columns: 80, rows: 24, now: 0 };
    expect(render(<App view={screen.view} draw={draw} />).lastFrame()).toContain('☐ water the plants');
    expect((await store.stats()).entries).toBe(0);
    controller.publishTodo([]);
    expect(controller.todos()).toEqual([]);
  });

  it('warns at the first Ctrl-C and leaves at the second', async () => {
    const { controller, screen, type } = await openApplication();
    type('half a sentence');
    type('\u0003');
    expect([screen.view.editor.text, screen.view.notice]).toEqual(['', en.repl.confirmLeaving]);
    type('\u0003');
    await controller.done;
    expect(screen.view.isOver).toBe(true);
  });
});
