// Why an agent program gave no answer, in one line, without the secrets that programs like to print when something fails.
import { stripVTControlCharacters } from 'node:util';
import type { ProcessEnd } from './agent-process.ts';
import type { Ending } from './dialects/dialect.ts';

const longestReason = 1_000;

export async function explainFailure(
  { code, signal, errors }: ProcessEnd,
  { failure }: Ending,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const said = shorten(await mask(failure ?? errors, env));
  if (signal !== null) return said === '' ? `it was ended by ${signal}` : `it was ended by ${signal} and said: ${said}`;
  if (code !== 0) return said === '' ? `it ended with code ${code}` : `it ended with code ${code} and said: ${said}`;
  if (failure !== undefined) return said;
  return said === '' ? 'it ended without an answer' : `it ended without an answer and said: ${said}`;
}

/** Secrets by their looks, and the values that were handed over under a name of a secret. */
async function mask(text: string, env: Readonly<Record<string, string>>): Promise<string> {
  if (text === '') return '';
  let masked = text;
  for (const [name, value] of Object.entries(env)) {
    if (value.length >= 6 && /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/i.test(name))
      masked = masked.replaceAll(value, `[masked:${name}]`);
  }
  const { createRedactor } = await import('../../store/redaction/redactor.ts');
  return createRedactor().redactText(masked).text;
}

/** The end tells more than the beginning. */
function shorten(text: string): string {
  const plain = stripVTControlCharacters(text)
    .replace(/(?!\n)\p{Cc}/gu, '')
    .trim();
  return plain.length > longestReason ? `…${plain.slice(-longestReason)}` : plain;
}
