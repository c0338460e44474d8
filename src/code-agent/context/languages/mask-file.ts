// The code of a file without comments and strings, by the rules of its language.
import { cLexis } from './c-family.ts';
import { goLexis } from './go.ts';
import { javaLexis, kotlinLexis } from './jvm.ts';
import { type Lexis, maskCode } from './mask-code.ts';
import { pythonLexis } from './python.ts';
import { rustLexis } from './rust.ts';
import { scriptLexis } from './typescript.ts';

const lexes: Record<string, Lexis> = {
  typescript: scriptLexis,
  python: pythonLexis,
  go: goLexis,
  rust: rustLexis,
  java: javaLexis,
  kotlin: kotlinLexis,
  c: cLexis,
};

/** The text as it is where the language has no rules here. */
export function maskFile(language: string | undefined, text: string): string {
  const lexis = lexes[language ?? ''];
  return lexis ? maskCode(text, lexis).masked : text;
}
