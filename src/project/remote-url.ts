// One spelling for the many ways to write a remote: `host/path`, or an absolute path for a remote on this machine. Names, passwords,
// tokens, ports and queries are gone from it; what cannot be read as an address is dropped, because it may hold a secret.
import { posix, resolve, win32 } from 'node:path';

const maxLength = 1000;
/** Servers that have a second name for ssh on port 443. */
const hostAliases: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/** Undefined where it is no address. A relative path is meant from `base`, and dropped without one. */
export function normaliseRemote(url: string, base?: string): string | undefined {
  const text = url.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (text === '' || text.length > maxLength || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const address = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)?$/i.exec(text);
  if (address) {
    const [, scheme = '', authority = '', path = ''] = address;
    const plainPath = decode(path.replace(/[?#].*$/s, ''));
    return scheme.toLowerCase() === 'file' ? localRemote(plainPath, undefined) : hostRemote(authority, plainPath);
  }
  // `helper::anything` runs a program of that name with the rest as its argument.
  if (/^[\w.+-]+::/.test(text)) return undefined;
  const short = /^((?:[^@/:]*@)?(?:\[[^\]/@]+\]|[^:/@[\]]+)):(.*)$/s.exec(text);
  if (!short || isDrivePath(text)) return localRemote(text, base);
  const [, authority = '', path = ''] = short;
  // `name:password@host:path` is no address for git either, and must not be kept.
  if (/^[^/]*@/.test(path)) return undefined;
  const bracketed = /^([^@]*@)?\[([^\]:]+(?::\d+)?)\]$/.exec(authority);
  return hostRemote(bracketed ? (bracketed[2] as string) : authority, path);
}

/** Whether other machines can know it by the same name. */
export function isNetworkRemote(remote: string): boolean {
  return !isLocalPath(remote);
}

/** The last name in it: what a fork and a moved repository usually keep. */
export function repositoryName(remote: string): string {
  return remote.slice(Math.max(remote.lastIndexOf('/'), remote.lastIndexOf('\\')) + 1);
}

function hostRemote(authority: string, path: string): string | undefined {
  const place = /^(\[[^\]]+\]|[^:]+)(?::\d*)?$/.exec(authority.slice(authority.lastIndexOf('@') + 1));
  const host = place?.[1]?.toLowerCase();
  const rest = stripEnd(path.replace(/\/{2,}/g, '/').replace(/^\//, ''));
  if (host === undefined || rest === '' || rest.split('/').includes('..')) return undefined;
  if (mayHideSecret(rest, authority)) return undefined;
  return `${hostAliases[host] ?? host}/${rest}`;
}

/** A slash in a password ends the host for git, too, and leaves the rest of the password at the beginning of the path. */
function mayHideSecret(path: string, authority: string): boolean {
  return /[^/]@/.test(path) || (path.includes('@') && !authority.includes('@') && authority.includes(':'));
}

function localRemote(path: string, base: string | undefined): string | undefined {
  const drive = /^\/?([A-Za-z]:[\\/].*)$/s.exec(path)?.[1];
  const absolute = drive ?? (isLocalPath(path) ? path : base && resolve(base, path));
  if (!absolute) return undefined;
  const plain = (drive === undefined && !absolute.startsWith('\\') ? posix : win32).normalize(absolute);
  return stripEnd(plain) || undefined;
}

function isLocalPath(text: string): boolean {
  return text.startsWith('/') || text.startsWith('\\\\') || isDrivePath(text);
}

function isDrivePath(text: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(text);
}

/** `app.git`, `app/` and `app/.git` are `app`. */
function stripEnd(path: string): string {
  return path
    .replace(/[\\/]+$/, '')
    .replace(/[\\/]\.git$/, '')
    .replace(/\.git$/, '');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
