// `continuo` at a terminal: opens the home, puts the application on the screen and gives the terminal back as it was. Keys go to the
// controller, the view to the components; what is saved stays saved however the terminal goes away.
import { readPlan } from '../chat/chat-options.ts';
import type { Context } from '../context.ts';
import { openHomeWithKey } from '../open-home.ts';
import { shortenId } from '../output/short-ids.ts';
import { announceCleanup } from '../recall/announce-cleanup.ts';
import { findHere, gatherHere } from '../recall/here.ts';
import { noteSwept, sweepDue } from '../sweep-due.ts';
import { KeyDecoder } from './keys/key-decoder.ts';
import { ReplController } from './repl-controller.ts';
import type { CurrentTalk } from './repl-host.ts';
import { ScreenState } from './view/screen-state.ts';

/** Bracketed paste, and keys with their modifiers where the terminal can tell them. */
const enterTerminal = '\x1b[?2004h\x1b[>1u';
const leaveTerminal = '\x1b[<u\x1b[?2004l';
const clearScreen = '\x1b[2J\x1b[H';
/** An Esc alone is one when nothing follows for so long. */
const escapeTime = 40;
const resizeTime = 60;

export async function runRepl(context: Context): Promise<number | undefined> {
  const plan = readPlan(context, {});
  const gathering = gatherHere(context, plan.project);
  const opened = await openHomeWithKey(context, 'write');
  await using store = opened.store;
  const here = await findHere(context, store, gathering);
  const { mountApp } = await import('./components/mount-app.tsx');
  const { stdin, stdout } = process;
  const screen = new ScreenState(stdout.columns ?? 80);
  const mounted = mountApp({ stdin, stdout });
  const draw = () => {
    const [columns, rows] = [stdout.columns ?? 80, stdout.rows ?? 24];
    mounted.draw(screen.view, { text: context.text, style: context.style, columns, rows, now: context.now() });
  };
  const redraw = () => {
    stdout.write(clearScreen);
    screen.redraw(stdout.columns ?? 80, stdout.rows ?? 24);
  };
  const controller = new ReplController({ context, opened, here, plan, screen, columns: () => stdout.columns ?? 80, redraw });
  screen.subscribe(draw);
  const stopReading = readKeys(controller);
  const stopResizing = followSize(redraw);
  stdout.write(enterTerminal);
  let isGivenBack = false;
  const giveBack = () => {
    if (isGivenBack) return;
    isGivenBack = true;
    stopReading();
    stopResizing();
    screen.close();
    mounted.close();
    stdout.write(leaveTerminal);
  };
  const forget = context.cleanups.add(async () => {
    await controller.close().finally(giveBack);
  });
  let last: CurrentTalk;
  try {
    await Promise.race([controller.start().then(() => controller.done), controller.done]);
  } finally {
    last = controller.current;
    await controller.close();
    giveBack();
    forget();
  }
  await printEnd(context, store, last);
  return undefined;
}

function readKeys(controller: ReplController): () => void {
  const { stdin } = process;
  const decoder = new KeyDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (chunk: string) => {
    clearTimeout(timer);
    for (const key of decoder.push(chunk)) controller.press(key);
    if (!decoder.isWaiting) return;
    timer = setTimeout(() => {
      for (const key of decoder.flush()) controller.press(key);
    }, escapeTime);
  };
  // A terminal that went away: nothing more will be typed.
  const end = () => void controller.close();
  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  stdin.on('data', take).on('end', end).on('error', end);
  stdin.resume();
  return () => {
    clearTimeout(timer);
    stdin.off('data', take).off('end', end);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

function followSize(redraw: () => void): () => void {
  const { stdout } = process;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onResize = () => {
    clearTimeout(timer);
    timer = setTimeout(redraw, resizeTime);
  };
  stdout.on('resize', onResize);
  return () => {
    clearTimeout(timer);
    stdout.off('resize', onResize);
  };
}

async function printEnd(context: Context, store: Parameters<typeof shortenId>[0], last: CurrentTalk): Promise<void> {
  const { output, style, text } = context;
  if (last.id === undefined) {
    output.line(style.dim(text.chat.nothingSaid));
    return;
  }
  noteSwept(context, await sweepDue(context, store));
  await announceCleanup(context, store);
  const isKept = (await store.find(last.id))?.policy.kind !== 'none';
  const way =
    last.kind === 'team' ? text.repl.leftTeam(last.file, last.sessionId) : text.repl.left(await shortenId(store, last.id));
  output.line(style.dim(isKept ? way : text.chat.leftUnkept));
}
