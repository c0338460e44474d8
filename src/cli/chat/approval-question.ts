// How a person is asked for permission: the exact command, why it is asked, and the answers there are. What would be remembered is
// shown in the answer that remembers it.
import type { ApprovalAnswer, ApprovalQuestion } from '../../runtime/approvals/approvals.ts';
import type { Context } from '../context.ts';
import { plainLine, plainText } from '../output/plain-text.ts';

export interface AskedQuestion {
  lines: string[];
  /** The line that waits for the answer. */
  prompt: string;
  /** The answer that a typed key means; undefined where it means none. */
  read(typed: string): ApprovalAnswer | undefined;
}

type Words = readonly string[];

export function formatQuestion({ text, style }: Context, question: ApprovalQuestion): AskedQuestion {
  const words = text.approval;
  const rules = rulesFor(question.needs);
  // Where only a person may answer, nothing can be remembered.
  const isRemembered = question.reason === undefined && rules.length > 0;
  const shown = rules.map((rule) => formatRule(rule, words)).join(', ');
  const choices: [string, string][] = [
    ['y', words.once],
    ...(isRemembered
      ? ([
          ['a', words.conversation(shown)],
          ['s', words.session(shown)],
        ] as [string, string][])
      : []),
    ['n', words.no],
  ];
  const reason =
    question.reason === undefined ? [] : [style.dim(`  ${words.because(plainLine(text.translateReason(question.reason)))}`)];
  const command = plainText(question.summary)
    .split('\n')
    .map((line) => `  ${style.bold(line)}`);
  const prefix = rules.every(({ isPrefix }) => isPrefix) ? { prefix: rules.map((rule) => rule.words) } : {};
  const answers: Readonly<Record<string, ApprovalAnswer>> = {
    y: { allow: true },
    n: { allow: false },
    ...(isRemembered && {
      a: { allow: true, remember: { scope: 'conversation', ...prefix } },
      s: { allow: true, remember: { scope: 'session', ...prefix } },
    }),
  };
  return {
    lines: [
      style.yellow(words.asks(plainLine(question.tool))),
      ...command,
      ...reason,
      ...choices.map(([key, means]) => `  [${key}] ${means}`),
    ],
    prompt: `${words.answer(choices.map(([key]) => key).join('/'))} `,
    read: (typed) => {
      const key = typed.trim().toLowerCase();
      return Object.hasOwn(answers, key) ? answers[key] : undefined;
    },
  };
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

function formatRule({ words, isPrefix }: OfferedRule, text: Context['text']['approval']): string {
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
