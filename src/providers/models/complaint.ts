// Reads what a server, the network or a package complains about into one shape. Servers put their message in different places and
// some report a failure inside of a stream that began well, with a type instead of a status.

export interface Complaint {
  /** HTTP status, or the one that an error inside of the stream stands for. */
  status?: number;
  message: string;
  type?: string;
  code?: string;
  headers: Readonly<Record<string, string>>;
  /** Code of the network's error. */
  network?: string;
  /** A piece of the answer was not JSON, or not what the protocol says. */
  unreadable: boolean;
}

export function readComplaint(thrown: unknown): Complaint {
  const outer = asRecord(thrown);
  const body = errorIn(outer.responseBody) ?? errorIn(outer);
  const type = textOf(body?.type) ?? textOf(body?.status);
  const code = textOf(body?.code);
  const message = textOf(body?.message) ?? textOf(outer.message) ?? (typeof thrown === 'string' ? thrown : '');
  const status = statusOf(outer, type, code);
  const network = networkCodeOf(thrown);
  return {
    message,
    headers: { ...askedDelayIn(body), ...(outer.responseHeaders as Record<string, string> | undefined) },
    unreadable: isUnreadable(outer, message),
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(network !== undefined && { network }),
  };
}

/** The object that holds the message: `{error: {…}}`, `[{error: {…}}]`, `{error: "…"}`, `{message}`, `{detail}`, or bare text. */
function errorIn(source: unknown): Record<string, unknown> | undefined {
  if (typeof source !== 'string') {
    const record = asRecord(source);
    const isBare = !(source instanceof Error) && ('message' in record || 'type' in record);
    return isBare ? record : undefined;
  }
  const text = source.trim();
  if (text === '') return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return text.startsWith('<') ? undefined : { message: text };
  }
  const record = asRecord(Array.isArray(parsed) ? parsed[0] : parsed);
  const error = record.error;
  if (typeof error === 'string') return { message: error, type: record.type, code: record.code };
  if (typeof error === 'object' && error !== null) return error as Record<string, unknown>;
  if (typeof record.detail === 'string') return { message: record.detail };
  return record;
}

/** Google says how long to wait in the body: `{details: [{retryDelay: "34s"}]}`. */
function askedDelayIn(body: Record<string, unknown> | undefined): Record<string, string> {
  const details = Array.isArray(body?.details) ? body.details : [];
  const delay = details.map((detail) => textOf(asRecord(detail).retryDelay)).find((text) => text !== undefined);
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1];
  return seconds === undefined ? {} : { 'retry-after': seconds };
}

/** A type says more than a status that a package made up for it. */
function statusOf(outer: Record<string, unknown>, type: string | undefined, code: string | undefined): number | undefined {
  const given = outer.statusCode;
  const isInStream = given === undefined || given === 500;
  if (isInStream && type !== undefined) {
    const known = statusByType.find(([pattern]) => pattern.test(type))?.[1];
    if (known !== undefined) return known;
  }
  if (typeof given === 'number') return given;
  if (code !== undefined && /^[45]\d\d$/.test(code)) return Number(code);
  // An error that the server sent inside of its stream, without saying which.
  return isServerObject(outer) ? 500 : undefined;
}

const statusByType: readonly (readonly [RegExp, number])[] = [
  [/overloaded/i, 529],
  [/rate_limit|resource_exhausted|insufficient_quota/i, 429],
  [/authentication|unauthenticated/i, 401],
  [/permission/i, 403],
  [/invalid_request|invalid_argument|context_length|exceed_context/i, 400],
  [/not_found/i, 404],
];

function isServerObject(outer: Record<string, unknown>): boolean {
  return !(outer instanceof Error) && ('message' in outer || 'type' in outer);
}

function isUnreadable(outer: Record<string, unknown>, message: string): boolean {
  const name = textOf(outer.name) ?? '';
  if (/JSONParseError|TypeValidationError|InvalidResponseDataError/.test(name)) return true;
  return /^(?:JSON parsing failed|Type validation failed)/.test(message);
}

/** The first code in the chain of causes that looks like one of the system or of the HTTP client. */
function networkCodeOf(thrown: unknown): string | undefined {
  let current: unknown = thrown;
  for (let depth = 0; current instanceof Error && depth < 8; depth += 1) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string' && /^(?:E[A-Z_]+|UND_ERR_\w+|CERT_\w+|\w+_CERT\w*)$/.test(code)) return code;
    const inner = current instanceof AggregateError ? current.errors[0] : undefined;
    current = current.cause ?? inner;
  }
  return undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
