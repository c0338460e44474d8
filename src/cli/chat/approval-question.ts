// How a person is asked for permission: the exact command or change, why it is asked, and the answers there are. What would be
// remembered is shown in the answer that remembers it.
import type { JsonValue } from '../../base/json.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Context } from '../context.ts';
import { plainLine, visibleText } from '../output/plain-text.ts';
import { previewChange } from './change-preview.ts';

export interface AskedQuestion {
  lines: string[];
  /** The line that waits for the answer. */
  prompt: string;
  /** What can be typed, as people are told. */
  keys: string;
  /** The answer that a typed key means; undefined where it means none. */
  read(typed: string): ApprovalAnswer | undefined;
}

type Words = readonly string[];
type ApprovalWords = Context['text']['approval'];

const hour = 3_600_000;

/** `input` is what the call was given, where it is known. */
export function formatQuestion(context: Context, question: ApprovalQuestion, input?: JsonValue): AskedQuestion {
  const { text, style } = context;
  const words = text.approval;
  const rules = rulesFor(question.needs);
  // Where only a person may answer, nothing can be remembered.
  const isRemembered = question.reason === undefined && rules.length > 0;
  const choices: Choice[] = [
    { key: 'y', means: words.once, answer: { allow: true } },
    ...(isRemembered ? rememberingChoices(words, rules) : []),
    { key: 'n', means: words.no, answer: { allow: false } },
  ];
  const reason =
    question.reason === undefined ? [] : [style.dim(`  ${words.because(plainLine(text.translateReason(question.reason)))}`)];
  const command = visibleText(text.translateSummary(question.tool, question.summary))
    .split('\n')
    .map((line) => `  ${style.bold(line)}`);
  const keys = choices.map(({ key }) => key).join('/');
  return {
    keys,
    lines: [
      style.yellow(words.asks(plainLine(question.tool))),
      ...command,
      ...previewChange(context, question.tool, input),
      ...reason,
      ...choices.map(({ key, means }) => `  [${key}] ${means}`),
    ],
    prompt: `${words.answer(keys)} `,
    read: (typed) => choices.find(({ key }) => key === typed.trim().toLowerCase())?.answer,
  };
}

interface Choice {
  key: string;
  means: string;
  answer: ApprovalAnswer;
}

function rememberingChoices(words: ApprovalWords, rules: readonly OfferedRule[]): Choice[] {
  const shown = rules.map((rule) => formatRule(rule, words)).join(', ');
  const prefix = rules.every(({ isPrefix }) => isPrefix) ? { prefix: rules.map((rule) => rule.words) } : {};
  const allow = (remember: NonNullable<ApprovalAnswer['remember']>) => ({ allow: true, remember: { ...remember, ...prefix } });
  return [
    { key: 'h', means: words.hour(shown), answer: allow({ scope: 'conversation', milliseconds: hour }) },
    { key: 'a', means: words.conversation(shown), answer: allow({ scope: 'conversation' }) },
    { key: 's', means: words.session(shown), answer: allow({ scope: 'session' }) },
  ];
}

interface OfferedRule {
  words: Words;
  /** It speaks for everything that begins so. */
  isPrefix: boolean;
}

/** Either all of them speak for what begins so, or all for exactly what was asked: an answer knows nothing between. */
function rulesFor(needs: readonly Words[]): OfferedRule[] {
  const rules = needs.map(ruleFor);
  return rules.every(({ isPrefix }) => isPrefix) ? rules : needs.map((words) => ({ words, isPrefix: false }));
}

/** What "always" would mean for a need: wide enough to be of use, narrow enough to hold no surprise. */
function ruleFor(need: Words): OfferedRule {
  const [first = '', second = '', third] = need;
  if (first === 'write_file' || first === 'read_file')
    return need.length > 2 ? { words: need.slice(0, -1), isPrefix: true } : { words: need, isPrefix: true };
  if (first === 'mcp') return { words: need, isPrefix: true };
  if (!withSubcommands.has(first) || !isPlainWord(second)) return { words: need, isPrefix: false };
  if (scripts.has(second) && third !== undefined && isPlainWord(third)) return { words: need.slice(0, 3), isPrefix: true };
  return { words: need.slice(0, 2), isPrefix: true };
}

function formatRule({ words, isPrefix }: OfferedRule, text: ApprovalWords): string {
  const rule = plainLine(words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '));
  return isPrefix ? text.andMore(rule) : text.asked(rule);
}

function isPlainWord(word: string): boolean {
  return /^[A-Za-z][\w:.-]*$/.test(word);
}

/** Programs whose first word says what they do. */
const withSubcommands = new Set(
  'git npm pnpm yarn bun deno cargo rustup go docker podman kubectl pip pip3 uv poetry gh glab brew apt systemctl terraform dotnet mvn gradle'.split(
    ' ',
  ),
);
const scripts = new Set(['run', 'compose']);
