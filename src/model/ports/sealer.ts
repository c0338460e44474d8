// Sealing of single lines, for drivers whose files are not encrypted as a whole.

export interface Sealer {
  /** Encrypts and authenticates one piece of text; the result is one line of printable ASCII. */
  seal(text: string): string;
  /** The text again; throws `wrong-key` or `store-damaged` where the line was not sealed with this key or was changed. */
  unseal(line: string): string;
  /** A name for the given text that is always the same, gives nothing of it away and is safe as a file name. */
  fingerprint(text: string): string;
}
