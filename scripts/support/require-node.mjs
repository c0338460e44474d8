// Refuses, in words, a Node.js that is too old. Imported before anything else, so it keeps to syntax that old versions can read.
import { readFileSync } from 'node:fs';

const packageUrl = new URL('../../package.json', import.meta.url);
const minimum = JSON.parse(readFileSync(packageUrl, 'utf8')).engines.node.replace(/[^0-9.]/g, '');

if (!isAtLeast(process.versions.node, minimum)) {
  process.stderr.write(
    `Continuo needs Node.js ${minimum} or newer; this is ${process.version}. Install a current one from https://nodejs.org\n` +
      'or with your version manager, for example: nvm install 22\n' +
      `Continuo 需要 Node.js ${minimum} 或更新版本；当前为 ${process.version}。请从 https://nodejs.org 安装，\n` +
      '或使用版本管理器，例如：nvm install 22\n',
  );
  process.exit(1);
}

function isAtLeast(found, wanted) {
  const foundParts = found.split('.').map(Number);
  const wantedParts = wanted.split('.').map(Number);
  for (let i = 0; i < wantedParts.length; i++) {
    if (foundParts[i] !== wantedParts[i]) return foundParts[i] > wantedParts[i];
  }
  return true;
}
