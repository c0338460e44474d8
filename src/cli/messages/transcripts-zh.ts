// 关于其他智能体会话的中文用语和帮助。
import type { transcriptsEn, transcriptsHelpEn } from './transcripts-en.ts';

export const transcriptsZh: typeof transcriptsEn = {
  import: {
    label: '正在导入',
    counting: '正在查看',
    between: '、',
    headings: { agent: '智能体', folder: '文件夹', sessions: '会话', size: '大小', fresh: '新', grown: '有新增' },
    nothing: (places) => `以下位置没有找到会话：${places}`,
    nothingSince: (count, when) => `${when} 以来没有变化：现有的 ${count} 个会话都更早。`,
    emptyFolder: (word) => `${word} 里没有找到会话。`,
    archive: (word) => `${word} 是压缩包。请先解压，再导入解压出的文件夹。`,
    taken: ({ created, grown }, entries, messages) =>
      created + grown + entries === 0
        ? '没有新内容。'
        : `${takenOf(created, grown)}：共 ${entries} 条内容，其中 ${messages} 条消息。`,
    wouldTake: (created, grown, entries, messages) =>
      `如果导入，将新建 ${created} 个对话，并为 ${grown} 个对话补充新内容：最多 ${entries} 条内容，其中 ${messages} 条消息。什么都没有写入。`,
    others: (parts) => `未改动：${parts}。`,
    unchanged: (count) => `${count} 个没有变化`,
    nothingSaid: (count) => `${count} 个里没有说过话`,
    inTrash: (count) => `${count} 个的对话在回收站里`,
    purged: (count) => `${count} 个的对话已在这里彻底删除（加 --again 可重新导入）`,
    leftOut: (parts) => `略去：${parts}。`,
    reasons: {
      harness: (count) => `智能体自用的记录 ${count} 条`,
      repeat: (count) => `重复 ${count} 处`,
      empty: (count) => `没有文字的 ${count} 条`,
      unknown: (count) => `未知类型 ${count} 条`,
      broken: (count) => `损坏 ${count} 处`,
      'too-long': (count) => `过长的行 ${count} 行`,
      link: (count) => `链接 ${count} 个`,
      refused: (count) => `无法保存的 ${count} 条`,
    },
    broken: (failed, broken) =>
      failed > 0
        ? `${failed} 个会话读不了${broken > 0 ? `，文件里共有 ${broken} 处读不了` : ''}，其余都已读取：`
        : `有 ${broken} 处读不了，其余都已读取：`,
    faults: { broken: '读不了', 'too-long': '过长', link: '不跟随', refused: '未保存' },
    more: (count) => `……还有 ${count} 处（用 --json 可查看更多）`,
    indexLater: '搜索索引暂时没有跟上，下次搜索时会补上。',
    watching: '正在等待智能体写入新内容，按 Ctrl-C 结束。',
    grew: (at, agent, id, name, entries) => `${at}  ${agent}  ${id}  新增 ${entries} 条  ${name}`,
    watchWrites: '--dry-run 和 --watch 不能同时使用：前者什么都不写，后者一直在写。',
    unknownSource: (word, names) => `“${word}”既不是智能体，也不是文件或文件夹。可选的智能体：${names}。`,
    needsPath: (label) => `${label} 没有固定的文件夹，请指明文件或文件夹：continuo import PATH`,
    unknownFile: (word, names) => `${word} 不是已知智能体的会话文件。请指明会话文件或文件夹，或某个智能体：${names}。`,
    mistaken: (count) => `指明的来源中有 ${count} 个无法使用：`,
  },

  handoff: {
    between: '、',
    question: (name, agent, root) => `把“${name}”写成 ${agent} 的会话，存到 ${root}？[y/N]`,
    done: (entries, agent, files) => `已把 ${entries} 条内容写成 ${agent} 的会话：${files}`,
    lost: (parts) => `无法带过去的内容：${parts}。`,
    kinds: {
      thinking: '思考',
      'tool-call': '编号不合规的调用',
      'tool-result': '找不到对应调用的结果',
      summary: '摘要',
      label: '标签',
      event: '事件',
      'system message': '系统消息',
      withheld: '按策略未保留的文本',
    },
    goOn: '在那里继续：',
    notConfirmed: '什么都没有写入：没有得到确认。如果确实要写，请加 --yes 再运行一次。',
    otherFolder: (gone, folder) => `文件夹 ${gone} 已不存在，将在 ${folder} 中继续。`,
    needsTerminal: '--run 需要在终端里运行。不加它则只写入会话，并显示继续所用的命令。',
    otherRoot: (agent, root) => `${agent} 只在自己的文件夹里找会话：让它把会话保存在 ${root}，才能找到这一个。`,
    notInstalled: (agent, program) => `这里没有找到 ${agent}：PATH 中没有程序 ${program}。`,
  },

  open: {
    notInstalled: (agent, program) =>
      `没有安装 ${agent}：PATH 中没有程序 ${program}。请安装它，或把对话交给别的智能体：continuo handoff ID --to AGENT`,
    needsTerminal: (what) => `${what} 需要在终端里运行。用 continuo open ID --print 可以只显示命令。`,
    notImported: '它不是从某个智能体导入的',
    cannotResume: (agent) => `${agent} 无法自行继续一个会话`,
    folderGone: (folder) => `它的文件夹 ${folder} 已不存在，也没有在别处见过这个项目`,
    handOver: (id) => `说过的话都保存在这里，可以在任何智能体里继续：continuo handoff ${id} --to AGENT`,
    chatOrHandOver: (id) => `可以在这里继续：continuo chat --resume ${id}；或交给别的智能体：continuo handoff ${id} --to AGENT`,
    relink: (id) =>
      `如果项目搬到了别处，请到那里运行：continuo relink --to PROJECT；或在任意文件夹里继续：continuo handoff ${id} --to AGENT`,
    moved: (from, to, agent, handoff) => `项目已从 ${from} 移到 ${to}。如果 ${agent} 在那里找不到会话，请运行：${handoff}`,
    parentOpened: (id) => `这是子智能体的记录，将打开它所属的会话：${id}`,
  },

  subAgents: {
    mark: '[子智能体]',
    of: (id) => `${id} 的子智能体`,
    hidden: (count) => `未显示 ${count} 个子智能体的对话：加 --all 可显示`,
  },
};

export const transcriptsHelpZh: typeof transcriptsHelpEn = {
  import: {
    summary: '导入其他智能体的会话',
    description:
      '找出 Claude Code、Codex、Gemini CLI 等智能体保存在本机的会话，列出所找到的内容，并把每个会话变成一个对话：说过的话、思考、调用与结果，连同地点和时间。可以反复运行：会话增长了，这里也随之增长；不会重复；智能体删除的，这里仍然保留。智能体自用的记录会略去。读不了的文件会列出来，不影响其余内容（退出码 5）。子智能体各成一个对话，列表中默认不显示（list --all 可显示）。',
    arguments: { sources: 'all（默认）、某个智能体（claude-code、codex 等），或文件和文件夹' },
    options: {
      dryRun: '只说明会导入什么',
      again: '把已在这里彻底删除的会话也重新导入',
      watch: '智能体写入时持续导入，直到按 Ctrl-C',
      since: '只导入此后有变化的会话：7d、12h，或 2026-01-31 这样的日期',
    },
    examples: [
      { command: 'continuo import', means: '导入所有已安装智能体的全部会话' },
      { command: 'continuo import --dry-run', means: '看看会导入什么' },
      { command: 'continuo import codex --since 7d', means: '最近一周在 Codex 里说过的话' },
      { command: 'continuo import /mnt/old-laptop/home/me', means: '任何智能体的会话，不论放在哪里' },
      { command: 'continuo import --watch', means: '跟上智能体正在写的内容' },
    ],
  },
  handoff: {
    summary: '在另一个智能体里继续某个对话',
    description:
      '把一个对话写成另一个智能体的会话，放进该智能体自己的会话文件夹，并显示在那里继续的命令。不会替换任何文件。对方放不下的内容会列出来。',
    options: {
      to: '智能体：claude-code、codex、gemini、qwen、pi 等',
      root: '放到智能体自己的文件夹以外的地方',
      yes: '不询问（没有终端时必须加）',
      run: '立即用它启动该智能体',
    },
    examples: [
      { command: 'continuo handoff latest --to codex', means: '先询问，再写入，并显示如何继续' },
      { command: 'continuo handoff cnv_01k3x9ab --to claude-code --yes --run', means: '立即在 Claude Code 里继续' },
    ],
  },
  open: {
    summary: '在原来的智能体里继续导入的对话',
    description: '启动对话所来自的智能体，在原来的文件夹里继续那个会话；项目搬走了，就在它现在所在的文件夹里继续。',
    options: { print: '只显示命令' },
    examples: [
      { command: 'continuo open cnv_01k3x9ab', means: '不论你在哪里' },
      { command: 'continuo open cnv_01k3x9ab --print', means: '只要命令，自己来运行' },
    ],
  },
};

function takenOf(created: number, grown: number): string {
  if (created + grown === 0) return '已从未能读完的会话中取出内容';
  if (created === 0) return `${grown} 个对话有新增`;
  return `已导入 ${created} 个对话${grown > 0 ? `，另有 ${grown} 个有新增` : ''}`;
}
