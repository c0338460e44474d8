// Which scanner reads a file, by the end of its name.
import type { LanguageScanner } from '../file-record.ts';
import { cFamily } from './c-family.ts';
import { component } from './component.ts';
import { go } from './go.ts';
import { java, kotlin } from './jvm.ts';
import { plainText } from './plain-text.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';
import { typescript } from './typescript.ts';

const scanners: ReadonlyMap<string, LanguageScanner> = new Map(
  [typescript, python, go, rust, java, kotlin, cFamily, component, plainText].flatMap((scanner) =>
    scanner.extensions.map((extension): [string, LanguageScanner] => [extension, scanner]),
  ),
);

const plainNames = new Set(['readme', 'makefile', 'dockerfile', 'license', 'changelog', 'justfile', 'procfile']);

/** Written by programs: nobody's words. */
const generated = /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$|\.min\.(?:js|css)$/;

/** Undefined for what is not read: pictures, archives, generated data. */
export function findScanner(path: string): LanguageScanner | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (generated.test(name)) return undefined;
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return plainNames.has(name) ? plainText : undefined;
  return scanners.get(name.slice(dot + 1));
}

export function isCode(path: string): boolean {
  const scanner = findScanner(path);
  return scanner !== undefined && scanner !== plainText;
}
