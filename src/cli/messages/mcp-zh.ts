// Continuo 自己的 MCP 服务器，以及把它写进其他代理的设置时说的话。
import type { mcpEn } from './mcp-en.ts';

export const mcpZh: typeof mcpEn = {
  mcpServer: {
    atTerminal:
      '这是 MCP 服务器：它在标准输入上等待代理的消息，按 Ctrl-D 结束。要写进某个代理的设置：continuo mcp install claude',
    giveKey: 'MCP 服务器无法询问：请在该代理的设置里，给它的参数加上 --key-file 文件，或给它的环境加上 CONTINUO_PASSPHRASE。',
    unfit: (flag, action) => `${flag} 对“continuo mcp ${action}”没有意义。`,
    serveTakesNone: '用法：continuo mcp',
  },

  mcpInstall: {
    whichClient: (known) => `请说明是哪个代理：${known}。`,
    unknownClient: (name, known) => `这里没有代理“${name}”。可选：${known}。`,
    noProjectScope: (client) => `${client} 在项目里没有自己的设置。请去掉 --scope project。`,
    file: (path) => `文件：${path}`,
    willAdd: '将加入：',
    willReplace: '将用下面的内容替换“continuo”这一项：',
    willTakeOut: '将去掉“continuo”这一项。',
    question: (path) => `修改 ${path} 吗？[y/N]`,
    needsYes: '什么也没有做，因为没有人可以询问。请加上 --yes 再运行一次，或用 --print 看看会写什么。',
    declined: '什么也没有做。',
    installed: (client, path) => `${client} 会把 Continuo 作为 MCP 服务器启动（${path}）。`,
    present: (client, path) => `${client} 已经会启动 Continuo（${path}）。没有改动。`,
    takenOut: (client, path) => `${client} 不再启动 Continuo（${path}）。`,
    absent: (client, path) => `${client} 没有“continuo”这一项（${path}）。没有改动。`,
    backup: (path) => `文件原来的内容在 ${path}。用 --undo 撤销。`,
    check: (how) => `检查：${how}`,
    allow: (how) => `想不经询问就使用：${how}`,
    restart: '如果该代理正在运行，请重启它。',
    passphrase: '存储是加密的：服务器的环境里需要 CONTINUO_PASSPHRASE。这里没有写下它；请自己加到这一项里，或改用密钥文件。',
    notParsed: (reason) => `无法读懂，所以保持原样（${reason}）`,
    mistakes: {
      rest: '结尾之后还有内容',
      comment: '注释没有结束',
      depth: '嵌套太深',
      comma: '缺少逗号或列表的结尾',
      name: '缺少带引号的名称',
      colon: '缺少冒号',
      value: '不是 JSON',
      object: '没有对象',
    },
    notText: '不是 UTF-8 文本',
    notAnObject: (name) => `“${name}”不是对象`,
    notEditable: '这里的这一项无法自动修改；请手工编辑文件',
    changed: '此刻被别人改动了；请再试一次',
    continueCli: '命令行 cn 只读 config.yaml。请在那里加上：',
    piAdapter: 'pi 需要扩展 pi-mcp-adapter 才能使用。',
  },
};
