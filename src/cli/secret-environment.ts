// Which environment variables hold secrets, told by their names: what a command finds no trace of, and what no file may hold.

/** A command that a model wrote should find no keys in its surroundings. */
export function withoutSecrets(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(definedOnly(env)).filter(([name]) => !secretName.test(name)));
}

export function secretValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(definedOnly(env))
    .filter(([name, value]) => secretName.test(name) && !isAmount(name, value))
    .map(([, value]) => value);
}

export function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Who an author is, is no secret; what authorizes is one. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH(?!OR(?!I[SZ]))|COOKIE/i;

/** MAX_TOKENS=100000 would mask the number wherever it stands. */
function isAmount(name: string, value: string): boolean {
  return /TOKENS/i.test(name) && /^\d+$/.test(value);
}
