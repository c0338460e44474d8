// The formats there are. One line each; a new format is added here and in docs/formats/transcripts.md.
import { agentChatterFormat } from './agent-chatter/agent-chatter-format.ts';
import { chatGptFormat } from './chatgpt/chatgpt-format.ts';
import { cisFormat } from './cis/cis-format.ts';
import { claudeAiFormat } from './claude-ai/claude-ai-format.ts';
import { claudeCodeFormat } from './claude-code/claude-code-format.ts';
import { codexFormat } from './codex/codex-format.ts';
import { continueFormat } from './continue/continue-format.ts';
import { copilotFormat } from './copilot/copilot-format.ts';
import { geminiFormat } from './gemini/gemini-format.ts';
import { jarvisFormat } from './jarvis/jarvis-format.ts';
import { nanobotFormat } from './nanobot/nanobot-format.ts';
import { openAiFormat } from './openai/openai-format.ts';
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
  agentChatterFormat,
  jarvisFormat,
  nanobotFormat,
  cisFormat,
  chatGptFormat,
  claudeAiFormat,
  openAiFormat,
];

export function findFormat(name: string): TranscriptFormat | undefined {
  return transcriptFormats.find((format) => format.name === name);
}

/** Whose session a file is; undefined where nobody knows it. */
export function detectFormat(file: { path: string; head: Buffer }): TranscriptFormat | undefined {
  return transcriptFormats.find((format) => format.detect(file));
}
