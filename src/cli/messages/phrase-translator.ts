// Puts whole phrases into another language: `{name}` stands for a part that varies and is kept, `{reason}` for one that is a phrase itself.

/** What is not listed stays as it is. */
export function createTranslator(phrases: Readonly<Record<string, string>>): (text: string) => string {
  const patterns = Object.entries(phrases).map(([from, to]) => ({ pattern: toPattern(from), to }));
  const translate = (text: string): string => {
    for (const { pattern, to } of patterns) {
      const found = pattern.exec(text);
      if (!found) continue;
      return to.replace(/\{(\w+)\}/g, (_, name: string) => {
        const part = found.groups?.[name] ?? '';
        return name === 'reason' ? translate(part) : part;
      });
    }
    return text;
  };
  return translate;
}

function toPattern(phrase: string): RegExp {
  const source = phrase.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  return new RegExp(`^${source}$`, 's');
}
