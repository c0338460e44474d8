// Tells a person about notices in the ways they chose. Invariant: no way of telling disturbs a turn or another way; what goes wrong
// is reported once per cause, not once per notice.
import type { Writable } from 'node:stream';
import { toAgentError } from '../agent-error.ts';
import type { EventBus } from '../event-bus.ts';
import { createDesktopNotifier, type DesktopSettings } from './desktop.ts';
import { buildNotice, formatNotice, type Notice, type Notifier } from './notice.ts';
import { createWebhookNotifier, type WebhookSettings } from './webhook.ts';

export type { Notice, Notifier };

const defaultAfter = 30_000;

export interface NotifierSettings {
  /** Turns that took less are no news; questions always are. In milliseconds, default 30 seconds. */
  after?: number;
  /** Where the bell is rung: usually the terminal. */
  bell?: Writable;
  desktop?: boolean | Omit<DesktopSettings, 'format'>;
  webhook?: WebhookSettings;
  /** How a notice reads on the desktop. */
  format?: (notice: Notice) => string;
  /** Told once per cause about ways of telling that do not work. */
  onProblem?: (problem: Error) => void;
}

export function createNotifier(settings: NotifierSettings): Notifier {
  const { after = defaultAfter, bell, desktop, webhook, format = formatNotice } = settings;
  const ways: Notifier[] = [];
  if (bell) ways.push(createBellNotifier(bell));
  if (desktop) ways.push(createDesktopNotifier({ format, ...(desktop === true ? {} : desktop) }));
  if (webhook) ways.push(createWebhookNotifier(webhook));
  const report = reportOnce(settings.onProblem ?? (() => {}));
  return {
    async notify(notice) {
      if (notice.kind === 'turn-end' && notice.milliseconds < after) return;
      await Promise.all(ways.map((way) => way.notify(notice).catch(report)));
    },
  };
}

export function createBellNotifier(output: Writable): Notifier {
  return {
    async notify() {
      if (output.writable) output.write('\u0007');
    },
  };
}

/** Notifies about what happens on the bus until it is closed; closing waits for notices that are on their way. */
export function attachNotifier(bus: EventBus, notifier: Notifier): { close(): Promise<void> } {
  const pending = new Set<Promise<void>>();
  const stop = bus.listen((event) => {
    const notice = buildNotice(event);
    if (!notice) return;
    const telling = notifier.notify(notice).catch(() => {});
    pending.add(telling);
    void telling.then(() => pending.delete(telling));
  });
  return {
    async close() {
      stop();
      await Promise.all(pending);
    },
  };
}

function reportOnce(onProblem: (problem: Error) => void): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const problem = toAgentError(error);
    if (reported.has(problem.message)) return;
    reported.add(problem.message);
    try {
      onProblem(problem);
    } catch {
      // Whoever cannot hear about a problem must not make another one.
    }
  };
}
