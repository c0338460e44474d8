// JSON that is safe to print: what a terminal could obey is written as \uXXXX. The value stays the same.

export function safeJson(value: unknown, indent = 0): string {
  return escapeObeyed(JSON.stringify(value, null, indent));
}

/** The same for text that is JSON already. */
export function escapeObeyed(json: string): string {
  return json.replace(obeyed, escaped);
}

// JSON.stringify takes care of what is below U+0020. Elsewhere than in strings JSON has none of these.
const obeyed = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
