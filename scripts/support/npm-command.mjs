// How npm is called from a script: the npm that called the script where there is one, and said nothing of audits and funding.

export function npmCommand(args) {
  const options = ['--no-audit', '--no-fund', '--loglevel=warn'];
  const viaNode = process.env.npm_execpath?.endsWith('npm-cli.js');
  const command = viaNode ? process.execPath : process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return [command, [...(viaNode ? [process.env.npm_execpath] : []), ...args, ...options]];
}
