import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNetworkRemote, normaliseRemote, repositoryName } from './remote-url.ts';

describe('the address of a remote', () => {
  it('never holds what stands before the host, whatever is in it', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'aZ1:@%?#&=+-._~!$ '), maxLength: 6 });
    const secret = fc.tuple(noise, noise).map(([before, after]) => `${before}S3CR3T${after}`);
    const scheme = fc.constantFrom('https', 'ssh', 'git', 'ftp', 's3', 'HTTP');
    fc.assert(
      fc.property(scheme, secret, secret, (name, user, password) => {
        const urls = [
          `${name}://${user}@host/me/app`,
          `${name}://${user}:${password}@host/me/app`,
          `${user}:${password}@host:me/app`,
        ];
        for (const url of urls) expect(normaliseRemote(url)?.toUpperCase() ?? '').not.toContain('S3CR3T');
      }),
      { numRuns: 1000 },
    );
  });

  const same = 'github.com/me/app';
  it.each([
    'https://github.com/me/app',
    'https://github.com/me/app.git',
    'https://github.com/me/app.git/',
    'http://GitHub.COM:8080//me/app',
    'https://me@github.com/me/app',
    'https://me:pass@word@github.com/me/app.git',
    'https://x-access-token:ghs_0123456789@github.com/me/app',
    'https://github.com/me/app?private_token=abc#part',
    'ssh://git@github.com/me/app.git',
    'ssh://git@github.com:22/me/app.git',
    'ssh://git@ssh.github.com:443/me/app.git',
    'git+ssh://git@github.com/me/app',
    'git://github.com/me/app.git',
    'git@github.com:me/app.git',
    'git@github.com:/me/app.git',
    'github.com:me/app',
    'git@[github.com:22]:me/app.git',
    '  git@github.com:me/app.git\n',
  ])('%j is one of many spellings', (url) => {
    expect(normaliseRemote(url)).toBe(same);
  });

  it.each([
    ['https://github.com/Me/App', 'github.com/Me/App'],
    ['git@host:~me/app', 'host/~me/app'],
    ['https://host/%E9%A1%B9%E7%9B%AE/a%20b.git', 'host/项目/a b'],
    ['https://host/100%/app', 'host/100%/app'],
    ['ssh://git@[2001:DB8::1]:22/app', '[2001:db8::1]/app'],
    ['https://host/@scope/app', 'host/@scope/app'],
    ['file:///srv/git/app.git', '/srv/git/app'],
    ['/srv/git/app/.git', '/srv/git/app'],
    ['/srv/git//x/../app/', '/srv/git/app'],
    ['file:///C:/git/app.git', 'C:\\git\\app'],
    ['C:/git/app.git', 'C:\\git\\app'],
    ['\\\\server\\share\\app.git', '\\\\server\\share\\app'],
  ])('%j is %j', (url, address) => {
    expect(normaliseRemote(url)).toBe(address);
  });

  it.each([
    '',
    'https://github.com',
    'https://github.com/',
    'https://host/../app',
    "ext::sh -c 'touch /tmp/x'",
    'codecommit::eu-west-1://key@app',
    'me:secret@github.com:me/app',
    'https://me:sec/ret@github.com/me/app',
    'https://me:1/secret@github.com/me/app',
    'https://me:1/secret/@github.com/me/app',
    'app',
    '../app',
    `https://host/${'x'.repeat(2000)}`,
    'https://host/a\nb',
  ])('%j is none that may be kept', (url) => {
    expect(normaliseRemote(url)).toBeUndefined();
  });

  it('may be a path from the folder', () => {
    expect(normaliseRemote('../server/app.git', '/home/me/app')).toBe('/home/me/server/app');
  });

  it('is of this machine or of the network, and ends with a name', () => {
    const remotes = ['github.com/me/app', '/srv/app', 'C:\\git\\app', '\\\\server\\share\\app'];
    expect(remotes.map((remote) => [isNetworkRemote(remote), repositoryName(remote)])).toEqual([
      [true, 'app'],
      [false, 'app'],
      [false, 'app'],
      [false, 'app'],
    ]);
  });
});
