// From the names in a `[NEXT: …]` marker to members. A member answers to its id, its name and its display name, in any case and any
// width; what nobody answers to is told and passed over.

export interface Addressable {
  id: string;
  name: string;
  displayName: string;
}

export interface ResolvedNames {
  /** Ids in the order they were named, each once. */
  ids: string[];
  /** As written. */
  unknown: string[];
}

const separators = /[,，、;；|]|\s+(?:and|和)\s+/giu;

export function resolveNames(written: readonly string[], members: readonly Addressable[]): ResolvedNames {
  const byName = indexMembers(members);
  const ids = new Set<string>();
  const unknown = new Set<string>();
  for (const content of written) {
    // A display name may hold a comma: the whole is tried before its parts.
    const whole = byName.get(plainName(content));
    const names = whole === undefined ? content.split(separators) : [content];
    for (const name of names) {
      const plain = plainName(name);
      if (plain === '') continue;
      const id = byName.get(plain);
      if (id === undefined) unknown.add(name.trim());
      else ids.add(id);
    }
  }
  return { ids: [...ids], unknown: [...unknown] };
}

/** Ids come before names and names before display names, where one member's id is another's name. */
function indexMembers(members: readonly Addressable[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const field of ['id', 'name', 'displayName'] as const) {
    for (const member of members) {
      const plain = plainName(member[field]);
      if (!byName.has(plain)) byName.set(plain, member.id);
    }
  }
  return byName;
}

/** As names are compared: without marks around them, in any case and any width. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .trim()
    .replace(/^@/, '')
    .replace(/^[*_`"'“‘「]+|[*_`"'”’」]+$/gu, '')
    .trim()
    .toLocaleLowerCase('en');
}
