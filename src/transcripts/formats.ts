// The formats there are. One line each; a new format is added here and in docs/formats/transcripts.md.
import { claudeCodeFormat } from './claude-code/claude-code-format.ts';
import { codexFormat } from './codex/codex-format.ts';
import { continueFormat } from './continue/continue-format.ts';
import { copilotFormat } from './copilot/copilot-format.ts';
import { geminiFormat } from './gemini/gemini-format.ts';
import { opencodeFormat } from './opencode/opencode-format.ts';
import { piFormat } from './pi/pi-format.ts';
import { qwenFormat } from './qwen/qwen-format.ts';
import type { TranscriptFormat } from './transcript-format.ts';

export const transcriptFormats: readonly TranscriptFormat[] = [
  claudeCodeFormat,
  codexFormat,
  geminiFormat,
  qwenFormat,
  piFormat,
  opencodeFormat,
  copilotFormat,
  continueFormat,
];

export function findFormat(name: string): TranscriptFormat | undefined {
  return transcriptFormats.find((format) => format.name === name);
}

/** Whose session a file is; undefined where nobody knows it. */
export function detectFormat(file: { path: string; head: Buffer }): TranscriptFormat | undefined {
  return transcriptFormats.find((format) => format.detect(file));
}
