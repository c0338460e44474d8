// The variables an agent program is given: what every program needs, its own, and those the team file names. A token of another
// program is not among them.

const common = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TERM TMPDIR TMP TEMP TZ LANG LANGUAGE NO_COLOR',
    'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
    'APPDATA LOCALAPPDATA HOMEDRIVE HOMEPATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE',
  ].flatMap((names) => names.split(' ')),
);

export function selectProgramEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  beginnings: readonly string[],
  named: readonly string[],
): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    // Some shells export functions as variables.
    if (value === undefined || value.startsWith('()')) continue;
    const isOwn = beginnings.some((beginning) => name.startsWith(beginning)) || named.includes(name);
    if (isOwn || common.has(name.toUpperCase()) || /^LC_[A-Z]+$/.test(name)) selected[name] = value;
  }
  return selected;
}
