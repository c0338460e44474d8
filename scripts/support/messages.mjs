// What the scripts say to people, in English and Chinese, chosen by the locale.

const messages = {
  en: {
    installing: 'Installing dependencies (first run only, compiles SQLite, up to 3 minutes)…',
    updating: 'Updating dependencies…',
    compiling: 'Compiling SQLite for this version of Node.js (up to 3 minutes)…',
    building: 'Building…',
    waiting: 'Another process is installing or building here; waiting for it…',
    failed: 'That did not work. Its whole output:',
    installHint:
      'Check the network connection. SQLite is compiled where no ready-made binary can be fetched, which needs Python 3, make and\n' +
      'a C++ compiler (Debian, Ubuntu: apt-get install python3 make g++ · macOS: xcode-select --install). Then try again.',
    sqliteHint:
      'SQLite was installed but does not load. If npm is set to ignore install scripts (npm config get ignore-scripts), run:\n' +
      '  npm rebuild better-sqlite3-multiple-ciphers --ignore-scripts=false',
  },
  zh: {
    installing: '正在安装依赖（仅首次运行，需编译 SQLite，最多约 3 分钟）……',
    updating: '正在更新依赖……',
    compiling: '正在为当前 Node.js 版本编译 SQLite（最多约 3 分钟）……',
    building: '正在构建……',
    waiting: '另一个进程正在此处安装或构建，等待其完成……',
    failed: '操作失败，完整输出如下：',
    installHint:
      '请检查网络连接。无法下载预编译的 SQLite 时会在本机编译，需要 Python 3、make 和 C++ 编译器\n' +
      '（Debian、Ubuntu：apt-get install python3 make g++ · macOS：xcode-select --install）。然后重试。',
    sqliteHint:
      'SQLite 已安装但无法加载。如果 npm 被设置为忽略安装脚本（npm config get ignore-scripts），请运行：\n' +
      '  npm rebuild better-sqlite3-multiple-ciphers --ignore-scripts=false',
  },
};

export function message(name) {
  return messages[locale().toLowerCase().startsWith('zh') ? 'zh' : 'en'][name];
}

function locale() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  return LC_ALL || LC_MESSAGES || LANG || Intl.DateTimeFormat().resolvedOptions().locale;
}
