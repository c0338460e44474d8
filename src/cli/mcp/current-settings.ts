// The settings in force now, for a program that lives longer than they do: which projects are private is read again whenever the file has
// changed. The other settings stay as they were when the program started. A mistake in the file is thrown, never read past.
import { stat } from 'node:fs/promises';
import { configPath, loadConfigFile } from '../../config/config-file.ts';
import type { Config } from '../../config/load-config.ts';
import type { Context } from '../context.ts';

const name = 'recall.private_projects';

export class CurrentSettings {
  /** Changes with the file. */
  stamp: string | undefined;
  readonly #context: Context;
  #current: Context;

  constructor(context: Context) {
    this.#context = context;
    this.#current = context;
  }

  async load(): Promise<Context> {
    const base = this.#context.config();
    // The environment has the last word, and cannot change.
    if (base[name].origin.from === 'environment') return this.#context;
    const path = configPath(this.#context.home);
    const stamp = await describeFile(path);
    if (stamp === this.stamp) return this.#current;
    const { [name]: written } = await loadConfigFile(path);
    const value = (written?.value ?? []) as readonly string[];
    const config: Config = { ...base, [name]: { ...base[name], value } };
    this.#current = { ...this.#context, config: () => config };
    this.stamp = stamp;
    return this.#current;
  }
}

async function describeFile(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ ino, size, mtimeNs }) => `${ino}:${size}:${mtimeNs}`,
    () => 'none',
  );
}
