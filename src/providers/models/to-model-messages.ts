// Turns entries into the messages a provider is sent, in one walk and without copying texts. Whatever a history looks like (cut off,
// trimmed, written by other agents), what comes out has a shape that every provider accepts: a user speaks first and last or a tool
// answers last, roles alternate, every call has exactly one result right behind it, ids are unique, and no text is blank.
import type { PromptItem } from '../../model/ports/text-model.ts';
import { MessageList, type MessageListOptions } from './message-list.ts';
import type { SdkPrompt } from './sdk-model.ts';

export interface ConversionOptions extends MessageListOptions {
  instructions?: string;
}

const noStart = '(The beginning of this conversation is not shown.)';
const noEnd = '(Go on.)';

export function toModelMessages(prompt: Iterable<PromptItem>, options: ConversionOptions): SdkPrompt {
  const system: string[] = isBlank(options.instructions) ? [] : [wellFormed(options.instructions)];
  const list = new MessageList(options);
  const showNames = hasSeveralAuthors(prompt);
  for (const item of prompt) {
    switch (item.kind) {
      case 'message': {
        if (isBlank(item.text)) break;
        const text = wellFormed(item.text);
        if (item.role === 'assistant') list.addAssistantText(text);
        else if (item.role === 'user')
          list.addUserText(showNames && item.author ? `${oneLine(item.author.name)}: ${text}` : text);
        // Most providers take instructions at the very beginning only; later ones are told as a note, which claims less.
        else if (list.isEmpty) system.push(text);
        else list.addUserText(quote('system-note', text));
        break;
      }
      case 'summary':
        if (!isBlank(item.text)) list.addUserText(quote('summary-of-earlier-conversation', wellFormed(item.text)));
        break;
      case 'thinking':
        list.addThinking(item.text);
        break;
      case 'tool-call':
        list.addCall(item);
        break;
      case 'tool-result':
        list.addResult({ ...item, text: isBlank(item.text) ? '(no output)' : wellFormed(item.text) });
        break;
      case 'label':
      case 'event':
        break;
    }
  }
  const messages = list.finish({ noStart, noEnd });
  return system.length === 0 ? messages : [{ role: 'system', content: system.join('\n\n') }, ...messages];
}

/** Names are needed to tell people apart, and only then. */
function hasSeveralAuthors(prompt: Iterable<PromptItem>): boolean {
  let first: string | undefined;
  for (const item of prompt) {
    if (item.kind !== 'message' || item.role !== 'user') continue;
    const author = item.author?.id ?? item.author?.name ?? '';
    first ??= author;
    if (author !== first) return true;
  }
  return false;
}

/** A name that stays on its line cannot pass for somebody else's message. */
function oneLine(name: string): string {
  return wellFormed(name.replace(/\s+/g, ' ').trim().slice(0, 80));
}

/** History that is quoted is data; the tag says so. */
function quote(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || !/\S/.test(text);
}

/** Half a surrogate pair makes a request that some providers cannot read. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
