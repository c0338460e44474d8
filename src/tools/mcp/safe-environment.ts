// What a child process needs of its surroundings, and no more: a server that was given no token should not find one.

const names = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

/** Picks the harmless ones. Shell functions, which some shells export as variables, are left out. */
export function selectSafeEnvironment(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const isSafe = names.includes(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name);
    if (isSafe && value !== undefined && !value.startsWith('()')) selected[name] = value;
  }
  return selected;
}
