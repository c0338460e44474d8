// Writes words as a shell command that runs exactly these words, whatever is in them.

/** A word that stands for itself is left as it is, for whoever reads the command before allowing it. */
export function formatCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

export function quoteWord(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const plain = /^[\w@+:,./-]+$/;
