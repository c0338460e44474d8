// Sortable identifiers in ULID layout: 48 bits of time, 80 random bits, lower-case Crockford base32.
// Ids made by one process are strictly increasing, also within one millisecond and when the clock steps back.
import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
export const ulidPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const digits = new Uint8Array(16);
const countingDigits = 5;
const timeDigits = 10;
let lastTime = -1;

/** The next identifier for the given moment (milliseconds since 1970). */
export function createUlid(now: number): string {
  if (now > lastTime) {
    lastTime = now;
    drawDigits(0);
  } else {
    incrementDigits();
  }
  return formatTime(lastTime) + formatDigits();
}

function formatTime(time: number): string {
  let text = '';
  let rest = time;
  for (let i = 0; i < timeDigits; i++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Counts up in the leading random digits and draws the rest anew, so that neighbours differ early and short prefixes tell them apart. */
function incrementDigits(): void {
  drawDigits(countingDigits);
  for (let i = countingDigits - 1; i >= 0; i--) {
    const digit = digits[i] as number;
    if (digit < 31) {
      digits[i] = digit + 1;
      return;
    }
    digits[i] = 0;
  }
  // Tens of millions of ids in one millisecond: borrow the next one rather than repeat an id.
  lastTime += 1;
}

function drawDigits(from: number): void {
  randomFillSync(digits, from);
  for (let i = from; i < digits.length; i++) digits[i] = (digits[i] as number) & 31;
}

function formatDigits(): string {
  let text = '';
  for (const digit of digits) text += alphabet[digit];
  return text;
}
