// What recall refuses to be asked, and what it finds by the parts of a name.
import { describe, expect, it } from 'vitest';
import type { RecallQuery } from '../../src/model/ports/recall.ts';
import { ConversationContext } from '../../src/recall/context/conversation-context.ts';
import { createBench } from './workbench.ts';

describe('a query', () => {
  it.each([
    [undefined, 'query'],
    [{}, 'text'],
    [{ text: null }, 'text'],
    [{ text: 'a', project: 5 }, 'project'],
    [{ text: 'a', projects: 'a' }, 'projects'],
    [{ text: 'a', limit: -1 }, 'limit'],
    [{ text: 'a', limit: Number.NaN }, 'limit'],
    [{ text: 'a', role: 'bogus' }, 'role'],
    [{ text: 'a', since: 'yesterday' }, 'since'],
    [{ text: 'a', except: 'me' }, 'except'],
    [{ text: 'a', except: ['me'] }, 'except'],
    [{ text: 'a', exceptKeys: 'me' }, 'exceptKeys'],
  ])('%j is refused with a code that names the field', async (query, what) => {
    const { engine } = await createBench();
    await expect(engine.find(query as unknown as RecallQuery)).rejects.toMatchObject({
      code: 'invalid-input',
      details: { what },
    });
  });

  it('of the context is refused in the same way', async () => {
    const { engine, store } = await createBench();
    const context = new ConversationContext({ store, recall: engine });
    const refused = { code: 'invalid-input', details: { what: 'request', reason: 'it must be a text' } };
    await expect(context.prepareAiPrompt(null as unknown as string)).rejects.toMatchObject(refused);
    await expect(context.findSimilarConversations(5 as unknown as string)).rejects.toMatchObject(refused);
  });

  it.each(['hello', 'thanks', '你好', 'the', 'continue', '🎂'])(
    'of nothing but %j says that it is not searched for',
    async (text) => {
      const { say, find } = await createBench();
      await say(['hello, thanks, continue the 🎂 你好']);
      expect(await find(text)).toMatchObject({ hits: [], emptyBecause: 'nothing-asked' });
    },
  );
});

describe('an identifier', () => {
  it('is found by its beginning, also where a part is a stop word, and not by one part of several', async () => {
    const { say, texts } = await createBench();
    await say(['Retries go through isTransientError() in net.ts.', 'The shop will open at nine.']);
    expect(await texts('isTransient')).toEqual(['Retries go through isTransientError() in net.ts.']);
    expect(await texts('openAccount')).toEqual([]);
  });
});
