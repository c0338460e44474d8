// A session over a real store with a scripted model, and everything it tells.
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/open-store.ts';
import type { RuntimeEvent, RuntimeEventOf, RuntimeEventType } from '../../src/runtime/runtime-event.ts';
import { Session, type SessionOptions } from '../../src/runtime/session.ts';
import type { ConversationStore } from '../../src/store/conversation-store.ts';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createQuickFolder } from '../support/temporary-folder.ts';

export { makeTool } from './make-tool.ts';

export interface Workbench {
  home: string;
  store: ConversationStore;
  session: Session;
  model: ScriptedModel;
  events: RuntimeEvent[];
  /** The events of one type. */
  heard<Type extends RuntimeEventType>(type: Type): RuntimeEventOf<Type>[];
}

export interface WorkbenchOptions extends Partial<Omit<SessionOptions, 'store' | 'model'>> {
  script?: readonly ScriptedAnswer[] | ((request: ScriptedModel['requests'][number], step: number) => ScriptedAnswer);
  home?: string;
}

export async function openWorkbench({ script = () => 'fine', home, ...options }: WorkbenchOptions = {}): Promise<Workbench> {
  const folder = home ?? createQuickFolder('runtime');
  const store = await openStore({ home: folder });
  const model = createScriptedModel(script);
  const session = Session.create({ store, model, ...options });
  const events: RuntimeEvent[] = [];
  session.events.listen((event) => void events.push(event));
  onTestFinished(async () => {
    await session.close();
    await store.close();
  });
  const heard = <Type extends RuntimeEventType>(type: Type) =>
    events.filter((event): event is RuntimeEventOf<Type> => event.type === type);
  return { home: folder, store, session, model, events, heard };
}

export interface Gate {
  opened: Promise<void>;
  open(): void;
}

/** A promise that is settled from outside. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Tells that this place was reached, and waits for leave to go on. */
export async function meet(reached: Gate, leave: Gate): Promise<void> {
  reached.open();
  await leave.opened;
}
