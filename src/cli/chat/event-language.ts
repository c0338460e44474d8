// Events as a program reads them, their sentences in the language in force. Codes and details stay.
import type { RuntimeEvent } from '../../runtime/runtime-event.ts';
import { describeTold } from '../error-report.ts';
import type { Messages } from '../messages/messages.ts';

export function inLanguage<Event extends RuntimeEvent>(event: Event, text: Messages): Event {
  if (event.type === 'warning') return { ...event, message: describeTold(event, text) };
  if (event.type !== 'turn-end' || !event.error) return event;
  return { ...event, error: { ...event.error, message: describeTold(event.error, text) } };
}
