// /export: the conversation in a file, in the form its name says. Another file is overwritten only where the person says so.
import { isContinuoError } from '../../../model/error.ts';
import { exportInto, formatOfFile, startExport } from '../../export/export-conversation.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { ReplHost } from '../repl-host.ts';
import { completeFile, readFileName } from './complete-file.ts';
import { currentConversation } from './current-conversation.ts';
import { type SlashAction, WrongUse } from './slash-command.ts';

export const exportConversation: SlashAction = {
  complete: (words) => (words.length === 1 ? completeFile(words[0] ?? '') : []),
  async run(words, host) {
    const file = readFileName(words);
    if (file === '') throw new WrongUse();
    try {
      await write(host, file, false);
    } catch (error) {
      if (!isContinuoError(error, 'file-exists')) throw error;
      if (await mayOverwrite(host, file)) await write(host, file, true);
      else host.say(host.context.text.slash.turnedAway, 'note');
    }
  },
};

async function write(host: ReplHost, file: string, force: boolean): Promise<void> {
  const conversation = await currentConversation(host);
  if (!conversation) return;
  const format = formatOfFile(file);
  await exportInto(host.context, file, {
    ...(await startExport(host.context, host.store, conversation, format)),
    format,
    force,
  });
}

async function mayOverwrite(host: ReplHost, file: string): Promise<boolean> {
  const words = host.context.text.slash.export;
  const choices = [
    { key: 'o', label: words.overwrite },
    { key: 'n', label: words.keep },
  ];
  return (await host.ask({ lines: [words.exists(plainLine(file))], choices })) === 'o';
}
