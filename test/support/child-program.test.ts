import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { bundleProgram, Child } from './child-program.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

it('tells of an error where it is in the source', async () => {
  const file = join(createTemporaryFolder('child'), 'failing.ts');
  writeFileSync(
    file,
    `interface Nothing {}\n\nfunction fail(nothing: Nothing): never {\n  throw new Error(\`not \${nothing}\`);\n}\n\nfail('this');\n`,
  );
  const child = new Child(await bundleProgram(pathToFileURL(file)), {});
  await expect(child.finish()).rejects.toThrow(/^The child ended with 1: /);
  expect(child.errors).toMatch(/Error: not this\n/);
  expect(child.errors).toContain(`at fail (file://${file}:4:9)\n`);
  expect(child.errors).toContain(`${file}:7:1\n`);
});
