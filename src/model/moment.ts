// A moment: milliseconds since 1970, within what a Date can show.
import * as z from 'zod';

const latest = 8_640_000_000_000_000;

export const momentSchema = z.int().min(0).max(latest);
