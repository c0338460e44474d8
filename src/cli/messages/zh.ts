// 程序用中文说的所有话。
import { chatZh } from './chat-zh.ts';
import { codeZh } from './code-zh.ts';
import { embedderZh } from './embedder-zh.ts';
import { errorsZh } from './errors-zh.ts';
import { helpZh } from './help-zh.ts';
import { mcpZh } from './mcp-zh.ts';
import type { Messages } from './messages.ts';
import { translateReason } from './reasons-zh.ts';
import { recallZh } from './recall-zh.ts';
import { replZh } from './repl-zh.ts';
import { slashZh } from './slash-zh.ts';
import { translateSummary } from './summaries-zh.ts';
import { teamZh } from './team-zh.ts';
import { transcriptsZh } from './transcripts-zh.ts';

const counts = {
  entries: (count: number) => `${count} 条内容`,
  conversations: (count: number) => `${count} 个对话`,
};

/** 到期清理涉及的内容，只说有的部分。 */
function dueParts(conversations: number, entries: number): string {
  const parts = [
    ...(conversations > 0 ? [`回收站里的 ${conversations} 个对话`] : []),
    ...(entries > 0 ? [`${entries} 条内容的文本`] : []),
  ];
  return parts.join('、');
}

export const zh: Messages = {
  language: 'zh',
  help: helpZh,
  errors: errorsZh,
  errorHeading: '错误：',
  standardOutput: '标准输出',
  sentenceGap: '',
  translateReason,
  translateSummary,

  usage: {
    seeHelp: (command) => `用法见 continuo ${command === undefined ? '--help' : `help ${command}`}。`,
    didYouMean: (suggestion) => `是不是想写 ${suggestion}？`,
    missingArgument: (name) => `缺少参数 <${name}>。`,
    optionNeedsValue: (flags) => `选项 ${flags} 需要一个值。`,
    unknownOption: (flag) => `没有选项 ${flag}。`,
    unknownCommand: (name) => `没有命令“${name}”。`,
    tooManyArguments: '参数太多。带空格的文本请用引号括起来。',
    notACount: (flag, value, least) => `${flag} 须为不小于 ${least} 的整数，不能是“${value}”。`,
    tooMany: (flag, most) => `${flag} 最大为 ${most}。`,
    notAMoment: (flag, value) => `${flag} 须为 7d、12h 这样的时长，或 2026-01-31 这样的日期，不能是“${value}”。`,
    notASpan: (flag, value) => `${flag} 须为 90d、12h、30s 这样的时长，不能是“${value}”。`,
    notAChoice: (flag, value, choices) => `${flag} 只能是 ${choices} 之一，不能是“${value}”。`,
    notAPolicy: (value) => `--policy 只能是 full、headers-only、none、ttl:30d 或 ttl:30d:delete，不能是“${value}”。`,
    tooLarge: (most) => `标准输入太大，一条消息最多 ${most}。什么都没有保存，请分成几条。`,
    noText: '没有可以保存的文本。',
    notText: '标准输入不是 UTF-8 文本，保存会使内容走样。',
    onlyForNew: (flags) => `${flags} 只能用于新对话，不能用于接着写已有的对话。`,
    jsonNeedsFile: '使用 --json 时，json 以外的格式须写入文件：-o 文件。',
    keyFileExists: (file) => `${file} 已经存在。请用 --key-file 使用它，或换一个名字。`,
    newKeyNeeded: '加密需要一个新的密钥：在 CONTINUO_PASSPHRASE 里给出新口令，或用 --new-key-file 文件 生成密钥文件。',
    configUsage: {
      list: '用法：continuo config',
      path: '用法：continuo config path',
      get: '用法：continuo config get 设置名',
      set: '用法：continuo config set 设置名 值',
      unset: '用法：continuo config unset 设置名',
    },
  },

  prompts: {
    passphrase: '口令：',
    newPassphrase: '新口令：',
    repeatPassphrase: '再输入一次：',
    notTheSame: '两次输入不一致，什么都没有改动，请重试。',
    tryAgain: '口令不对，请重试。',
    typeText: '请输入文本，在空行按 Ctrl-D 结束。',
  },

  time: {
    justNow: '刚刚',
    minutesAgo: (count) => `${count} 分钟前`,
    hoursAgo: (count) => `${count} 小时前`,
    daysAgo: (count) => `${count} 天前`,
  },

  counts,

  overview: {
    empty: '还没有保存任何对话。',
    onlyTrash: (count) => `除了回收站里的 ${counts.conversations(count)}，没有保存其他内容。`,
    head: (conversations, entries, home) => `${home} 中有 ${counts.conversations(conversations)}，共 ${counts.entries(entries)}`,
    next: '接下来可以：',
    firstSteps: [
      { command: 'continuo chat', means: '开始聊天' },
      { command: 'continuo append "你好"', means: '保存第一条消息' },
      { command: 'continuo list', means: '查看已保存的对话' },
      { command: 'continuo --help', means: '了解其他功能' },
    ],
    nextSteps: (id) => [
      { command: `continuo show ${id}`, means: '阅读最新的对话' },
      { command: `continuo chat --resume ${id}`, means: '接着聊' },
      { command: 'continuo list', means: '查看更多' },
      { command: 'continuo --help', means: '了解其他功能' },
    ],
  },

  list: {
    headings: { id: 'ID', active: '活跃', entries: '条数', agent: '智能体', team: '团队', project: '项目', title: '标题' },
    untitled: '（还没有内容）',
    withheld: '（文本未保留）',
    pinnedMark: '*',
    trashMark: '[回收站]',
    excludedMark: '[不回忆]',
    nothingFound: '没有符合条件的对话。',
    more: (cursor) => `还有更多：--cursor ${cursor}`,
  },

  show: {
    earlier: (upTo, command) => `前面还有内容（至第 ${upTo} 条）：${command}`,
    following: '正在等待新内容，按 Ctrl-C 结束。',
    nothingSaid: '这个对话里还没有内容。',
    onlyEvents: (count) => `（只有 ${count} 个事件，没有文本；用 --full 查看）`,
    pinned: '已置顶',
    agent: (name) => `智能体 ${name}`,
    team: (name) => `团队 ${name}`,
    project: (name) => `项目 ${name}`,
    key: (key) => `键 ${key}`,
    policy: (policy) => `策略 ${policy}`,
    topics: (topics) => `主题：${topics}`,
    excluded: '不参与回忆',
    expired: (from, to) => (from === to ? `（第 ${from} 条已到期删除）` : `（第 ${from} 至 ${to} 条已到期删除）`),
    forkedFrom: (id, seq) => `分支自 ${id} 第 ${seq} 条`,
    inTrash: (until) => `在回收站里，${until} 之前可以恢复。`,
  },

  transcript: {
    roles: { user: '用户', assistant: '助手', system: '系统' },
    thinking: '思考',
    summary: (from, to) => `第 ${from} 至 ${to} 条的摘要`,
    label: '标记',
    failed: '失败',
    interrupted: '（未说完）',
    draft: '（未完成：正在书写，或已中断）',
    withheld: (characters) => `（文本未保留，共 ${characters} 个字符）`,
    masked: (count) => `（已遮盖 ${count} 处敏感信息）`,
  },

  append: {
    savedNew: (id) => `已保存到新对话 ${id}。`,
    saved: (seq, id, name) => `已保存为 ${id}${name === undefined ? '' : `（${name}）`}的第 ${seq} 条。`,
    notKept: (id) => `没有保留任何内容：${id} 的策略是 none。`,
    masked: (count) => `保存前遮盖了 ${count} 处敏感信息。`,
    goOn: (id) => `接着写：continuo append ${id} "…"`,
    quoteText: '如果那是要保存的文本，请用引号把它整个括起来：continuo append "…"',
  },

  ...chatZh,
  ...recallZh,
  ...embedderZh,
  ...replZh,
  ...slashZh,
  ...teamZh,
  ...codeZh,
  ...transcriptsZh,
  ...mcpZh,

  fork: {
    done: (id, origin, seq) => `${id} 与 ${origin} 共享前 ${counts.entries(seq)}。`,
  },

  rename: {
    done: (id, title) => `${id} 的标题现在是“${title}”。`,
    cleared: (id) => `${id} 不再有标题。`,
  },

  tag: {
    now: (id, tags) => `${id} 的标签：${tags}`,
    none: (id) => `${id} 没有标签。`,
  },

  pin: {
    pinned: (id) => `${id} 已置顶。`,
    unpinned: (id) => `${id} 已取消置顶。`,
  },

  trash: {
    done: (id, name, until) => `${id}${name === undefined ? '' : `（${name}）`}已放进回收站，${until} 之前可以恢复。`,
    howBack: (id) => `取回来：continuo restore ${id}`,
  },

  restore: {
    done: (id) => `${id} 已恢复。`,
    wasThere: (id) => `${id} 不在回收站里。`,
  },

  purge: {
    willGo: (count) => `以下 ${count} 个对话将被彻底删除：`,
    question: '确定彻底删除吗？[y/N]',
    done: (count) => `已彻底删除 ${counts.conversations(count)}。`,
    subAgentsStay: (count, ids) =>
      `其子智能体的 ${count} 个对话仍保留。若也要删除，请先运行 continuo trash ${ids}，再运行 continuo purge ${ids}`,
  },

  purgeRecord: {
    fine: (count) => `彻底删除记录可以读取，共 ${count} 条。`,
    damaged: (path, lines) => `无法导入：彻底删除记录 ${path} 已损坏（第 ${lines} 行）。`,
    damagedNext: '请从备份取回该文件，或用 continuo doctor --fix 去掉这些行；它们所代表的会话之后会被重新导入。',
    cut: (path, lines) => `彻底删除记录 ${path} 中有不完整的行（第 ${lines} 行）。若是崩溃所致则无妨。`,
    cutNext:
      '若这里没有发生过崩溃，则该文件已受损，已彻底删除的会话可能被重新导入：请从备份取回。continuo doctor --fix 会去掉这样的行。',
    mended: (count, copy) => `彻底删除记录中有 ${count} 行已修正或去掉。原文件保存在：${copy}`,
    mendedNext: '被去掉的行所代表的会话会被重新导入；如有需要请再次移入回收站并彻底删除。',
    travels: (path, lines) => `彻底删除记录 ${path} 已损坏（第 ${lines} 行），已按原样复制。请运行 continuo doctor 查看`,
  },

  sweep: {
    plan: (conversations, entries) =>
      conversations + entries === 0 ? '没有到期的内容。' : `到期的有：${dueParts(conversations, entries)}。`,
    done: (conversations, entries) => `已清理：${dueParts(conversations, entries)}。`,
    nothing: '没有到期的内容。',
    keptForForks: (count) => `另有 ${counts.conversations(count)}因分支共享其文本而留在回收站里。`,
    postponed: (reason) => `到期的内容留待以后清理：${reason}`,
  },

  stats: {
    home: '位置',
    driver: '存储方式',
    kept: (driver, encrypted) => (encrypted ? `${driver}，已加密` : driver),
    noStore: '尚未建立',
    conversations: '对话',
    ofThem: (all, trashed, pinned) => `${all}（置顶 ${pinned}，回收站 ${trashed}）`,
    entries: '条目',
    size: '占用磁盘',
    byAgent: '按智能体',
    byProject: '按项目',
  },

  export: {
    done: (entries, file, size) => `已将 ${counts.entries(entries)}写入 ${file}（${size}）。`,
    markdown: { id: 'ID', key: '键', created: '创建时间', agent: '智能体', project: '项目', tags: '标签' },
    madeAt: (when) => `由 Continuo 导出于 ${when}。`,
  },

  backup: {
    label: '正在备份',
    verifying: '正在核对',
    restoring: '正在恢复',
    done: (folder, files, size) => `已备份到 ${folder}（${files} 个文件，${size}）。`,
    verified: (conversations, entries) =>
      `已通过恢复来核对：${counts.conversations(conversations)}、${counts.entries(entries)}，全部一致。`,
    howBack: (folder) => `恢复方法：continuo restore-backup ${folder} --home 新文件夹`,
    restored: (home, files, size) => `已恢复到 ${home}（${files} 个文件，${size}）。`,
  },

  compress: {
    label: '正在压缩',
    nothing: '没有可以压缩的内容。',
    done: (entries, before, after) => `已压缩 ${counts.entries(entries)}：${before} 变为 ${after}。`,
  },

  encryption: {
    encrypting: '正在加密',
    decrypting: '正在解密',
    encrypted: (home) => `${home} 的存储现已加密。`,
    decrypted: (home) => `${home} 的存储不再加密。`,
    keepPassphrase: '请妥善保管口令：没有它，任何人都无法再读取这些内容。',
    keepKeyFile: (file) => `请妥善保管 ${file} 并在别处留一份副本：没有它，任何人都无法再读取这些内容。`,
    ignoredPassphrase: '设置了 CONTINUO_PASSPHRASE，但这个存储没有加密，口令没有用到。',
    oldCopies: '之前做的备份保持原样。',
    indexDropped: '下一次搜索会重新建立搜索索引，也可以现在就建立：continuo reindex',
  },

  config: {
    headings: { name: '设置', value: '值', origin: '来源' },
    origins: {
      default: '默认值',
      file: (path, line) => `${path} 第 ${line} 行`,
      environment: (variable) => `环境变量 ${variable}`,
      flag: (flag) => `命令行选项 ${flag}`,
    },
    driverStands: (home, found) =>
      `${home} 的存储方式是 ${found}，不会改变：store.driver 只决定新存储的方式。要用另一种方式，请换一个位置：--home 新文件夹。`,
    keyFileUnfit: (home, kept) =>
      kept === 'plain'
        ? `${home} 的存储没有加密，用不上密钥文件。请先加密：continuo encrypt --new-key-file 文件`
        : `${home} 的存储用口令加密，密钥文件打不开它。请在 CONTINUO_PASSPHRASE 里给出口令。`,
    removeSetting: (name) => `去掉这项设置：continuo config unset ${name}`,
    removeVariable: (variable) => `这是环境变量 ${variable} 要求的，请取消或改正它。`,
    howToSet: (path) => `修改：continuo config set 设置名 值，或直接编辑 ${path}`,
    done: (name, value, path) => `已将 ${name} = ${value} 写入 ${path}`,
    unset: (name) => `${name} 已恢复默认。`,
    wasNotSet: (name) => `文件里没有设置 ${name}。`,
    overridden: (name, origin) => `${name} 目前仍由别处决定：${origin}。`,
    graceApplies: '对已在回收站里的对话同样有效。',
  },

  doctor: {
    verifying: '正在检查',
    seeDoctor: '其余内容仍可读取。全面检查：continuo doctor',
    healthy: '一切正常。',
    sick: (count) => `仍有 ${count} 个问题。`,
    versions: (node, sqlite, system) => `Node.js ${node.replace(/^v/, '')}，SQLite ${sqlite}，${system}`,
    noSqlite: (reason) => `SQLite 无法加载：${reason}`,
    noSqliteNext: '请在 Continuo 的安装目录运行 npm rebuild better-sqlite3-multiple-ciphers。',
    homeFound: (home) => `存储文件夹：${home}`,
    noHome: (home) => `${home} 还不存在。`,
    noHomeNext: '保存第一条消息时会自动建立：continuo append "…"',
    homeUnreadable: (home, reason) => `无法查看存储文件夹 ${home}：${reason}`,
    homeUnreadableNext: '请检查上级文件夹的所有者和权限。',
    homeNoFolder: (home) => `${home} 不是文件夹。`,
    homeNoFolderNext: '请移走那个文件，或用 --home 换一个位置。',
    settingsNext: '请用编辑器改正那一行；存储的内容不受影响。',
    notOpened: '没有检查存储的内容：它已加密，而可能写有密钥的设置读不出来。',
    settingsFine: '设置可以正常读取。',
    permissionsFine: '文件只有你能读取。',
    permissionsLoose: (count, names) => `本机的其他用户能访问 ${count} 个文件或文件夹：${names}`,
    permissionsNext: '收紧权限：continuo doctor --fix',
    permissionsNotOurs: '它们属于其他用户。请更改所有者，或请该用户收紧权限。',
    permissionsFixed: (count) => `已收紧 ${count} 个文件或文件夹的权限。`,
    diskFree: (size) => `磁盘剩余 ${size}。`,
    diskNearlyFull: (size) => `磁盘只剩 ${size}。`,
    diskNext: '请腾出一些空间。在此之前新消息可能存不进去；已保存的内容不受影响。',
    noStore: '文件夹里还没有存储。',
    record: (driver, key) =>
      key === undefined
        ? `存储方式为 ${driver}，未加密。`
        : `存储方式为 ${driver}，用${key === 'passphrase' ? '口令' : '密钥文件'}加密。`,
    damaged: (path, reason) => `${path} 已损坏：${reason}`,
    damagedNext: '请原样保留这些文件，并把备份恢复到新的位置：continuo restore-backup 备份文件夹 --home 新文件夹',
    contentsFine: (conversations, entries) =>
      `已读取 ${counts.conversations(conversations)}、${counts.entries(entries)}，全部完好。`,
    moreProblems: (count) => `此外还有 ${count} 处。`,
    line: (line) => `第 ${line} 行`,
    problems: {
      'torn-tail': {
        message: (where, detail) => `${where}：末尾没有写完（${detail}）。`,
        next: '已确认保存的内容没有丢失，写入下一条消息时会自动整理。',
      },
      'damaged-record': {
        message: (where, detail) => `${where}：其中的内容被改动或已损坏（${detail}）。`,
        next: '其余内容仍可读取。缺少的部分可从备份取回：continuo restore-backup 备份文件夹 --home 新文件夹',
      },
      'missing-entries': {
        message: (where, detail) => `${where}：缺少条目（${detail}）。`,
        next: '可从备份取回：continuo restore-backup 备份文件夹 --home 新文件夹',
      },
      'count-mismatch': {
        message: (where, detail) => `${where}：条目数量与记录不符（${detail}）。`,
        next: '请与备份比对：continuo restore-backup 备份文件夹 --home 新文件夹',
      },
      'file-damaged': {
        message: (where, detail) => `${where}：文件已损坏（${detail}）。`,
        next: '请先把整个存储文件夹复制到安全的地方，再恢复备份：continuo restore-backup 备份文件夹 --home 新文件夹',
      },
      'unexpected-file': {
        message: (where, detail) => `${where}：这个文件不属于存储（${detail}）。`,
        next: '请看看它是什么，不需要就移走。Continuo 不会动它。',
      },
      'loose-permissions': {
        message: (where, detail) => `${where}：本机的其他用户能读取它（${detail}）。`,
        next: '收紧权限：continuo doctor --fix',
      },
    },
    writer: (id, owner, pid, host, seconds) => `${owner}（${host} 上的进程 ${pid}）正在写入 ${id}，至少还要 ${seconds} 秒。`,
    noWriters: '没有程序占用任何对话。',
    nothingDue: '没有到期待清理的内容。',
    due: (conversations, entries) => `到期待清理：${dueParts(conversations, entries)}。`,
    dueNext: '可用 continuo sweep --dry-run 查看；下一条写入类命令会顺带清理。',
  },
};
