import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';
import { settingNames } from './settings.ts';

describe('the nearest name', () => {
  it.each([
    ['store.redcat', 'store.redact'],
    ['stroe.driver', 'store.driver'],
    ['embedder.dimensions', 'embedder.dimension'],
    ['conversation.cleanup.enabled', 'conversation.cleanup.enable'],
    ['trash', 'trash.grace_days'],
    ['foo', undefined],
    ['conversation.cleanup.foo', undefined],
    ['cli.x', undefined],
  ])('to %s is %s', (wanted, nearest) => {
    expect(nearestName(wanted, settingNames)).toBe(nearest);
  });
});
