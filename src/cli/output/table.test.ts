import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Column, renderTable } from './table.ts';
import { createRuler } from './text-ruler.ts';

const columns: Column[] = [
  { heading: 'ID' },
  { heading: '条数', align: 'right' },
  { heading: 'PROJECT', narrow: 8 },
  { heading: 'TITLE', flexible: true },
];
const rows = [
  ['cnv_1', '7', '项目甲', '部署方案 🚀'],
  ['cnv_22', '1234', 'a-very-long-project-name', 'An ordinary title that goes on and on'],
].map((row) => row.map((text) => ({ text })));

async function render(width: number | undefined): Promise<string[]> {
  const ruler = await createRuler(rows.flat().map(({ text }) => text));
  return renderTable(columns, rows, { ruler, width, paintHeading: (text) => text });
}

describe('tables', () => {
  it('line up whatever script the cells are in', async () => {
    expect(await render(undefined)).toEqual([
      'ID      条数  PROJECT                   TITLE',
      'cnv_1      7  项目甲                    部署方案 🚀',
      'cnv_22  1234  a-very-long-project-name  An ordinary title that goes on and on',
    ]);
  });

  it('fit the terminal: first the long names give way, then the title', async () => {
    expect(await render(45)).toEqual([
      'ID      条数  PROJECT   TITLE',
      'cnv_1      7  项目甲    部署方案 🚀',
      'cnv_22  1234  a-very-…  An ordinary title th…',
    ]);
  });

  it('are never wider than the terminal', async () => {
    for (let width = 14; width < 90; width++) {
      for (const line of await render(width)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('leave out what can be missed where there is no room, the most dispensable first', async () => {
    const ruler = await createRuler(rows.flat().map(({ text }) => text));
    const ranked = columns.map((column, i): Column => (i === 1 || i === 2 ? { ...column, dispensable: i } : column));
    const at = (width: number) => renderTable(ranked, rows, { ruler, width, paintHeading: (text) => text })[2];
    expect([at(34), at(30), at(20)]).toEqual([
      'cnv_22  1234  a-very-…  An ordina…',
      'cnv_22  1234  An ordinary tit…',
      'cnv_22  An ordinary…',
    ]);
  });

  it('paint the text and not the space around it', async () => {
    const ruler = await createRuler([]);
    const cells = [[{ text: 'a', paint: (text: string) => `<${text}>` }, { text: 'b' }]];
    expect(
      renderTable([{ heading: 'long' }, { heading: 'x' }], cells, { ruler, width: undefined, paintHeading: (text) => text }),
    ).toEqual(['long  x', '<a>     b']);
  });
});
