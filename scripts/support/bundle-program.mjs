// Bundles the command line: everything of ours in one file that is read at once, since each further file costs more than it saves; what
// it loads lazily stays lazy inside of it. Heavy packages stay outside, in files of their own that are loaded by who needs them.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { inRoot, root } from './root.mjs';

const shebang = '#!/usr/bin/env node\n';
const heavy = /^(?:@ai-sdk|@modelcontextprotocol)\//;
/** What draws the terminal application: a file of ours that goes outside together with ink and react. */
const drawing = /\/components\/mount-app\.tsx$/;

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
};

export async function bundleProgram(outdir) {
  const { build } = await import('esbuild');
  try {
    const packages = new Map();
    const program = await bundleCore(build, packages);
    if (packages.size > 0) await bundlePackages(build, packages, path.join(outdir, 'packages'));
    writeProgram(outdir, program);
    return true;
  } catch (error) {
    // What esbuild finds it tells itself.
    if (!Array.isArray(error.errors)) throw error;
    return false;
  }
}

async function bundleCore(build, packages) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    write: false,
    format: 'cjs',
    define: { 'import.meta.url': 'continuoUrl', 'import.meta.resolve': 'continuoResolve' },
    plugins: [keepOutside(packages), fromNode],
  });
  const program = outputFiles[0].text.replace(/^#!.*\n/, '').replace(/__toESM\((require_\w+\(\)),1\)/g, 'continuoOnce($1)');
  // A script cannot import by itself: the launcher does it.
  return program.replaceAll('import("./packages/', 'continuoImport("./packages/') + onceText;
}

/** Every file that imports a module of Node would copy the names of all that is in it; one copy serves them all. */
const onceText = `
function continuoOnce(module) {
  const copies = (continuoOnce.copies ??= new Map());
  if (!copies.has(module)) copies.set(module, __toESM(module, 1));
  return copies.get(module);
}
`;

async function bundlePackages(build, packages, outdir) {
  await build({
    ...common,
    entryPoints: [...packages].map(([name, out]) => ({ in: name, out })),
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    format: 'esm',
    // React has a slow half for those who look for mistakes; ink looks for its tools only where somebody has them.
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react-devtools-core'],
    // CommonJS packages inside the bundle ask for Node's own modules by require().
    banner: {
      js: "import { createRequire as continuoRequire } from 'node:module'; const require = continuoRequire(import.meta.url);",
    },
  });
}

function writeProgram(outdir, program) {
  const text = `(function (require, continuoUrl, continuoResolve, continuoImport) {${inAscii(program)}\n})`;
  const build = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const launcher = readFileSync(inRoot('scripts/support/launcher.cjs'), 'utf8').replace('{build}', build);
  const main = path.join(outdir, 'main.js');
  mkdirSync(outdir, { recursive: true });
  writeFileSync(path.join(outdir, 'program.cjs'), text);
  writeFileSync(path.join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(main, shebang + launcher);
  chmodSync(main, 0o755);
}

/**
 * A file of ASCII alone is read without decoding, and takes half of the memory. esbuild escapes what stands in strings; what it leaves is
 * in regular expressions, where the escape means the same.
 */
function inAscii(program) {
  return program.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An esbuild plugin: heavy packages are imported from files beside the program. */
function keepOutside(packages) {
  return {
    name: 'keep-outside',
    setup(build) {
      build.onResolve({ filter: drawing }, ({ path: name, resolveDir }) => {
        packages.set(path.resolve(resolveDir, name), 'terminal-application');
        return { path: './packages/terminal-application.mjs', external: true };
      });
      build.onResolve({ filter: heavy }, ({ path: name, kind, importer }) => {
        if (kind !== 'dynamic-import') return { errors: [{ text: `${importer} must import ${name} lazily` }] };
        const out = name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');
        packages.set(name, out);
        return { path: `./packages/${out}.mjs`, external: true };
      });
    },
  };
}

/**
 * An esbuild plugin: what comes from Node is asked for when the file that needs it is, and in the cheap way: an import would touch every
 * getter of a module, and half of Node's streams with them. Of packages with native parts only those parts stay outside.
 */
const fromNode = {
  name: 'from-node',
  setup(build) {
    const namespace = 'from-node';
    build.onResolve({ filter: /^(?:node:|bindings$)/ }, ({ path: name, importer }) => {
      // It starts other programs for commands we have none of.
      const isUnused = name === 'node:child_process' && importer.includes('/commander/');
      return { path: isUnused ? `lazy ${name}` : name, namespace };
    });
    build.onResolve({ filter: builtin }, ({ path: name }) => ({ path: `node:${name}`, namespace }));
    build.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({ contents: moduleText(name) }));
    build.onResolve({ filter: /^(?:sqlite-vec|better-sqlite3-multiple-ciphers)$/ }, ({ path: name }) => ({
      path: inRoot('node_modules', name, name === 'sqlite-vec' ? 'index.cjs' : 'lib/index.js'),
    }));
  },
};

const builtin = new RegExp(`^(?:${builtinModules.filter((name) => /^[a-z]/.test(name)).join('|')})$`);

function moduleText(name) {
  if (name === 'bindings') return nativeText;
  const lazy = name.startsWith('lazy ');
  const get = `process.getBuiltinModule(${JSON.stringify(name.replace('lazy ', ''))})`;
  return `module.exports = ${lazy ? `{ spawn: (...given) => ${get}.spawn(...given) }` : get};`;
}

/** Where it is built or put by the installation; elsewhere it is looked for as the package itself does. */
const nativeText = `
module.exports = (name) => {
  try {
    return require('better-sqlite3-multiple-ciphers/build/Release/' + name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    const own = require.resolve(['better-sqlite3-multiple-ciphers', 'package.json'].join('/'));
    return process.getBuiltinModule('node:module').createRequire(own)('bindings')({ bindings: name, module_root: require('node:path').dirname(own) });
  }
};
`;
