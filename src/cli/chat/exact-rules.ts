// Rules that say less than they seem to: a program that runs whatever it is told is allowed by its whole command only.
import { runsOtherText } from '../../exec/shell/runs-other-text.ts';
import { parseRule } from '../../runtime/approvals/approval-rule.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';

export function warnOfExactRules({ output, style, text }: Context, allow: readonly string[]): void {
  for (const rule of allow)
    if (runsOtherText(parseRule(rule))) output.warn(style.yellow(text.approval.onlyExact(plainLine(rule))));
}
