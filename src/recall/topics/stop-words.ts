// Words that say nothing about the subject of a conversation: function words, talk about the talk, and verbs any work is done with.

const split = (lines: string[]): string[] => lines.join(' ').split(/\s+/);

/** Never part of a topic. */
export const stopWords: ReadonlySet<string> = new Set(
  split([
    'a an the and or but nor of to in on at by for with from as into over about than then so if is are was were be been being am',
    'do does did done doing have has had having i you he she it we they me him her us them my your his its our their this that these',
    'those what which who whom whose when where why how can could would should will shall may might must not no yes please tell show',
    'give there here just any some all again before after earlier last previous ago ever already still also too very only even both',
    "i'm i'll i've i'd it's that's what's let's don't doesn't didn't can't won't isn't aren't wasn't you're we're they're there's we'll you'll",
    'said say says talk talked let go goes going gone get gets got make makes made ok okay hi hello hey thanks thank sure great good well',
    'up out off down now one two three first second next each other another same such more most less least much many few lot lots bit',
    'four five six seven eight nine ten eleven twelve hundred thousand near throw throws thrown because while until since through during between without within against under above below like per via vs etc eg ie re ve ll',
    'us own its itself yourself myself themselves something anything everything nothing someone anyone thing things way ways kind sort',
    'yes no maybe perhaps really actually basically simply quite rather however though although instead else yet soon today tomorrow yesterday',
    '的 了 吗 呢 吧 啊 呀 么 是 我 你 您 他 她 它 们 我们 你们 他们 她们 它们 咱们 这 那 这个 那个 这些 那些 这里 那里 这样 那样 哪 哪个 哪些 哪里 哪儿',
    '什么 怎么 怎样 如何 为什么 多少 几 谁 和 与 及 或 或者 以及 而 而且 并 并且 但 但是 不过 因为 所以 如果 就 都 也 还 又 再 才 只 只是 很 太 更 最 非常',
    '不 没 没有 不是 不能 不会 可以 可能 能 会 要 应该 需要 必须 得 着 过 把 被 让 给 对 对于 关于 从 到 在 向 往 用 以 为 为了 于 由 跟 同 比 按 按照 根据 通过',
    '有 一 一个 一下 一些 一样 一直 一点 一起 一种 两 二 三 几个 每 每个 各 各个 其 其他 其中 此 该 之 之前 之后 以前 以后 然后 接着 现在 已经 刚才 刚刚 上次 今天 昨天 明天',
    '时候 时 里 里面 上 下 中 内 外 前 后 左右 上面 下面 前面 后面 个 件 种 次 条 些 点 位 份 等 等等 请 请问 帮 帮我 谢谢 好 好的 嗯 哦 行 对的 是的 可 来 去 看 想 说 做 弄 搞',
    'する した して します いる ある なる です ます こと もの これ それ あれ ください お願い 私 あなた よう ため',
    '그 이 저 것 수 좀 더 및 또는 그리고 하지만 있다 없다 하다 해줘 주세요 합니다 있습니다',
  ]),
);

/** May stand inside a phrase, but are no topic alone and begin or end none. */
export const weakWords: ReadonlySet<string> = new Set(
  split([
    'use using used need needs needed want wants wanted try trying tried run running ran fix fixed fixing add added adding set setting',
    'change changed changing check checked checking look looks looking see seen work works working worked help find found finding keep put',
    'take took taking start started starting stop stopped create created creating write writing wrote written read reading know think call',
    'called come came turn turned move moved happen happens happened mean means seem seems show shows showing ask asked asking answer new',
    'old right wrong better best bad big small long short high low full empty ready next time day week problem issue question idea example',
    'case point part place number name line step steps task tasks result results continue continued resume decided decide decision finished',
    'finish done open opened close closed send sent return returned returns update updated remove removed delete deleted build built',
    'pass sum held hit leave reach minute hour month year currently usually probably exactly simple possible different correct whole every back still able instead maybe sounds done',
    '设置 使用 需要 问题 任务 工作 东西 事情 方法 方式 情况 部分 内容 地方 时间 开始 继续 完成 结束 处理 进行 实现 支持 添加 增加 修改 修复 删除 更新 查看 检查 看看 看到 发现 知道 觉得 认为',
    '总是 先用 太大 太小 太慢 不打扰 平时 建议 可能 直接 目前 当前 首先 其次 最后 结果 决定 结论 原因 步骤 下一步 比如 例如 其实 正在 准备 告诉 帮忙 改成 变成 成功 失败 出现 导致 这么 那么 不用 不要 是否 所有 全部 整个 多个 之间 出来 起来 下来 一步 已经 建好 想要 写好 改为 打开 关闭 选择 放在 加上 换成 试试 试过 先把 再把 还是 还有 就是 只有 只要 只能 都是 也是 不对 没问题',
  ]),
);
