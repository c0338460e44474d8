// What the offline provider says, in both languages. It never speaks as a language model would: it says what it is, and quotes.
import type { RecallAnswer, RecallHit } from '../../model/ports/recall.ts';

export interface OfflineWords {
  /** The first line of every answer. */
  nature: string;
  /** In its place where nothing may be recalled. */
  noRecall: string;
  found(count: number): string;
  newest: string;
  nothingFound(question: string): string;
  nothingStored: string;
  /** Who said it, when and where. */
  origin(hit: RecallHit, moment: string): string;
  searched(searched: RecallAnswer['searched']): string;
  modelHint: string;
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const command = '`continuo config set model.name anthropic:…`';
const flag = '`continuo chat --model anthropic:…`';

export const offlineWords: Readonly<Record<'en' | 'zh', OfflineWords>> = {
  en: {
    nature: 'No language model is configured. What follows are quotations from the conversations stored here, nothing else.',
    noRecall: 'No language model is configured, and recall is off: there is nothing to answer with. What was said is stored.',
    found: (count) => (count === 1 ? 'One passage fits:' : `${count} passages fit, the best first:`),
    newest: 'The newest conversations ended like this:',
    nothingFound: (question) => `Nothing that was said before fits ${question}.`,
    nothingStored: 'There is no earlier conversation to quote from.',
    origin: ({ title, project, role, kind }, moment) => {
      const who = { user: 'the user', assistant: 'the assistant', system: 'the system' }[role ?? 'system'];
      const what =
        kind === 'message'
          ? `said by ${who}`
          : kind === 'title'
            ? 'its title'
            : kind === 'summary'
              ? 'from a summary'
              : 'printed by a tool';
      const where = title === undefined ? 'in a conversation without a title' : `in ${line(title, '"', '"')}`;
      return `${what} on ${moment}, ${where}${project === undefined ? '' : `, project ${line(project, '"', '"')}`}`;
    },
    searched: ({ conversations, entries, complete }) =>
      `Looked through: ${plural(entries, 'entry', 'entries')} of ${plural(conversations, 'conversation', 'conversations')}${complete ? ', all there are' : '; older ones were not looked at'}.`,
    modelHint: `For answers by a language model: ${command}, or once with ${flag}.`,
  },
  zh: {
    nature: '没有配置语言模型。以下只是这里保存的对话的原文引用，没有别的内容。',
    noRecall: '没有配置语言模型，回忆也已关闭：没有可以用来回答的内容。说的话已经保存。',
    found: (count) => `找到 ${count} 段相符的内容，最相关的在前：`,
    newest: '最近的对话停在这里：',
    nothingFound: (question) => `以前说过的话里没有与${question}相符的内容。`,
    nothingStored: '还没有可以引用的对话。',
    origin: ({ title, project, role, kind }, moment) => {
      const who = { user: '用户', assistant: '助手', system: '系统' }[role ?? 'system'];
      const what = kind === 'message' ? `${who}说` : kind === 'title' ? '标题' : kind === 'summary' ? '摘自小结' : '工具输出';
      const where = title === undefined ? '未命名的对话' : `对话${line(title, '“', '”')}`;
      return `${what}，${moment}，${where}${project === undefined ? '' : `，项目${line(project, '“', '”')}`}`;
    },
    searched: ({ conversations, entries, complete }) =>
      `查找范围：${conversations} 个对话的 ${entries} 条记录${complete ? '，即全部内容' : '，更早的没有查找'}。`,
    modelHint: `要由语言模型回答：${command}，或只用一次：${flag}。`,
  },
};

const maxName = 100;

/** Other people's words in a line of ours: they may not leave it. */
export function line(text: string, open: string, close: string): string {
  const flat = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return `${open}${flat.length > maxName ? `${flat.slice(0, maxName).toWellFormed()}…` : flat}${close}`;
}
