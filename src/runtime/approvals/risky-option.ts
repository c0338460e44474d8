// Options that name a program to run, a place to take settings from or a file to write, of programs that also understand them
// shortened: git and npm take any beginning of a long option that fits. A rule for a command's beginning does not speak for them.

const packageManager = [
  'call editor git globalconfig init-module local-prefix location node-options onload-script prefix script-shell shell shell-emulator',
  'userconfig viewer config use-yarnrc cwd dir modules-dir store-dir global-dir rcfile npm-path pnpmfile global-pnpmfile',
];

const riskyOptions: Readonly<Record<string, readonly string[]>> = {
  git: split('config-env exec exec-path ext-diff extcmd open-files-in-pager output receive-pack template textconv upload-pack'),
  npm: split(packageManager.join(' ')),
  pnpm: split(packageManager.join(' ')),
  yarn: split(packageManager.join(' ')),
};

/** Whether a command has such an option, whole or shortened. What stands after `--` is no option. */
export function hasRiskyOption([program = '', ...rest]: readonly string[]): boolean {
  const names = riskyOptions[program.slice(program.lastIndexOf('/') + 1)];
  if (!names) return false;
  const end = rest.indexOf('--');
  return (end < 0 ? rest : rest.slice(0, end)).some((word) => isRisky(word, names));
}

function isRisky(word: string, names: readonly string[]): boolean {
  // npm takes long options with one dash too, and settings of settings (--config.script-shell).
  const given = /^--?(?:no-)?([a-z][a-z-]+|(?<=--)[a-z])/i.exec(word)?.[1]?.toLowerCase();
  return given !== undefined && names.some((name) => name.startsWith(given));
}

function split(text: string): string[] {
  return text.split(' ');
}
