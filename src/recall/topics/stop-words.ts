// Words that say nothing about the subject of a conversation: function words, numbers, and talk about the talk.
import { functionWords } from '../tokens/stop-words.ts';

const split = (lines: string[]): string[] => lines.join(' ').split(/\s+/);

/** Never part of a topic. */
export const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...split([
    "doing only even both i'm i'll i've i'd it's that's what's let's don't doesn't didn't can't won't isn't aren't wasn't",
    "you're we're they're there's we'll you'll goes going gone gets makes sure great good well down now one two three",
    'first second next each other another same such more most less least much many few lot lots bit four five six seven',
    'eight nine ten eleven twelve hundred thousand near throw throws thrown because while until since through during',
    'between without within against under above below like per via vs etc eg ie own itself yourself myself themselves',
    'something anything everything nothing someone anyone thing things way ways kind sort maybe perhaps really actually',
    'basically simply quite rather however though although instead else yet soon today tomorrow yesterday 的 了 吗 呢 吧 啊 呀 么',
    '是 我 你 您 他 她 它 们 我们 你们 他们 她们 它们 咱们 这 那 这个 那个 这些 那些 这里 那里 这样 那样 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样 如何 为什么 多少 几 谁 和 与 及 或 或者 以及 而',
    '而且 并 并且 但 但是 不过 因为 所以 如果 就 都 也 还 又 再 才 只 只是 很 太 更 最 非常 不 没 没有 不是 不能 不会 可以 可能 能 会 要 应该 需要 必须 得 着 过 把 被 让 给 对 对于 关于 从',
    '到 在 向 往 用 以 为 为了 于 由 跟 同 比 按 按照 根据 通过 有 一 一个 一下 一些 一样 一直 一点 一起 一种 两 二 三 几个 每 每个 各 各个 其 其他 其中 此 该 之 之前 之后 以前 以后 然后 接着',
    '现在 已经 刚才 刚刚 上次 今天 昨天 明天 时候 时 里 里面 上 下 中 内 外 前 后 左右 上面 下面 前面 后面 个 件 种 次 条 些 点 位 份 等 等等 请 请问 帮 帮我 谢谢 好 好的 嗯 哦 行 对的 是的',
    '可 来 去 看 想 说 做 弄 搞 する した して します いる ある なる です ます こと もの これ それ あれ ください お願い 私 あなた よう ため 그 이 저 것 수 좀 더 및 또는 그리고 하지만 있다 없다',
    '하다 해줘 주세요 합니다 있습니다',
  ]),
]);
