// A process without file handles to spare.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { campaignScale } from '../support/campaign.ts';
import { bundleProgram, Child } from '../support/child-program.ts';
import { needs } from '../support/require-system.ts';
import { subjectNames } from '../support/store-subjects.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import type { FileHandlesInput, FileHandlesLine } from './file-handles-child.ts';

const canRun = needs(process.platform !== 'win32', 'a system with ulimit');
const leaving = campaignScale >= 10 ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16] : [0, 1, 2, 4];

describe.runIf(canRun)('no free file handles', () => {
  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(new URL('file-handles-child.ts', import.meta.url));
  });

  it.each(subjectNames)(
    '%s: refuses with too-many-files, keeps what was there, and goes on when there are some again',
    async (subject) => {
      const folder = join(createTemporaryFolder('handles'), 'stores');
      const wrapper = ['sh', '-c', 'ulimit -n 160; exec "$@"', 'sh'];
      const child = new Child<FileHandlesLine>(program, { subject, folder, leaving } satisfies FileHandlesInput, { wrapper });
      const lines = await child.finish();
      expect(lines.map((line) => line.leaving)).toEqual(leaving);
      for (const { codes } of lines) {
        expect(Object.entries(codes).filter(([, code]) => code !== 'fine' && code !== 'too-many-files')).toEqual([]);
      }
      expect(lines[0]?.codes).toMatchObject({ open: 'too-many-files', openNew: 'too-many-files', backup: 'too-many-files' });
    },
  );
});
