import type { Context } from '../../context.ts';
export async function installServer(_context: Context, _name: string | undefined, _options: object): Promise<number> {
  return 0;
}
