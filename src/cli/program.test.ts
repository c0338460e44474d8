import { describe, expect, it } from 'vitest';
import { commandNames } from './command-table.ts';
import { en } from './messages/en.ts';
import type { Messages } from './messages/messages.ts';
import { zh } from './messages/zh.ts';
import { commonRuler } from './output/text-ruler.ts';
import { createProgram } from './program.ts';

async function helpPages(text: Messages, columns: number): Promise<[string, string][]> {
  const { root, define } = createProgram({ text, columns });
  const pages: [string, string][] = [];
  for (const command of [root, ...(await Promise.all(commandNames.map(async (name) => (await define(name)).command)))]) {
    const parts: string[] = [];
    command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => columns });
    command.outputHelp();
    pages.push([command.name(), parts.join('')]);
  }
  return pages;
}

describe('help', () => {
  it('teaches every command with examples', async () => {
    for (const [name, page] of await helpPages(en, 80)) {
      expect(page.startsWith('Usage: continuo'), name).toBe(true);
      expect(page, name).toMatch(/\nExamples:\n {2}\$ .+\n {6}\S/);
    }
  });

  it('is Chinese throughout where Chinese is spoken', async () => {
    for (const [name, page] of await helpPages(zh, 80)) {
      expect(page, name).toMatch(/\n示例：\n {2}\$ .+\n {6}\S/);
      // Words of the parser that stayed English would show up here.
      expect(page, name).not.toMatch(/Usage|Options:|Arguments|Commands|default:|choices|\[options\]/);
    }
  });

  it('describes every argument and option', async () => {
    const { root, define } = createProgram({ text: en });
    const parts = [...root.options.map((option) => ({ name: option.flags, description: option.description }))];
    for (const name of commandNames) {
      const { command } = await define(name);
      parts.push(...command.options.map((option) => ({ name: `${name} ${option.flags}`, description: option.description })));
      parts.push(
        ...command.registeredArguments.map((argument) => ({
          name: `${name} ${argument.name()}`,
          description: argument.description,
        })),
      );
    }
    expect(parts.filter(({ description }) => !description)).toEqual([]);
  });

  it('wraps its sentences to the width of the terminal', async () => {
    for (const text of [en, zh]) {
      for (const [name, page] of await helpPages(text, 80)) {
        const sentences = (page.split(/\n(?:Examples:|示例：)\n/)[0] as string).split('\n');
        for (const line of sentences) expect(commonRuler.width(line), `${name}: ${line}`).toBeLessThanOrEqual(80);
      }
    }
  });
});
