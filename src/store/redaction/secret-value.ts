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
  return fits && !isPlaceholder(sample) && !isReference(sample, context.quoted && !context.loose);
}

/** Stands for a secret, or for one that was masked. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || (!hasDigit.test(value) && placeholderWord.test(value)) || knownWord.test(value);
}

/** Bits per character (Shannon), of the first {@link sampleLength} characters. */
export function entropyOf(value: string): number {
  const length = Math.min(value.length, sampleLength);
  counts.fill(0);
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i) & 127;
    counts[code] = (counts[code] as number) + 1;
  }
  let sum = 0;
  for (let i = 0; i < length; i++) sum += logarithms[counts[value.charCodeAt(i) & 127] as number] as number;
  return Math.log2(length) - sum / length;
}

const counts = new Uint8Array(128);
const logarithms = Array.from({ length: sampleLength + 1 }, (_, count) => Math.log2(count));

const hasDigit = /\d/;
const hasLetter = /[A-Za-z]/;
/** Words with at most a number behind each: `correct-horse`, `sha256`, `my.app.v2`. */
const wordy = /^(?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,2})(?:[-_.:/ ]{1,2}(?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,2}))*$/;
/** `Uint8Array`, `ed25519.PrivateKey` */
const typeName = /^[A-Z]?[a-z]+(?:(?:\d{0,5}\.?[A-Z]|\d{1,5}\.?|\.)[a-z]+)*\d{0,5}$/;
const namesItself = /pass|pwd|secret|token|key(?![a-z])|cred|auth/i;

const placeholder = new RegExp(
  [
    '\\[masked:',
    '^-----BEGIN',
    '^(?:\\\\u[0-9A-Fa-f]{4}){2}',
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
const placeholderWord =
  /your(?:own|pass|pwd|secret|token|key|api)|(?:^|[^a-z])(?:your|example|dummy|insert|replace|todo|fixme|fill|sample|foobar|default|enter)(?![a-z])/i;

/** Types, states and procedures that stand where a value could. */
const knownWord = new RegExp(
  `^[*&[(]*(?:${[
    'string|str|text|char|varchar|number|(?:big)?u?int\\d*(?:clamped)?(?:array)?|float\\d*(?:array)?|integer|bool|boolean|bytes\\d*|buffer|object|any|unknown|never|void|symbol|secretstr|optional\\W.*|option\\W.*',
    'null|nil|none|undefined|nan|true|false|yes|no|on|off|empty|blank|required|optional|missing|invalid|valid|hidden|visible|plain|disabled|enabled',
    'password|passwd|pass|pwd|passphrase|secret|token|key|apikey|api[-_]key|bearer|basic|digest|oauth|oidc|saml|credentials?|user(?:name)?|login|input|field|label',
    'hash|hashed|encrypted|bcrypt|scrypt|base\\d\\d(?:url)?.*|sha-?\\d+.*|md\\d.*|utf-?\\d+.*|oauth ?\\d.*|argon2\\w*|pbkdf2.*|ed25519|x25519|[rhep]s(?:256|384|512)|x509|aes(?:-?\\d+.*)?|secp\\w+|hex\\d*|ascii|latin1',
    '1password|auth0|web3|http\\d|s3|ec2|k8s|win32|x64|arm64',
  ].join('|')})[!?\\])]*$`,
  'i',
);

/** Points at a secret that is kept elsewhere, or computes it. */
function isReference(value: string, isLiteral: boolean): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|[A-Za-z]:\\|arn:|ENC\[|(?:vault|ssm|op|env|file|ref|secretsmanager|keyvault):)/.test(value))
    return true;
  if (/^[.~]{0,2}\//.test(value) && value.split('/').every((name) => fileName.test(name))) return true;
  if (isLiteral) return false;
  if (/^[[({=:,;|]|^[&?.][\w.#]{0,15}$|^!\w+$|[\w\]]\(|->|::|^[A-Za-z_$][\w$.]*\[|^\d+(?::\d+)+$|^\d{4}-\d\d-\d\d/.test(value))
    return true;
  const expression = /^([A-Za-z_$][\w$]*)(?:\??\.[A-Za-z_$][\w$]*)+$/.exec(value);
  return expression !== null && (!hasDigit.test(value) || typeName.test(value) || expressionRoot.test(expression[1] as string));
}

/** One number at most: a part of a path, not of base64. */
const fileName = /^[A-Za-z._@~-]*\d{0,5}[A-Za-z._-]*$/;
const expressionRoot = new RegExp(
  `^(?:${[
    'process|os|env|config|cfg|conf|settings|options|opts|args|params|vars|var|local|secrets|credentials|module|self|this|ctx|context',
    'req|request|res|response|body|data|form|input|event|props|state|user|session|client|model|result|e|i|n|t',
  ].join('|')})$`,
);

function looksLikePassword(value: string, context: ValueContext): boolean {
  const { quoted, environment, loose } = context;
  if (value.length < 4) return false;
  if (/\s/.test(value)) return quoted && !loose && value.split(/\s+/).some(isMixedWord);
  if (/^\d+$/.test(value)) return value.length >= (loose ? 6 : 4);
  if (/^\d+[-~–]\d+$/.test(value) || /^[^@\s]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}$/.test(value)) return false;
  if (wordy.test(value)) return mayBePassword(value, context);
  if (environment && !loose) return true;
  const isMixed = (hasDigit.test(value) && hasLetter.test(value)) || hasInnerSign(value);
  if (loose) return isMixed && value.length >= 6;
  // Nothing but letters of some language, or nothing of ASCII: the label of a field.
  return isMixed || (quoted && !/^(?:\p{L}+[:：?]?|[^!-~]+)$/u.test(value));
}

/** For what is made of words, each with a number behind it at most. */
function mayBePassword(words: string, { quoted, environment, loose }: ValueContext): boolean {
  const isJoined = /[-_.:/]/.test(words);
  if (namesItself.test(words) && (isJoined || !hasDigit.test(words))) return false;
  if (loose) return !isJoined && hasDigit.test(words) && words.length >= 6;
  if (hasDigit.test(words)) return quoted || environment || !/[-_.:/].*[-_.:/]/.test(words);
  // Words joined by anything but hyphens name something; one word with a capital is a label.
  return !/[_.:/]/.test(words) && (environment || (quoted && (isJoined || /^[a-z]+$/.test(words))));
}

function isMixedWord(word: string): boolean {
  return hasDigit.test(word) && hasLetter.test(word) && !wordy.test(word);
}

function hasInnerSign(value: string): boolean {
  return /[A-Za-z0-9][@!$%^~#]+[A-Za-z0-9]/.test(value) && !/#[A-Za-z]+$/.test(value);
}

function looksRandom(value: string, kind: ValueKind, { quoted, environment, loose }: ValueContext): boolean {
  if (/\s|^\d+$/.test(value)) return false;
  const isWordy = wordy.test(value);
  if (environment && !loose && value.length >= 8 && !(isWordy && namesItself.test(value) && !hasDigit.test(value))) return true;
  if (!hasDigit.test(value) || !hasLetter.test(value)) return false;
  if (kind === 'secret' && !loose && (quoted ? /^(?=.{6})[A-Za-z]+\d+$/ : /^[A-Za-z]{4,}\d{2,}$/).test(value)) return true;
  if (!quoted && (/[[\](){}|\\]/.test(value) || (value.length < 24 && typeName.test(value)))) return false;
  return value.length >= (kind === 'secret' ? 8 : 10) && !isWordy;
}
