// npm run docs: writes the pages that are made from the source. With --check nothing is written and a page that differs fails.
import './support/require-node.mjs';
import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './support/install.mjs';
import { readIfPresent } from './support/read-if-present.mjs';
import { inRoot } from './support/root.mjs';
import { stepsOrExit } from './support/steps-or-exit.mjs';

await stepsOrExit(ensureInstalled);
const { errorMessages } = await importSource('src/model/error-codes.ts');
const { renderReference } = await importSource('src/cli/reference.ts');
const pages = [
  { file: 'docs/errors.md', text: formatErrorsPage(errorMessages) },
  { file: 'docs/cli.md', text: await renderReference() },
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

/** The source as a module; bundled beside the installed packages, so that those are found. */
async function importSource(file) {
  const { build } = await import('esbuild');
  const outfile = inRoot('node_modules/.cache/docs', `${file.replaceAll('/', '-')}-${process.pid}.mjs`);
  await build({
    entryPoints: [inRoot(file)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
