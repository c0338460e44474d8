// 终端应用的中文文字。
import type { replEn } from './repl-en.ts';

export const replZh: typeof replEn = {
  repl: {
    you: '你',
    yourTodos: (done, all) => `你的清单（完成 ${done}/${all}）`,
    answerer: '回答',
    picker: {
      here: (project) => `${project} 的对话`,
      everywhere: '所有项目的对话',
      begin: '新建对话',
      keys: {
        here: '回车打开 · ↑↓ 选择 · Tab 所有项目 · Esc 新建 · Ctrl-C 退出',
        everywhere: '回车打开 · ↑↓ 选择 · Tab 只看本项目 · Esc 新建 · Ctrl-C 退出',
      },
      wrongKey: '这个键在这里没有作用。',
      none: '还没有保存任何对话。',
      loading: '正在读取…',
      more: '下面还有…',
      headings: { title: '标题', active: '活跃', messages: '条目', project: '项目' },
    },
    help: [
      '回车发送。Alt-回车、Shift-回车（终端支持时）或行末的反斜杠另起一行。',
      'Tab 补全命令和成员名字；@名字 让该成员发言。上下方向键找回在这里说过的话。',
      'Esc 停止回答，已说的内容都会保存。连按两次 Ctrl-C 或按 Ctrl-D 退出。',
    ],
    earlier: (count) => `… 更早的 ${count} 条内容`,
    pasted: (lines) => `[粘贴了 ${lines} 行]`,
    confirmLeaving: '再按一次 Ctrl-C 退出；一切都已保存。',
    stopping: '正在停止…',
    leaving: '正在保存…',
    choose: (keys) => `请选择 [${keys}]`,
    noAnswer: (keys) => `这不是可选的回答。请输入 ${keys} 中的一个，再按回车。`,
    speaks: (name, seconds) => `${name} 正在回答，${seconds} 秒`,
    members: (count) => `${count} 位成员`,
    tokens: (count) => `${count} 词元`,
    saved: { opening: '正在打开', nothing: '还没有说话', saved: '已保存', saving: '正在保存', 'not-kept': '不保留' },
    untitled: '新对话',
    todosOf: (name, done, all) => `${name} 的计划（完成 ${done}/${all}）`,
    moreTodos: (count) => `… 还有 ${count} 项`,
    teamLeft: (name) => `已离开团队 ${name}；一切都已保存。`,
    left: (id) => `已保存。接着聊：continuo chat --resume ${id}`,
    leftTeam: (file, id) => `已保存。接着聊：continuo team deploy ${file} --resume ${id}`,
    held: (pid, host) => `这个对话正在另一个进程里打开（${host} 上的进程 ${pid}），由它写入。`,
    heldChoices: { fork: '另开分支继续，已说的内容全部共享', again: '再试一次' },
    teamHeld: (pid, host) =>
      `团队的这个会话正在另一个进程里打开（${host} 上的进程 ${pid}）。请先在那里退出，或重新开始：/team deploy，然后选 n。`,
    ofATeam: (team) => `这个对话属于团队 ${team}。要和团队接着聊：/team deploy 文件`,
  },
};
