// What the index keeps of one file: nothing of its text but names, lines and the words people wrote in it.

export type SymbolKind = 'function' | 'class' | 'interface' | 'type' | 'enum' | 'method' | 'constant' | 'module' | 'heading';

export interface CodeSymbol {
  name: string;
  kind: SymbolKind;
  /** Counted from 1. */
  line: number;
  /** Other files can use it. */
  exported: boolean;
  /** The class, interface or type it is a part of. */
  container?: string;
}

export interface ImportStatement {
  /** What the source says: `./a.js`, `pkg.module`, `crate::a::b`. */
  specifier: string;
  line: number;
  /** The names it takes over; `*` for all of them. None where the language does not say. */
  names: string[];
  /** In languages with several ways to say it. */
  form?: 'module' | 'from' | 'declared-module' | 'system';
}

/** What a scanner finds in the text of a file. */
export interface ScannedFile {
  symbols: CodeSymbol[];
  imports: ImportStatement[];
  /** The package the file says it belongs to, in languages where it does. */
  packageName?: string;
  /** Names used in the code, in languages where files of one package see each other without an import. */
  uses?: string[];
  /** Comments, and strings that are not plain ASCII: what people say about the code. */
  words: string;
}

export interface FileRecord extends ScannedFile {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  size: number;
  /** Changes whenever the file may have changed. */
  stamp: string;
  language?: string;
  /** Why nothing of it was read. */
  skipped?: SkipReason;
}

export type SkipReason = 'large' | 'binary' | 'secret' | 'link' | 'unreadable';

export interface LanguageScanner {
  language: string;
  extensions: readonly string[];
  scan(text: string): ScannedFile;
}
