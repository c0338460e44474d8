// An agent program as a member. It goes on with its own session, so that it remembers what it did; where that session is gone it
// begins anew and is told everything.
import { isContinuoError } from '../../model/error.ts';
import type { AgentProgram, AgentProgramEvent } from '../../model/ports/agent-program.ts';
import type { Speaker, SpeakerEvent, SpeakerRequest } from './speaker.ts';

export function createProgramSpeaker(program: AgentProgram, options: { cwd: string }): Speaker {
  const { cwd } = options;
  return {
    label: program.id,
    async *speak({ instructions, prompt, wholePrompt = prompt, signal, session }: SpeakerRequest): AsyncGenerator<SpeakerEvent> {
      const full = `${instructions}\n\n${wholePrompt}`;
      if (session === undefined) return yield* translate(program.run({ prompt: full, cwd, signal }));
      let hasSpoken = false;
      try {
        for await (const event of translate(
          program.run({ prompt: `${instructions}\n\n${prompt}`, cwd, signal, sessionId: session }),
        )) {
          hasSpoken ||= event.type === 'text-delta';
          yield event;
        }
      } catch (error) {
        if (hasSpoken || signal.aborted || !isContinuoError(error, 'program-failed')) throw error;
        yield* translate(program.run({ prompt: full, cwd, signal }));
      }
    },
  };
}

async function* translate(events: AsyncIterable<AgentProgramEvent>): AsyncGenerator<SpeakerEvent> {
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'thinking-delta' || event.type === 'activity') yield event;
    else if (event.type === 'session') yield { type: 'session', id: event.sessionId };
    else if (event.type === 'finish') yield { type: 'finish', usage: event.usage, text: event.text };
  }
}
