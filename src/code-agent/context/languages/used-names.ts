// The names a file's code holds, each once: to find out which files of a package use each other.

const maxNames = 2000;

export function collectNames(masked: string): string[] {
  const names = new Set<string>();
  for (const [name] of masked.matchAll(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]{2,}/g)) {
    // Of strings only underscores are left.
    if (name.charCodeAt(0) === 0x5f && /^_+$/.test(name)) continue;
    names.add(name);
    if (names.size >= maxNames) break;
  }
  return [...names];
}
