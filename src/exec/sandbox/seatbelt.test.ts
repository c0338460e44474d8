// Only the text of the profile is tested here; what macOS makes of it takes a Mac.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createSeatbelt } from './seatbelt.ts';

it('the profile holds the whole policy', () => {
  const home = realpathSync(createTemporaryFolder('home'));
  const project = join(home, 'a "b" \\ 中');
  mkdirSync(join(project, '.git/hooks'), { recursive: true });
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(project, '.git/config'), '');
  const seatbelt = createSeatbelt({ program: '/usr/bin/sandbox-exec', home, temporary: '/private/var/folders/x' });
  const quoted = join(home, 'a \\"b\\" \\\\ 中');
  const profile = (network: boolean) => [
    '(version 1)',
    '(allow default)',
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    '(deny file-write*)',
    `(allow file-write* (subpath "/tmp") (subpath "/var/tmp") (subpath "/private/var/folders/x") (subpath "${quoted}"))`,
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr") (literal "/dev/dtracehelper"))',
    '(allow file-write-data (subpath "/dev/fd"))',
    `(deny file-write* (subpath "${quoted}/.git/config") (subpath "${quoted}/.git/hooks") (literal "${quoted}/.git"))`,
    `(deny file-read* file-write* (subpath "${home}/.ssh"))`,
    ...(network ? [] : ['(deny network*)']),
    '',
  ];
  for (const network of [false, true]) {
    const line = seatbelt.wrap(['sh', '-c', 'true'], { cwd: project, writable: [project], network });
    expect([line[0], line[1], line[2]?.split('\n'), ...line.slice(3)]).toEqual([
      '/usr/bin/sandbox-exec',
      '-p',
      profile(network),
      'sh',
      '-c',
      'true',
    ]);
  }
});
