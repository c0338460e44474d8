/**
 * Reads the licence files inside the downloaded packages and names those that contradict the licence their manifest
 * declares: copyleft, share-alike or commercial terms. Usage: node collect/verify.mjs; exits 1 when there are any.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tarballPath } from './download.mjs';
import { filesOf } from './tarball.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FORBIDDEN =
  /GNU (?:AFFERO|LESSER|LIBRARY|GENERAL)|Mozilla Public License|ShareAlike|Share-Alike|NonCommercial|Commons Clause|Business Source|Elastic License|Server Side Public|Community License|Commercial License|following additional conditions|all rights reserved\.?\s*(?:no part|unauthor)/i;

let wrong = 0;
for (const source of JSON.parse(readFileSync(`${ROOT}sources.json`, 'utf8')).packages) {
  for await (const { body } of filesOf(tarballPath(`${ROOT}work/packages`, source), (path) =>
    /^(?:licen[cs]e|copying)[^/]*$/i.test(path),
  )) {
    const found = FORBIDDEN.exec(body.toString('utf8'));
    if (found && !/ OR /.test(source.licence)) {
      wrong++;
      process.stdout.write(`${source.name}\t${source.licence}\t${found[0]}\n`);
    }
  }
}
process.exitCode = wrong ? 1 : 0;
