// npm run docs: writes the pages that are made from the source. With --check nothing is written and a page that differs fails.
import './support/require-node.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureInstalled } from './support/install.mjs';
import { readIfPresent } from './support/read-if-present.mjs';
import { inRoot } from './support/root.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

await stepsOrExit(ensureInstalled);
const pages = [
  { file: 'docs/errors.md', text: formatErrorsPage((await importSource('src/model/error-codes.ts')).errorMessages) },
];

for (const { file, text } of pages) {
  const found = readIfPresent(inRoot(file));
  if (found === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} is not what the source says. Run "npm run docs" and commit the result.`);
    process.exitCode = 1;
  } else {
    writeFileSync(inRoot(file), text);
    console.log(`wrote ${file}`);
  }
}

function formatErrorsPage(errorMessages) {
  const rows = Object.entries(errorMessages).map(([code, sentence]) => `| \`${code}\` | ${sentence.replaceAll('|', '\\|')} |`);
  return `<!-- Made from src/model/error-codes.ts by "npm run docs". Do not edit. -->
# Errors

Every error Continuo raises on purpose is a \`ContinuoError\` with a stable \`code\`, typed \`details\` and, where another error led to
it, a \`cause\`. Programs decide by the code; the sentence is for people and may be reworded or translated. Words in braces are
filled in from \`details\`.

\`\`\`ts
import { isContinuoError } from 'continuo';

try {
  await store.append(id, entry);
} catch (error) {
  if (isContinuoError(error, 'conversation-locked')) console.log('busy:', error.details.owner);
  else throw error;
}
\`\`\`

| code | sentence |
|---|---|
${rows.join('\n')}
`;
}

async function importSource(file) {
  const { transform } = await import('esbuild');
  const { code } = await transform(readFileSync(inRoot(file), 'utf8'), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
