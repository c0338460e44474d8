// A language model as a member, or one that only looks things up and is asked with the last question alone. It is given no tools:
// what it can do in a team is speak.
import type { TextModel } from '../../model/ports/text-model.ts';
import type { Speaker, SpeakerEvent, SpeakerRequest } from './speaker.ts';

export function createModelSpeaker(model: TextModel, options: { readsLastWords?: boolean } = {}): Speaker {
  return {
    label: model.id,
    ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
    async *speak({ instructions, prompt, lastWords, signal }: SpeakerRequest): AsyncGenerator<SpeakerEvent> {
      const said = { kind: 'message', role: 'user', text: options.readsLastWords ? lastWords : prompt } as const;
      for await (const event of model.stream({ instructions, prompt: [said], tools: [], signal })) {
        if (event.type === 'text-delta' || event.type === 'thinking-delta') yield event;
        else if (event.type === 'finish') yield { type: 'finish', usage: event.usage };
      }
    },
  };
}
