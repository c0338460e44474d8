import { afterEach, describe, expect, it, vi } from 'vitest';
import { ScreenState } from './screen-state.ts';

afterEach(() => vi.useRealTimers());

const bob = { name: 'Bob', paint: 'cyan' as const };
const texts = (screen: ScreenState) => screen.view.pieces.map(({ text }) => text);

describe('ScreenState', () => {
  it('makes whole lines of an answer finished pieces and keeps the rest live', () => {
    const screen = new ScreenState(20);
    for (const part of ['One li', 'ne.\nAnother ', 'that is longer than the screen']) screen.speak(bob, part);
    screen.flush();
    expect([texts(screen), screen.view.live?.text]).toEqual([
      ['Bob', 'One line.', 'Another that is', 'longer than the'],
      'screen',
    ]);
    screen.endTurn();
    expect(texts(screen).join(' ')).toBe('Bob One line. Another that is longer than the screen');
    screen.close();
  });

  it('tells at most thirty times in a second of what members say, and at once of what is typed', () => {
    vi.useFakeTimers();
    const screen = new ScreenState(80);
    let drawn = 0;
    screen.subscribe(() => {
      drawn += 1;
    });
    for (let i = 0; i < 1000; i++) {
      screen.speak(bob, 'word ');
      vi.advanceTimersByTime(1);
    }
    expect(drawn).toBeGreaterThan(25);
    expect(drawn).toBeLessThanOrEqual(31);
    const before = drawn;
    screen.show({ notice: 'typed' });
    expect(drawn).toBe(before + 1);
    screen.close();
  });

  it('keeps two speakers apart, and what the program says in between', () => {
    const screen = new ScreenState(80);
    screen.speak(bob, 'half');
    screen.say('a note');
    screen.speak(bob, ' and half');
    screen.speak({ name: 'Ana', paint: 'green' }, 'mine');
    screen.endTurn();
    expect(texts(screen)).toEqual(['Bob', 'half', 'a note', ' and half', 'Ana', 'mine']);
    screen.close();
  });

  it('keeps what is drawn again within a line, however long a flood without a line end is, and loses none of it', () => {
    const screen = new ScreenState(80);
    for (let i = 0; i < 400; i++) {
      screen.speak(bob, 'x'.repeat(1000));
      screen.flush();
      expect(screen.view.live?.text.length).toBeLessThanOrEqual(80);
    }
    screen.endTurn();
    expect(texts(screen).slice(1).join('')).toBe('x'.repeat(400_000));
    screen.close();
  });

  it('keeps empty lines inside of an answer, however it is cut, and none at its end', () => {
    const said = 'One.\n\n\nTwo.\n\n- three\n\n';
    for (const size of [1, 2, 5, 100]) {
      const screen = new ScreenState(80);
      for (let i = 0; i < said.length; i += size) {
        screen.speak(bob, said.slice(i, i + size));
        screen.flush();
      }
      screen.endTurn();
      expect(texts(screen).join('\n')).toBe('Bob\nOne.\n\n\nTwo.\n\n- three');
      screen.close();
    }
  });

  it('draws again as much as the screen holds', () => {
    const screen = new ScreenState(80);
    for (let i = 0; i < 100; i++) screen.say(`line ${i}`);
    screen.redraw(80, 24);
    expect([texts(screen)[0], texts(screen).length, screen.view.epoch]).toEqual(['line 79', 21, 1]);
    screen.close();
  });
});
