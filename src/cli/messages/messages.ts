// The two languages. English is the shape; Chinese must have every key of it, or the build fails.
import type { en } from './en.ts';

export type Messages = typeof en;
export type Help = Messages['help'];
export type Language = 'en' | 'zh';
