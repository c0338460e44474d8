// What the conversations of one session share.
import type { Clock } from '../base/clock.ts';
import type { SessionId } from '../model/id.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import type { SessionApprovals } from './approvals/session-approvals.ts';
import type { EventBus } from './event-bus.ts';
import type { Metrics } from './metrics.ts';
import type { SingleFlight } from './single-flight.ts';
import type { TaskRegistry } from './task-registry.ts';

export interface SessionParts {
  sessionId: SessionId;
  store: ConversationStore;
  clock: Clock;
  events: EventBus;
  flight: SingleFlight;
  tasks: TaskRegistry;
  approvals: SessionApprovals;
  metrics: Metrics;
}
