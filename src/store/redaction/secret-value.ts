// Whether what stands after a telling name is a secret or only a placeholder, a type, a label or a piece of code.
// What was masked cannot be brought back, so in doubt a value stays that is made of plain words.
import type { ValueKind } from './secret-rule.ts';

export interface ValueContext {
  /** It stood in quotation marks, or was a string of its own. */
  readonly quoted: boolean;
  /** It stood in an environment: `NAME=value`. */
  readonly environment: boolean;
  /** Name and value were joined by a word or a bracket, not by an equals sign or a colon. */
  readonly loose: boolean;
}

/** No more than this is looked at: enough to decide, and no hostile text can make it slow. */
export const sampleLength = 64;

export function looksLikeSecret(value: string, kind: ValueKind, context: ValueContext): boolean {
  const sample = value.length > sampleLength ? value.slice(0, sampleLength) : value;
  const fits = kind === 'password' ? looksLikePassword(sample, context) : looksRandom(sample, kind, context);
  return fits && !isPlaceholder(sample) && !isReference(sample, context.quoted);
}

/** Stands for a secret, or for one that was masked. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || (!hasDigit.test(value) && placeholderWord.test(value)) || knownWord.test(value);
}

/** Bits per character (Shannon). */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const hasDigit = /\d/;
const hasLetter = /[A-Za-z]/;
/** Words with at most a number behind each: `correct-horse`, `sha256`, `my.app.v2`. */
const wordy = /^(?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,2})(?:[-_.:/ ]{1,2}(?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,2}))*$/;
const lettersOnly = /^[A-Za-z]+$/;
const namesItself = /pass|pwd|secret|token|key|cred|auth/i;

const placeholder = new RegExp(
  [
    '\\[masked:',
    '^-----BEGIN',
    '^(?:\\\\u[0-9A-Fa-f]{4})+$',
    '^[<{].*[>}]$',
    '\\$\\{|\\{\\{|#\\{|<%|%\\(|\\$\\(|<[a-z]',
    '^\\$[A-Za-z_]\\w*$',
    '^%(?:[a-z]|\\w+%)$',
    '^@?[A-Z][A-Z_]*$',
    '^(.)\\1*$',
    '[xX]{4}|[*]{3}|[.]{3}|[…•]|_{4}|#{4}|-{5}',
    'your[-_ ]|[-_ ]here$|change[-_ ]?(?:me|it|this)|placeholder|redacted|goes[-_ ]here|my[-_]?(?:password|secret|token|(?:api[-_]?)?key)',
  ].join('|'),
  'u',
);
const placeholderWord = /your|example|dummy|insert|replace|todo|fixme|fill|sample|foobar|default|enter/i;

/** Types, states and procedures that stand where a value could. */
const knownWord = new RegExp(
  `^[*&[(]*(?:${[
    'string|str|text|char|varchar|number|int|integer|bool|boolean|bytes|buffer|object|any|unknown|never|void|symbol|secretstr|optional\\W.*|option\\W.*',
    'null|nil|none|undefined|nan|true|false|yes|no|on|off|empty|blank|required|optional|missing|invalid|valid|hidden|visible|plain|disabled|enabled',
    'password|passwd|pass|pwd|passphrase|secret|token|key|apikey|api[-_]key|bearer|basic|digest|oauth|oidc|saml|credentials?|user(?:name)?|login|input|field|label',
    'hash|hashed|encrypted|bcrypt|scrypt|base\\d\\d(?:url)?.*|sha-?\\d+.*|md\\d.*|utf-?\\d+.*|oauth ?\\d.*|argon2\\w*|pbkdf2.*|ed25519|x25519|[rhep]s(?:256|384|512)|x509|aes.*|secp\\w+|hex\\d*|ascii|latin1',
    '1password|auth0|web3|http\\d|s3|ec2|k8s|win32|x64|arm64',
  ].join('|')})[!?\\])]*$`,
  'i',
);

/** Points at a secret that is kept elsewhere, or computes it. */
function isReference(value: string, quoted: boolean): boolean {
  if (
    /^(?:[.~]{0,2}\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]*:\/\/|arn:|ENC\[|!|(?:vault|ssm|op|env|file|ref|secretsmanager|keyvault):)/.test(
      value,
    )
  )
    return true;
  if (quoted) return false;
  if (/^[[({=:,;.|&?+]|[\w\]]\(|->|::|^\d+(?::\d+)+$|^\d{4}-\d\d-\d\d/.test(value)) return true;
  const expression = /^([A-Za-z_$][\w$]*)(?:\??\.[A-Za-z_$][\w$]*|\[[^\]]*\])+$/.exec(value);
  return expression !== null && (!hasDigit.test(value) || expressionRoot.test(expression[1] as string));
}

const expressionRoot =
  /^(?:process|os|env|config|cfg|conf|self|this|req|res|request|response|ctx|context|user|data|body|props|state|args|opts|options|settings|params|input|form|event|secrets|vars|var|local|module|session|credentials|client|model|result|e|i|n|t)$/;

function looksLikePassword(value: string, { quoted, environment, loose }: ValueContext): boolean {
  if (value.length < 4) return false;
  if (/\s/.test(value))
    return (
      quoted && !loose && value.split(/\s+/).some((word) => hasDigit.test(word) && hasLetter.test(word) && !wordy.test(word))
    );
  if (/^\d+$/.test(value)) return value.length >= (loose ? 6 : 4);
  if (/^\d+[-~–]\d+$/.test(value) || /^[^@\s]+@[\w-]+\.[\w.-]+$/.test(value)) return false;
  const digits = hasDigit.test(value);
  if (wordy.test(value) && (namesItself.test(value) ? !digits || /[-_.:/ ]/.test(value) : /[_.:/ ]/.test(value) && !digits))
    return false;
  if (loose) return value.length >= 6 && ((digits && hasLetter.test(value)) || hasInnerSign(value));
  if (environment) return true;
  if (!quoted)
    return ((digits && hasLetter.test(value)) || hasInnerSign(value)) && !(wordy.test(value) && /[-_.:/].*[-_.:/]/.test(value));
  // One word with a capital, or with letters beyond ASCII, is the label of a field in some language.
  return digits || !/^[A-Z][a-z]+$|^[^!-~]+$|^[\p{L}]+$/u.test(value) || /^[a-z]+$/.test(value);
}

function hasInnerSign(value: string): boolean {
  return /[A-Za-z0-9][@!$%^~#]+[A-Za-z0-9]/.test(value) && !/#[A-Za-z]+$/.test(value);
}

function looksRandom(value: string, kind: ValueKind, { quoted, environment, loose }: ValueContext): boolean {
  if (/\s/.test(value)) return false;
  if (environment && !loose && value.length >= 8 && !(wordy.test(value) && namesItself.test(value) && !hasDigit.test(value)))
    return !/^\d+$/.test(value);
  if (!hasDigit.test(value) || !hasLetter.test(value)) return false;
  if (kind === 'secret' && quoted && !loose && value.length >= 6 && /^[A-Za-z]+\d+$/.test(value)) return true;
  return value.length >= (kind === 'secret' ? 8 : 10) && !wordy.test(value) && !lettersOnly.test(value);
}
