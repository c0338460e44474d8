// What a restore of a code agent tells besides what every restore tells.
import { fillTemplate } from '../model/error.ts';
import type { SessionNotice } from '../snapshot/session-notice.ts';

const codeAgentNotices = {
  'code-root-moved': 'The project was at {from} when the session was saved. The work goes on in {to}.',
  'code-model-other': 'The session was held with {saved}, which cannot be had here. {model} goes on.',
  'code-commit-gone':
    'The commit {commit}, from which the work began, is not in the repository any more. Changes are compared with the present one.',
} as const;

export function createWarning(code: keyof typeof codeAgentNotices, details: Record<string, string>): SessionNotice {
  return { level: 'warning', code, details, text: fillTemplate(codeAgentNotices[code], details) };
}
