import { describe, expect, it } from 'vitest';
import { SpokenText } from './spoken-text.ts';

function show(text: string, size: number): string {
  const spoken = new SpokenText();
  let shown = '';
  for (let i = 0; i < text.length; i += size) shown += spoken.push(text.slice(i, i + size));
  return shown + spoken.end();
}

describe('SpokenText', () => {
  const said =
    'I looked at it [1].\n\n```todo\n- [x] read\n- [ ] write\n```\nOver to you. [NEXT: Bob, 安娜]\n[TEAM_TASK: ship it]\n```js\n// [NEXT: nobody]\n```\nDone [NEXT: Max]';
  const shown = 'I looked at it [1].\n\nOver to you.\n```js\n// [NEXT: nobody]\n```\nDone';

  it('shows neither markers nor todo lists, however the text is cut', () => {
    for (const size of [1, 2, 7, 1000]) expect(show(said, size)).toBe(shown);
  });

  it('holds nothing back that is no marker', () => {
    const spoken = new SpokenText();
    expect([spoken.push('Some wor'), spoken.push('ds and '), spoken.push('more')].join('')).toBe('Some words and more');
    expect(spoken.push('[NE') + spoken.push('XT: Bob]') + spoken.end()).toBe('');
  });
});
