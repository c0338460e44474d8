// 团队的中文文字和帮助。
import type { teamEn, teamHelpEn } from './team-en.ts';

export const teamZh: typeof teamEn = {
  team: {
    between: '、',
    headings: { id: 'ID', name: '名称', kind: '类型', speaks: '由谁发言', order: '次序', role: '角色' },
    sessionHeadings: { id: '会话', active: '活跃', messages: '消息', about: '内容' },
    teamHeadings: { id: '团队', sessions: '会话', active: '活跃', members: '成员', file: '文件', name: '名称' },
    kinds: { human: '真人', model: '模型', program: '程序' },
    historyHint: (sessions, ago, messages) =>
      `这个团队有 ${sessions} 个历史会话，最近的（${ago}活跃）有 ${messages} 条消息。这次新开会话；加 --resume 可接着聊。`,
    found: (moment, messages) => `发现历史会话（${moment}，${messages} 条消息）。`,
    choices: ['[R] 恢复', '[N] 开始新会话'],
    choose: '请选 R 或 N：',
    start: (team, members, messages) => `团队 ${team}：${members}${messages > 0 ? ` · 已恢复 ${messages} 条消息` : ''}`,
    keys: '输入的话说给团队听；[NEXT: 名字] 点名。Ctrl-C 停止发言，/end 退出，/help 查看更多。',
    help: [
      '不写 [NEXT: …] 时，由还在等的成员发言，否则大家依次发言。[TEAM_TASK: …] 设定任务。',
      '行末的反斜杠表示下一行继续。以 // 开头的行会带一个斜杠发送。',
      '退出：/end、Ctrl-D，没人发言时 Ctrl-C 也可以。一切都会保存。',
    ],
    noSuchCommand: (command) => `没有发送：没有 ${command} 命令，只有 /help 和 /end。`,
    left: (id) => `已保存。接着聊：--resume ${id}`,
    saveSkipped: '另一个进程已保存了这次会话的更新状态，其文件保持不变。这里说过的话仍在日志中。',
    memberFailed: (member, reason) => `${member} 没能说完：${reason}其他成员继续。`,
    memberLeft: (name, messages) => `${name} 已不在团队里；其 ${messages} 条消息仍以原名保留。`,
    unknownNames: (member, names) => `${member} 点了不在团队里的名字：${names}`,
    taskChanged: (task) => `任务：${task}`,
    todo: (member, items) => `${member} 的计划：${items}`,
    roundLimit: (rounds, names) => `成员们已经聊了 ${rounds} 轮。还在等：${names}。说句话就让他们继续。`,
    addressed: (human) => `轮到 ${human} 了。`,
    stopped: '已停止。说过的内容已经保存。',
    written: (path) => `已写入 ${path}。`,
    tryIt: (file) => `试试看：continuo team deploy ${file} -p "…"`,
    otherEnding: (example, ending) => `示例 ${example} 是 ${ending} 文件。`,
    fine: (name, id) => `${name}（${id}）没有问题。`,
    cannotSpeak: (member, reason) => `${member} 在这里无法发言：${reason}`,
    noSessions: (team) => `没有保存过团队 ${team} 的会话。`,
    noTeams: '本文件夹没有团队文件，也没有团队会话。新建一个：continuo team init',
    unfit: (flag, action) => `“team ${action}”不能用选项 ${flag}。`,
    listTakesNone: '用法：continuo team list',
    needsFile: (action) => `请给出团队文件：continuo team ${action} 文件`,
    noText: '没有要对团队说的话。请用 -p 给出，或从标准输入传入。',
  },
};

export const teamHelpZh: typeof teamHelpEn = {
  team: {
    summary: '由人、模型和智能体程序组成的团队',
    description:
      '团队文件（team.json 或 team.toml）写明成员、角色和限制。deploy 让团队就座：成员轮流发言，用 [NEXT: 名字] 互相点名，最后回到你这里。每条消息说出即保存。脚本里除非给出 --resume，否则新开会话；在终端里会先询问。',
    arguments: { action: 'list（默认）、init、check、deploy 或 history', file: '团队文件；history 也可以给团队 ID' },
    options: {
      prompt: '说这句话，打印成员的发言，然后结束',
      resume: '接着指定 ID 的会话，或最近的会话',
      new: '不询问，直接新开会话',
      maxRounds: '成员之间最多几轮之后询问真人',
      model: '没有写明模型的成员用的模型',
      baseUrl: '它的地址，代替服务商自己的地址',
      timeout: '这么久之后停止成员发言：秒数，或 90s、5m',
      policy: '新会话保留什么：full、headers-only、none 或 ttl:30d',
      project: '程序在哪个文件夹里工作（默认当前文件夹）',
      wait: '会话被别的进程占用时等待多久',
      streamJson: '发生的每件事即时打印成一行 JSON',
      from: '用于 init：review（默认）或 planning',
      force: '用于 init：覆盖文件',
    },
    examples: [
      { command: 'continuo team init team.json', means: '先写一个代码评审团队' },
      { command: 'continuo team check team.json', means: '文件对不对，成员在这里能不能发言' },
      { command: 'continuo team deploy team.json -p "评审最近一次提交"', means: '一轮，供脚本使用' },
      { command: 'continuo team deploy team.json --resume -p "测试呢？"', means: '接着最近的会话' },
      { command: 'continuo team history team.json', means: '这个团队的会话' },
    ],
  },
};
