// An esbuild plugin: packages get a copy of zod of their own. Ours is used in small parts and bundled without the rest; theirs is used
// whole (its locales and all), and in one common copy every command would load that.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const copy = '?packages';

export const separateZod = {
  name: 'separate-zod',
  setup(build) {
    build.onResolve({ filter: /^zod(?:\/|$)/ }, async ({ path: name, importer, resolveDir, kind, pluginData }) => {
      const isOurs = !importer.split(path.sep).includes('node_modules');
      if (isOurs || pluginData?.isResolving) return undefined;
      return resolveCopy(name, { resolveDir, kind });
    });
    build.onResolve({ filter: /^\./ }, async ({ path: name, resolveDir, kind, pluginData }) => {
      if (!pluginData?.isCopy || pluginData.isResolving) return undefined;
      return resolveCopy(name, { resolveDir, kind });
    });
    build.onLoad({ filter: /[\\/]zod[\\/]/ }, async ({ path: file, suffix }) => {
      if (suffix !== copy) return undefined;
      return {
        contents: await readFile(file, 'utf8'),
        loader: 'js',
        resolveDir: path.dirname(file),
        pluginData: { isCopy: true },
      };
    });

    async function resolveCopy(name, where) {
      const found = await build.resolve(name, { ...where, pluginData: { isResolving: true } });
      if (found.errors.length > 0) return { errors: found.errors };
      return { path: found.path, suffix: copy, sideEffects: found.sideEffects };
    }
  },
};
