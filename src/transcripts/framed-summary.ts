// A summary as agents hand it to their models: after a sentence that says what it is. Stored are the words alone.

export const claudeSummaryFrame =
  'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n';

/** By it Codex also knows a summary from what the user said. */
export const codexSummaryFrame =
  'Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:\n';

export function frameSummary(frame: string, text: string): string {
  return text.startsWith(frame) ? text : frame + text;
}

export function unframeSummary(frame: string, text: string): string {
  return text.startsWith(frame) ? text.slice(frame.length) : text;
}
