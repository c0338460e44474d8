// Names of files that nobody should read or change without a person looking at it, whatever the rules say.

/** Why a path, given as its segments, is always asked about; undefined where it is not. */
export function findSecretPlace(segments: readonly string[]): string | undefined {
  // File systems that ignore case open .GIT as .git; GIT~1 is its short name on Windows.
  const names = segments.map((segment) => segment.toLowerCase().replace(/[. ]+$/, ''));
  if (names.some((name) => name === '.git' || name === 'git~1')) return 'this is inside .git, where a change can run code';
  if (names.includes('.continuo')) return 'this is inside .continuo, where conversations are kept';
  if (names.some((name) => secretFolders.has(name)) || secretName.test(names.at(-1) ?? '')) {
    return 'this file often holds secrets';
  }
  return undefined;
}

const secretFolders = new Set(['.ssh', '.gnupg', '.aws', '.kube']);

const secretName = new RegExp(
  [
    '^\\.env',
    '^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$',
    '\\.(?:pem|key|p12|pfx|pkcs12|p8|ppk|jks|keystore|kdbx)$',
    '^[._](?:netrc|pgpass|git-credentials|npmrc|pypirc|htpasswd)$',
    '^\\.?(?:credentials|secrets?)(?:\\.(?:json|ya?ml|toml|ini))?$',
  ].join('|'),
);
