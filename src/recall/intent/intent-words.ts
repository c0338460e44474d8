// The words a request to go on is made of besides its verb: politeness, pointing, and nouns that say nothing ("task", "那个事").
// A request whose every word is one of these has no content of its own.

const split = (lines: string[]): string[] => lines.join(' ').split(/\s+/);

const fillers = new Set(
  split([
    'please pls plz kindly ok okay k hey hi hello so now well alright right yes yeah yep yup sure thanks thank thx ty um uh hmm oh ah',
    "let's lets let us can could would will shall should you we i me my your just then and again guys bro dude want to wanna id i'd like",
    '做的 说的 聊的 干的 写的 弄的 断开 断掉 你做 让你做 一个 一半 做到 做到一半 让你 回来 回来了 早上 早上好 晚上好 午安 remind tell forgot forget remember know continue resume 继续 接着 干活 need like claude assistant gpt for do if possible a bit quickly immediately already ready back am was were is are be been had',
    '请 麻烦 麻烦你 帮 帮我 帮忙 好 好的 好吧 行 行吧 嗯 嗯嗯 哦 噢 啊 呀 吧 呢 哈 哈哈 嘛 啦 哟 哎 那 那么 那就 来 你 您 我们 咱们 咱 我 俩 可以 能不能',
    '能否 能 可不可以 吗 么 一下 下 一下子 谢谢 多谢 拜托 拜托了 了 就 再 先 现在 马上 赶紧 快 快点 都 也 还 还是 哈喽 你好 您好 在吗 老师 助手 亲',
    '麻烦了 辛苦 辛苦了 啥 的 地 得 把 将 给 给我 吧 想 要 想要 让 让我们 去 一起 直接 开始 对 对了 没错 是的 不好意思 打扰 谢了 咯 喽 滴',
    'お願い お願いします おねがい おねがいします ください 下さい ありがとう じゃあ では それでは さあ えっと ね よ さ 、 を は が に で も と です ます して し お 願い し',
    '좀 주세요 부탁해 부탁해요 부탁드립니다 그럼 자 이제 네 응 다시 해 해줘 줘 요',
  ]),
);

/** Words that point at something said before, and how far back they reach. */
const pointers = new Map<string, 'just-now' | 'last-time' | undefined>([
  ...split(['刚才 刚刚 刚 方才 适才 刚说 just-now さっき 先ほど 先程 아까 방금']).map((word) => [word, 'just-now'] as const),
  ...split([
    '上次 上回 之前 以前 先前 前面 原来 上一次 上一个 上个 早些时候 以前的 前回 この前 前 以前 例 지난번 지난번에 저번 저번에 이전 전에 하던',
    'before earlier previous previously last time left off stopped unfinished',
  ]).map((word) => [word, 'last-time'] as const),
  ...split([
    '那个 那件 那 这个 这件 这 那些 这些 它 那边 那里 那儿 这样 此 该 哪 那段 这段 那份 这份 那块 那项 那部分 没 未 没有',
    'that this it those these the our there one ones same what where whatever we',
    'その あの この それ あれ これ 그 저 그거 저거 그것 이거',
  ]).map((word) => [word, undefined] as const),
]);

/** Nouns and light verbs that any piece of work could be called by. */
const generic = new Set(
  split([
    'task tasks thing things stuff work job conversation chat discussion session talk thread bit part topic rest remaining next step steps',
    'working doing did talking discussing about on with from of at in regarding up off point place progress plan out through as usual before',
    'finish finishing finished done start started move along forward further keep going way interrupted middle halfway midway',
    '任务 事 事情 事儿 活 活儿 工作 东西 话题 对话 会话 聊天 讨论 内容 问题 部分 进度 步骤 一步 下一步 步 项目 地方 位置 计划 思路 流程 操作 话 剩下 剩余 其余 后面 后续 下面 没做完 未完成 完成',
    '做 干 弄 搞 说 聊 讲 谈 写 走 进行 执行 推进 处理 下去 往下 完 做完 干完 弄完 到 中断 断 停 停下 暂停 没完 里 中 上 处 从 在 跟 和 接 续 打断 被 过 着 时候 时 个 件 事情 起 出来 努力 工作吧 进展 状态 环节',
    '件 作業 話 タスク 仕事 会話 続き 所 ところ から の やつ こと 方 まで',
    '작업 일 거 것 대화 이야기 얘기 하던 에서 부터 을 를 의 계속 이어서 하던거',
  ]),
);

export type WordClass = 'filler' | 'pointer' | 'generic';

/** What kind of empty word it is; undefined for a word with content. Compounds of empty words are empty: 那件事, 하던거. */
export function classifyWord(word: string): WordClass | undefined {
  const lower = word.toLowerCase();
  const known = classOf(lower) ?? classOf(lower.replace(/(?:을|를|은|는|이|가|의|에|도)$/u, ''));
  if (known) return known;
  return /^\p{Script=Han}{2,4}$/u.test(lower) ? classifyCompound([...lower]) : undefined;
}

export function reachOf(word: string): 'just-now' | 'last-time' | undefined {
  return pointers.get(word.toLowerCase());
}

function classOf(word: string): WordClass | undefined {
  if (pointers.has(word)) return 'pointer';
  if (generic.has(word)) return 'generic';
  return fillers.has(word) ? 'filler' : undefined;
}

/** Two parts only, one of them a pointer: otherwise 上 and 下 would make every word of two characters empty. */
function classifyCompound(characters: string[]): WordClass | undefined {
  for (let i = 1; i < characters.length; i++) {
    const parts = [characters.slice(0, i).join(''), characters.slice(i).join('')].map((part) => classOf(part));
    if (parts.every((part) => part !== undefined) && parts.includes('pointer')) return 'pointer';
  }
  return undefined;
}

/** Points away from here. */
export const elsewhere =
  /另一?个?(?:项目|目录|仓库|文件夹|窗口|终端|会话|对话)|别的(?:项目|目录|仓库|文件夹|地方)|其他(?:项目|目录|仓库)|那边|隔壁(?:项目)?|\b(?:in |from |over )?(?:the|that|my|another|our) other (?:project|repo(?:sitory)?|folder|directory|window|terminal|tab|session|conversation|chat|place)(?:'s)?\b|\b(?:in |from )?another (?:project|repo(?:sitory)?|folder|directory|window|terminal|session)\b|\bover there\b|別の(?:プロジェクト|フォルダ|ディレクトリ)|다른 (?:프로젝트|폴더|디렉터리)/giu;

/** Somebody is talking about a talk: a time in the text then says when that was. */
export const pastTalk =
  /我们|咱们|你(?:说|提|给|告诉|建议)|我(?:问|说|提|让你|做|改|写|修)|聊|讨论|说过|提到|说的|讲的|写的|改的|做的|修的|问的|定的|那个|那次|那件|那份|那段|(?:天|晚|周|月|午|上|年|前)的|\b(?:we|you (?:said|told|suggested|gave|wrote|recommended)|i (?:asked|said|told|was|had|wrote|did))\b|\b(?:that|the|our|my)\b.*\bfrom\b|'s\b|話した|言った|やった|했던|말한|얘기/iu;
