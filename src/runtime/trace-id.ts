// Identifiers of the W3C trace context: one trace a turn, one span a part of it.
import { randomBytes } from 'node:crypto';

export function createTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function createSpanId(): string {
  return randomBytes(8).toString('hex');
}
