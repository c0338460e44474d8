// What a rule for finding secrets looks like. Rules are data (rules/*.json); this file says what their fields mean.

export type SecretRule = PatternRule | NameRule;

/** A secret that gives itself away by its form: a provider's token, a key block, the password in an address. */
export interface PatternRule {
  /** Stands in the mask: `[masked:id]`. */
  readonly id: string;
  /** Every match begins with one of these, whatever the case of its letters. They make it cheap to see that a text holds no secret. */
  readonly anchors: readonly string[];
  /** A regular expression. Its group `secret` is masked, or the whole match where it has none. Every repetition must be bounded. */
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  /** How many characters of the match come before the anchor; 0 if left out. */
  readonly lead?: number;
  /** The least randomness of the secret, in bits per character, so that placeholders stay. */
  readonly entropy?: number;
  /** The secret must hold a digit, or a capital after a small letter: it is not made of words. */
  readonly mixed?: boolean;
  /** Secrets that are published examples. */
  readonly allow?: readonly string[];
  /** Not a secret at all: what matches is left as it is, and no other rule looks into it. */
  readonly keep?: boolean;
  readonly note?: string;
}

/** A secret that is known by the name it is given: `password = …`, `"apiKey": "…"`, `密码：…`. */
export interface NameRule {
  readonly id: string;
  /** The name, wherever it stands, contains one of these, whatever the case of its letters; `name` is tried from there on. */
  readonly anchors: readonly string[];
  /** A regular expression for the end of the name. */
  readonly name: string;
  /** How much like a secret the value has to look. Nearly anything can be a password; a token is long and random. */
  readonly value: ValueKind;
  readonly note?: string;
}

export type ValueKind = 'password' | 'secret' | 'token';

export function isNameRule(rule: SecretRule): rule is NameRule {
  return 'name' in rule;
}
