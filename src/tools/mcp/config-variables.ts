// Puts variables into texts of a configuration: ${NAME} and ${NAME:-default}. What was put in is not looked at again, so that a
// value that happens to hold such a form stays as it is. An empty variable counts as set, except where there is a default.

const form = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
  onMissing: (name: string) => never,
): string {
  return text.replace(form, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return fallback === undefined ? (value ?? onMissing(name)) : value || fallback;
  });
}
