// Loads the language that is spoken, and only that.
import type { Language, Messages } from './messages.ts';

export async function loadMessages(language: Language): Promise<Messages> {
  return language === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en;
}
