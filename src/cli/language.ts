// Which language people are spoken to in: what they chose, else what their system speaks, else English.
import type { Config } from '../config/load-config.ts';
import type { Language } from './messages/messages.ts';

export function chooseLanguage(config: Config, env: NodeJS.ProcessEnv): Language {
  const chosen = config['cli.language'].value;
  if (chosen !== undefined) return chosen;
  return systemLocale(env).toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

function systemLocale(env: NodeJS.ProcessEnv): string {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  // Systems without these variables (Windows, programs started from a desktop) still know their locale.
  return named ?? new Intl.DateTimeFormat().resolvedOptions().locale;
}

/** `CONTINUO_LANG` may hold a whole locale, as LANG does: only its language counts. */
export function languageOf(locale: string): string {
  const language = /^[a-z]{2}(?=$|[_.@-])/i.exec(locale.trim())?.[0];
  return language === undefined ? locale : language.toLowerCase();
}
