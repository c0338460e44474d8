// 中文帮助：每个命令、参数和选项的作用，并附示例。

import { codeHelpZh } from './code-zh.ts';
import { embedderHelpZh } from './embedder-zh.ts';
import type { helpEn } from './help-en.ts';
import { recallHelpZh } from './recall-zh.ts';
import { teamHelpZh } from './team-zh.ts';
import { transcriptsHelpZh } from './transcripts-zh.ts';

export const helpZh: typeof helpEn = {
  description:
    'Continuo 保存你与 AI 智能体的对话：话音落下即已存好，随时随地都能找回。不带命令运行时，在终端里打开终端应用；没有终端时，显示已保存的内容和下一步可以做什么，标准输入里的文本会得到回答。',
  usageRoot: '[options] [command]',
  optionsWord: '[选项]',
  commandWord: '[命令]',
  helpCommand: '查看某个命令的帮助',
  moreOptions: '所有命令通用的选项（--json、--home、--lang 等）见：continuo --help',
  titles: { usage: '用法：', options: '选项：', arguments: '参数：', commands: '命令：', examples: '示例：' },
  groups: {
    talk: '对话：',
    agents: '智能体：',
    order: '整理：',
    remove: '删除：',
    care: '维护：',
  },
  global: {
    help: '显示帮助',
    version: '显示版本号',
    home: '存储所在的文件夹（否则取 CONTINUO_HOME，再否则为 ~/.continuo）',
    json: '输出供程序使用的 JSON，格式见 docs/cli.md',
    quiet: '只输出所要的内容，不显示提示和进度',
    lang: '语言：en 或 zh（否则依次取 CONTINUO_LANG、设置和系统语言）',
    color: '输出不是终端时也使用颜色（或设 FORCE_COLOR）',
    noColor: '不使用颜色（或设 NO_COLOR）',
    keyFile: '加密存储的密钥文件（口令取自 CONTINUO_PASSPHRASE，或当场询问）',
  },
  examples: [
    { command: 'continuo', means: '终端应用：接着以前的对话，提问，带团队' },
    { command: 'continuo chat', means: '逐行聊天，一切都会保存' },
    { command: 'continuo append "记得买牛奶"', means: '新建对话并保存一条消息' },
    { command: 'continuo list', means: '列出已保存的对话，最新的在前' },
    { command: 'continuo show latest', means: '阅读最新的对话' },
    { command: 'continuo help append', means: '查看某个命令的全部用法' },
  ],
  arguments: {
    id: '对话：ID 的开头几位、它的键，或 latest（最新的对话）',
    ids: '一个或多个对话：ID 的开头几位，或它们的键',
  },
  commands: {
    chat: {
      summary: '与模型聊天，或离线查询已保存的内容',
      description:
        '在终端里对话，逐字保存：中断的回答会保留到已收到的部分。没有设置模型时，只根据已保存的内容回答并注明出处，不需要网络。所说的话指向历史对话时，不论在哪个文件夹，都会引用给模型，并用一行说明出处。模型可以读写项目文件，并在沙箱里运行命令；需要许可的操作会先询问。使用 -p、标准输入有文本或没有终端时，只回答一次，需要许可的操作一律拒绝，除非有规则允许；标准输出只有最终的回答，其余写到标准错误。Ctrl-C 停止正在进行的回答，空闲时则退出。行末的反斜杠表示下一行继续。',
      arguments: { text: '要说的第一句话' },
      options: {
        prompt: '说这句话，输出回答后结束；标准输入里的文本会附在后面',
        streamJson: '实时输出事件，每行一个 JSON 对象，最后一行是 turn-end',
        resume: '接着某个对话：ID 的开头几位或它的键；不写则为本文件夹里最新的对话',
        continue: '接着本文件夹里最新的对话',
        new: '新建对话（默认）',
        model: '由谁回答，例如 anthropic:claude-sonnet-4-5、openai:gpt-5、ollama:qwen3（否则取 CONTINUO_MODEL，再否则取设置）',
        baseUrl: '不用服务商自己的地址，改用此地址',
        policy: '新对话保留什么：full、headers-only、none、ttl:30d 或 ttl:30d:delete',
        mcpConfig: '列出 MCP 服务器的文件，格式与 Claude Code 等通用；模型看到的工具名是 mcp__服务器__工具',
        allow: '以此开头的操作不再询问，例如 "git status" 或 "write_file src"，可多次使用',
        deny: '以此开头的操作一律不做，优先于 --allow，可多次使用',
        noTools: '不用文件、命令和 MCP 服务器',
        noRecall: '不向模型提起历史对话',
        network: '允许命令使用网络',
        timeout: '每轮最多多少秒，超过就停止',
        title: '新对话的标题',
        project: '在哪个文件夹里工作并查找其对话（默认为当前文件夹）',
        wait: '其他程序正在写入时最多等待多久，例如 30s',
      },
      examples: [
        { command: 'continuo chat', means: '开始聊天；开头会说明由哪个模型回答、怎样回来' },
        { command: 'continuo chat --continue', means: '接着本文件夹里上次的对话' },
        { command: 'continuo chat --resume cnv_01k3x9ab', means: '在任何地方接着任何对话' },
        { command: 'continuo chat -p "关于发布我们是怎么定的？"', means: '只回答一次，用于脚本' },
        { command: 'git diff | continuo chat -p "请审阅" --json', means: '附上另一个程序的输出，以 JSON 回答' },
        { command: 'continuo chat --model ollama:qwen3 --allow "npm test"', means: '本地模型，允许它运行测试' },
      ],
    },
    ...recallHelpZh,
    ...embedderHelpZh,
    ...teamHelpZh,
    ...codeHelpZh,
    ...transcriptsHelpZh,
    list: {
      summary: '列出对话，最新的在前',
      description:
        '列出对话，最近活跃的排在前面。没有标题的对话显示其中的第一句话。导入时产生的子智能体对话默认不列出，需要时加 --all 或 --tag sub-agent。',
      options: {
        here: '只列出当前目录所属项目的，不论它以前在哪里',
        project: '只列出该项目的',
        agent: '只列出与该智能体的',
        team: '只列出该团队的',
        tag: '只列出带此标签的',
        key: '只列出键为此值的',
        title: '只列出标题含这些字的',
        pinned: '只列出已置顶的',
        since: '只列出此后活跃过的：7d、12h，或 2026-01-31 这样的日期',
        before: '只列出此前活跃的：7d、12h，或 2026-01-31 这样的日期',
        forksOf: '只列出该对话的分支',
        trash: '只列出回收站里的',
        all: '连同回收站里的和子智能体的一起列出',
        limit: '最多列出多少个（默认 50，上限 1000）',
        cursor: '从上一页结束处继续',
        fullIds: '显示完整 ID',
      },
      examples: [
        { command: 'continuo list --since 7d --tag 工作', means: '最近七天活跃过、带“工作”标签的对话' },
        { command: 'continuo list --agent claude --limit 10', means: '与某个智能体最新的十个对话' },
        { command: 'continuo list --here', means: '本项目里说过的，移动或重新克隆之前的也在内' },
        { command: 'continuo list --trash', means: '还可以恢复的对话' },
        { command: 'continuo list --json', means: '供程序使用' },
      ],
    },
    show: {
      summary: '阅读对话',
      description: '显示一个对话，默认显示最后 20 条。再长的对话也是分页读取。',
      options: {
        tail: '显示最后多少条（默认 20）',
        all: '从第一条起全部显示',
        before: '只显示此位置之前的条目，用于往前翻页',
        follow: '持续显示之后的新内容，不论由哪个程序写入；按 Ctrl-C 结束',
        full: '完整显示工具调用、工具结果和思考过程，而不是各压成一行；也显示事件',
      },
      examples: [
        { command: 'continuo show latest', means: '最新对话的末尾部分' },
        { command: 'continuo show cnv_01k3x9ab --tail 50', means: '最后五十条；ID 写开头几位即可' },
        { command: 'continuo show cnv_01k3x9ab --before 120', means: '第 120 条之前的内容' },
        { command: 'continuo show feishu:ou_1 --follow', means: '用键指定对话，并持续关注它' },
      ],
    },
    append: {
      summary: '保存一条消息',
      description:
        '保存一条消息。只给出文本时新建对话；在前面写上对话则接着该对话继续。不写文本或写“-”时从标准输入读取。密钥、令牌、密码等敏感信息会在写入之前被遮盖。',
      arguments: {
        idOrText: '要接着写的对话，或新对话的文本',
        text: '文本；“-”表示从标准输入读取',
      },
      options: {
        role: '谁说的：user（默认）、assistant 或 system',
        title: '新对话的标题',
        tag: '新对话的标签，可多次使用',
        key: '接着写键为此值的对话，没有则新建',
        project: '新对话所属的项目：here、目录或任意名称',
        team: '新对话所属的团队',
        agent: '新对话的智能体',
        policy: '新对话保留什么：full、headers-only、none、ttl:30d 或 ttl:30d:delete',
        wait: '其他程序正在写入时最多等待多久，例如 10s',
      },
      examples: [
        { command: 'continuo append "怎么部署？"', means: '新建对话' },
        { command: 'continuo append latest --role assistant "一条命令就行。"', means: '在最新的对话里回答' },
        { command: 'git diff | continuo append cnv_01k3x9ab -', means: '保存另一个程序的输出' },
        { command: 'continuo append --key cron:nightly "完成。"', means: '接着写这个键对应的对话，没有则新建' },
        { command: 'continuo append --policy ttl:30d "秘密计划"', means: '文本只保留三十天' },
      ],
    },
    fork: {
      summary: '从较早的某一条起另开一个对话',
      description: '新建一个对话，与原对话共享某一条及其之前的全部内容。原对话保持不变，也不会复制文本。',
      arguments: { id: '要分支的对话，或作为分支点的条目 ID（ent_…）' },
      options: {
        at: '共享到哪一条为止：位置或条目 ID（默认最新一条）',
        title: '分支的标题（默认与原对话相同）',
      },
      examples: [
        { command: 'continuo fork cnv_01k3x9ab --at 12', means: '在第 12 条之后换一种回答' },
        { command: 'continuo fork latest --title "备选方案"', means: '从末尾分支' },
      ],
    },
    replay: {
      summary: '重放一个对话',
      description:
        '按日志重放一个对话：说了什么、发生了什么，可以按原来的节奏、一口气或一步一步地看。只显示存储策略所保留的内容。',
      options: {
        pace: 'real-time（停顿最长 3 秒）、fast（默认）或 step（按回车显示下一条）',
        speed: '比原来的节奏快多少倍',
        full: '完整显示工具的输入输出、思考和事件',
      },
      examples: [
        { command: 'continuo replay latest --pace real-time', means: '按当时的节奏' },
        { command: 'continuo replay latest --pace real-time --speed 4', means: '快四倍' },
        { command: 'continuo replay cnv_01k3x9ab --json', means: '每条一个对象，带时间' },
      ],
    },
    export: {
      summary: '导出为 JSON、Markdown、HTML 或其他智能体的会话',
      description:
        '把整个对话写到标准输出或文件：供程序使用（json、jsonl、openai、snapshot），供阅读（md、html），或作为其他智能体的会话文件（claude-code、codex、gemini、qwen、pi 等；continuo handoff 会直接放到位）。文件只有你能读取，要么完整写出，要么不出现；没有 --force 绝不覆盖已有文件。',
      options: {
        to: 'json、jsonl、md、html、openai、snapshot，或某个智能体（默认按文件名判断，否则为 json）',
        output: '要写入的文件',
        force: '文件已存在时覆盖',
      },
      examples: [
        { command: 'continuo export latest --to md', means: '以 Markdown 阅读' },
        { command: 'continuo export cnv_01k3x9ab -o talk.jsonl', means: '写入文件，每条一行' },
        { command: 'continuo export latest -o talk.html', means: '一个可以阅读和转交的网页，不含脚本' },
        { command: 'continuo export latest --to codex -o rollout.jsonl', means: '作为 Codex 的会话文件' },
      ],
    },
    approvals: {
      summary: '查看和收回长期许可',
      description:
        '列出你在智能体工作时选择“总是允许”的操作，并可收回。收回后从下一次调用起生效，对正在运行的程序也一样。对所有对话都有效的规则是设置项 approvals.allow 和 approvals.deny。',
      arguments: { action: 'list（默认）或 revoke', ids: '要收回的许可：ID 的开头几位' },
      options: { all: '全部收回', yes: '不再询问（没有终端时使用 --all 必须给出）' },
      examples: [
        { command: 'continuo approvals', means: '允许了什么、在哪里、到什么时候' },
        { command: 'continuo approvals revoke apv_01k3x9ab', means: '以后重新询问' },
        { command: 'continuo approvals revoke --all --yes', means: '在脚本里全部收回' },
      ],
    },
    mcp: {
      summary: '通过 MCP 给其他代理提供回忆，以及 chat 用的 MCP 服务器',
      description:
        '不带动作时，它是标准输入输出上的 MCP 服务器，让任何代理都能回忆所有过去的对话（docs/mcp.md）。install 代理 把它写进 claude、codex、gemini、opencode、qwen、copilot、continue、cursor、vscode、windsurf 或 pi 的设置。list 和 test 查看 chat 自己会用到的 MCP 服务器：文件取自 --mcp-config，否则取设置 mcp.config；test 的退出码为 1 表示有服务器失败。',
      arguments: {
        action: 'serve（默认）、install、list 或 test',
        name: 'install：哪个代理。list 和 test：只看这个服务器',
      },
      options: {
        project: 'serve 和 install：代理工作的文件夹，如果不是当前文件夹',
        except: 'serve：不要包括的对话，通常是正在提问的那一个',
        scope: 'install：user（默认），或 project 表示当前文件夹的设置',
        print: 'install：只显示会写什么；与 --undo 一起则显示会撤回什么',
        undo: 'install：再去掉，并放回原来的内容',
        yes: 'install：不询问（没有终端时必须）',
        config: 'list 和 test：列出服务器的文件',
      },
      examples: [
        { command: 'continuo mcp install claude', means: '让 Claude Code 能回忆所有对话' },
        { command: 'continuo mcp install codex --print', means: '会写什么、写到哪里' },
        { command: 'continuo mcp install claude --undo --yes', means: '再去掉' },
        { command: 'continuo mcp list --mcp-config servers.json', means: '文件里有哪些，不连接' },
        { command: 'continuo mcp test', means: '逐个连接并列出工具' },
        { command: 'continuo mcp test github', means: '只看一个' },
      ],
    },
    rename: {
      summary: '给对话起标题',
      description: '给对话起标题。标题为空则去掉原有标题。',
      arguments: { title: '新标题' },
      examples: [
        { command: 'continuo rename cnv_01k3x9ab "部署方案"', means: '起个好找的名字' },
        { command: 'continuo rename cnv_01k3x9ab ""', means: '去掉标题' },
      ],
    },
    tag: {
      summary: '添加、移除或查看标签',
      description: '给对话添加标签，或移除标签。两者都不给出时显示现有标签。',
      arguments: { tags: '要添加的标签' },
      options: { remove: '要移除的标签，可多次使用' },
      examples: [
        { command: 'continuo tag cnv_01k3x9ab 工作 紧急', means: '添加两个标签' },
        { command: 'continuo tag cnv_01k3x9ab --remove 紧急', means: '移除一个' },
      ],
    },
    pin: {
      summary: '置顶重要的对话',
      description: '置顶对话：可用 list --pinned 找到，自动清理也不会动它们。',
      options: { off: '取消置顶' },
      examples: [
        { command: 'continuo pin cnv_01k3x9ab', means: '置顶' },
        { command: 'continuo pin cnv_01k3x9ab --off', means: '取消置顶' },
      ],
    },
    trash: {
      summary: '把对话放进回收站',
      description: '把对话放进回收站：不再出现在列表里，也不再接收消息。在宽限期（trash.grace_days，默认 30 天）内都可以恢复。',
      options: { releaseKey: '同时让出它的键，供新对话使用' },
      examples: [
        { command: 'continuo trash cnv_01k3x9ab', means: '放进回收站' },
        { command: 'continuo restore cnv_01k3x9ab', means: '取回来' },
      ],
    },
    restore: {
      summary: '从回收站恢复对话',
      description: '从回收站恢复对话，其中的内容一字不少。',
      examples: [
        { command: 'continuo list --here', means: '本项目里说过的，移动或重新克隆之前的也在内' },
        { command: 'continuo list --trash', means: '看看有哪些可以恢复' },
        { command: 'continuo restore cnv_01k3x9ab', means: '取回来' },
      ],
    },
    purge: {
      summary: '彻底删除回收站里的对话',
      description: '彻底删除回收站里的对话，其文本一个字节也不留。此操作无法撤销。其子智能体的对话会保留并列出。',
      options: {
        withForks: '连同共享其文本的分支一起删除',
        yes: '不再询问（没有终端时必须给出）',
      },
      examples: [
        { command: 'continuo purge cnv_01k3x9ab', means: '先显示将删除什么，再询问' },
        { command: 'continuo purge cnv_01k3x9ab --yes', means: '用于脚本' },
      ],
    },
    sweep: {
      summary: '清理到期的内容',
      description: '删除在回收站里超过宽限期的对话，以及按 ttl 策略到期的文本。写入类命令会顺带清理；此命令立即清理。',
      options: { dryRun: '只显示将清理什么' },
      examples: [
        { command: 'continuo sweep --dry-run', means: '先看看' },
        { command: 'continuo sweep', means: '立即清理' },
      ],
    },
    stats: {
      summary: '查看存了多少',
      description: '统计对话和条目的数量（按智能体、按项目），以及占用的磁盘空间。',
      examples: [
        { command: 'continuo stats', means: '供人阅读' },
        { command: 'continuo stats --json', means: '供程序使用' },
      ],
    },
    doctor: {
      summary: '检查存储并说明问题',
      description:
        '检查程序、存储文件夹、设置、权限、磁盘以及每一条已保存的内容，并告诉你每个问题该怎么办。退出码 1 表示仍有问题。',
      options: { fix: '修复可以修复的问题：权限，以及彻底删除记录（保留原文件副本）' },
      examples: [
        { command: 'continuo doctor', means: '只检查，不改动' },
        { command: 'continuo doctor --fix', means: '同时收紧过宽的文件权限' },
      ],
    },
    backup: {
      summary: '把整个存储备份到新文件夹',
      description: '为存储制作一份前后一致的副本，期间其他程序可以照常写入。目标文件夹必须是新的或空的。',
      arguments: { folder: '要新建的文件夹' },
      options: { verify: '恢复到临时文件夹，逐条比对' },
      examples: [
        { command: 'continuo backup ~/backups/continuo-monday', means: '制作备份' },
        { command: 'continuo backup ~/backups/continuo-monday --verify', means: '并证明它能够恢复' },
      ],
    },
    'restore-backup': {
      summary: '把备份恢复成存储',
      description: '把备份恢复到空的存储文件夹。先核对每个文件；要么完整恢复，要么什么都不动。',
      arguments: { folder: '备份所在的文件夹' },
      examples: [
        { command: 'continuo restore-backup ~/backups/continuo-monday --home ~/restored', means: '恢复到单独的文件夹里查看' },
        { command: 'continuo restore-backup ~/backups/continuo-monday', means: '恢复到平常的位置（须为空）' },
      ],
    },
    compress: {
      summary: '压缩旧文本，节省空间',
      description: '压缩旧条目的文本，读到的内容与之前完全一样。',
      options: { olderThan: '压缩早于多久的条目（默认 90d）' },
      examples: [
        { command: 'continuo compress', means: '压缩 90 天以前的内容' },
        { command: 'continuo compress --older-than 30d', means: '压缩更多' },
      ],
    },
    encrypt: {
      summary: '加密存储',
      description:
        '用口令（CONTINUO_PASSPHRASE，或当场询问）或密钥文件（--key-file）加密整个存储。没有口令或密钥文件，任何人都无法再读取，请妥善保管。',
      options: { newKeyFile: '生成新的密钥文件并用它加密' },
      examples: [
        { command: 'continuo encrypt', means: '询问新口令' },
        { command: 'continuo encrypt --new-key-file ~/.continuo.key', means: '生成密钥文件并使用它' },
      ],
    },
    decrypt: {
      summary: '把加密存储变回普通存储',
      description: '解密整个存储，需要最后一次用到口令或密钥文件。',
      examples: [
        { command: 'continuo decrypt', means: '询问口令' },
        { command: 'continuo decrypt --key-file ~/.continuo.key', means: '使用密钥文件' },
      ],
    },
    config: {
      summary: '查看和修改设置',
      description:
        '显示每项设置、它的值以及值的来源。命令行选项优先于环境变量，环境变量优先于存储文件夹里的 conversation.toml，文件优先于默认值。修改时保留你文件中的注释和顺序。',
      arguments: {
        action: 'list（默认）、get、set、unset 或 path',
        name: '设置名，例如 trash.grace_days',
        value: '新的值',
      },
      examples: [
        { command: 'continuo config', means: '查看全部设置' },
        { command: 'continuo config set trash.grace_days 7', means: '回收站只保留一周' },
        { command: 'continuo config set cli.language zh', means: '使用中文' },
        { command: 'continuo config unset cli.language', means: '恢复默认' },
      ],
    },
  },
};
