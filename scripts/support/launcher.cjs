// Becomes dist/cli/main.js: starts the command line, which lies beside it in one file. Reading that file is most of what a short command
// costs, so what V8 made of it is kept beside it and taken again, as long as it was made by this very Node.js of this very build.
// Kept in the program's own folder only: whoever can write there can change the program itself. Where nobody may, nothing is kept.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const build = '{build}';
const file = path.join(__dirname, 'program.cjs');
const cacheFile = path.join(__dirname, 'program.cache');
/** More commands than there are. */
const mostCommands = 64;
/**
 * fetch() reads HTTP with WebAssembly, which V8 of Node.js 20 optimises after a handful of requests: that costs as much as the rest of a
 * short talk with a model. A hundred times later is soon enough. Others decide by themselves.
 */
const usualWasmBudget = process.versions.v8.startsWith('11.3.') ? 1_800_000 : undefined;

const cache = readCache();
const script = new vm.Script(fs.readFileSync(file, 'latin1'), { filename: file, cachedData: cache?.data });
const command = process.argv.slice(2).find((word) => /^[a-z]{2,16}$/.test(word)) ?? '';
const isKept = cache !== undefined && !script.cachedDataRejected;
// What a command needs is added when it runs for the first time. With other flags V8 makes something else of it, which is not kept.
const commands = isKept ? cache.commands : [];
const isUsual = process.execArgv.length === 0 && !process.env.NODE_OPTIONS;
if (isUsual && !commands.includes(command) && commands.length < mostCommands) process.once('exit', saveCache);

script.runInThisContext()(require, require('node:url').pathToFileURL(file).href, resolve, importPackage);

function resolve(name) {
  return require('node:url').pathToFileURL(require.resolve(name)).href;
}

/** A package outside of the program: what talks to others. */
function importPackage(name) {
  if (isUsual) setWasmBudget(100);
  return import(name);
}

function setWasmBudget(times) {
  if (usualWasmBudget) require('node:v8').setFlagsFromString(`--wasm-tiering-budget=${times * usualWasmBudget}`);
}

/** A line that says whose it is, then the data. */
function readCache() {
  try {
    const content = fs.readFileSync(cacheFile);
    const end = content.indexOf('\n');
    const { owner, commands, hash } = JSON.parse(content.toString('latin1', 0, end));
    const data = content.subarray(end + 1);
    if (owner === ownerHere() && hash === hashOf(data) && Array.isArray(commands)) return { data, commands };
  } catch {
    // Not there yet, or not whole: made anew.
  }
  return undefined;
}

function saveCache() {
  const own = `${cacheFile}.${process.pid}`;
  try {
    fs.accessSync(__dirname, fs.constants.W_OK);
    // The data say which flags they were made with, and are taken with the same ones only.
    setWasmBudget(1);
    const data = script.createCachedData();
    const head = JSON.stringify({ owner: ownerHere(), commands: [...commands, command], hash: hashOf(data) });
    fs.writeFileSync(own, Buffer.concat([Buffer.from(`${head}\n`), data]), { flag: 'wx', mode: 0o644 });
    fs.renameSync(own, cacheFile);
  } catch {
    // It is faster with it, and works without.
    fs.rmSync(own, { force: true });
  }
}

function ownerHere() {
  return [build, process.version, process.arch, process.platform].join();
}

function hashOf(data) {
  return require('node:crypto').createHash('sha256').update(data).digest('hex');
}
