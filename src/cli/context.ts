// What every command is given: the words to speak, the streams to write to, the home to look in and the settings in force.
import type { Config } from '../config/load-config.ts';
import type { Cleanups } from './cleanups.ts';
import type { GlobalFlags } from './global-flags.ts';
import type { Messages } from './messages/messages.ts';
import type { Output } from './output/output.ts';
import type { Style } from './output/style.ts';

export interface Context {
  /** The folder that holds the store, absolute. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: GlobalFlags;
  readonly text: Messages;
  readonly style: Style;
  readonly output: Output;
  readonly terminal: Terminal;
  readonly cleanups: Cleanups;
  /** The settings in force. Throws where the file or the environment holds a mistake. */
  config(): Config;
  now(): number;
}

export interface Terminal {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  /** Columns of the output, where it has any. */
  columns: number | undefined;
}
