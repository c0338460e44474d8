import { describe, expect, it } from 'vitest';
import { complete, sharedStart } from './complete.ts';

const sources = {
  slash: async (line: string) => {
    const commands = ['/help', '/team', '/resume', '/recall', '/rename'];
    if (!line.includes(' ')) return { start: 0, choices: commands.filter((name) => name.startsWith(line)) };
    const last = line.slice(line.lastIndexOf(' ') + 1);
    return { start: line.length - last.length, choices: ['deploy', 'list', 'status'].filter((word) => word.startsWith(last)) };
  },
  describe: () => '',
  members: [
    { id: 'rev', name: 'Reviewer', paint: 'cyan' as const },
    { id: 'wang', name: '小王', paint: 'green' as const },
  ],
};

async function offered(before: string): Promise<{ length: number; texts: string[] } | undefined> {
  const found = await complete(before, sources);
  return found && { length: found.length, texts: found.offers.map(({ text }) => text) };
}

describe('completion', () => {
  it('offers commands at the beginning and their words behind', async () => {
    expect(await offered('/re')).toEqual({ length: 3, texts: ['/resume', '/recall', '/rename'] });
    expect(await offered('/team d')).toEqual({ length: 1, texts: ['deploy'] });
    expect(await offered('/team ')).toEqual({ length: 0, texts: ['deploy', 'list', 'status'] });
    expect(await offered('say /re')).toBeUndefined();
  });

  it('offers members by name or id, and gives the word to them with @', async () => {
    expect(await offered('ask Rev')).toEqual({ length: 3, texts: ['Reviewer'] });
    expect(await offered('@rev')).toEqual({ length: 4, texts: ['[NEXT: Reviewer] '] });
    expect(await offered('好 @小')).toEqual({ length: 2, texts: ['[NEXT: 小王] '] });
    expect(await offered('[NEXT: Reviewer, 小')).toEqual({ length: 1, texts: ['小王'] });
    expect(await offered('nothing like it')).toBeUndefined();
  });

  it('knows what all offers begin with', () => {
    expect(sharedStart(['/resume', '/recall', '/rename'].map((text) => ({ text, about: '' })))).toBe('/re');
  });
});
