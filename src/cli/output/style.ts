// Colours and weight of text, or nothing of the kind where they are not wanted.

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
}

export function createStyle(isColored: boolean): Style {
  const paint = (on: number, off: number): Paint =>
    isColored ? (text) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`) : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  };
}

/**
 * Whether to colour what goes to a stream. A flag decides before NO_COLOR and FORCE_COLOR (no-color.org), those before the setting,
 * and where nothing is said terminals get colour and files do not.
 */
export function wantsColor(choice: ColorChoice, env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (choice.flag !== undefined) return choice.flag;
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (choice.setting !== 'auto') return choice.setting === 'always';
  return isTerminal && env.TERM !== 'dumb';
}

export interface ColorChoice {
  flag: boolean | undefined;
  setting: 'auto' | 'always' | 'never';
}
