import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTalk } from '../../../../test/support/talk-host.ts';

describe('/export', () => {
  it('writes the conversation in the form the name says', async () => {
    const { type, talk, folder } = await openTalk();
    await talk('Where is the harbour?');
    const page = join(folder, 'the talk.md');
    expect(await type(`/export "${page}"`)).toEqual([
      expect.stringMatching(/^plain: 2 entries written to .*the talk\.md \(.*\)\.$/),
    ]);
    expect(readFileSync(page, 'utf8')).toContain('Where is the harbour?');
    const lines = join(folder, 'talk.jsonl');
    await type(`/export ${lines}`);
    expect(JSON.parse(readFileSync(lines, 'utf8').split('\n')[0] ?? '')).toMatchObject({ format: 'continuo-conversation' });
  });

  it('overwrites a file only where the person says so', async () => {
    const { type, talk, folder, answers, asked } = await openTalk('zh');
    await talk('港口在哪里？');
    const file = join(folder, 'talk.md');
    writeFileSync(file, 'mine');
    expect(await type(`/export ${file}`)).toEqual(['note: 什么都没有改变。']);
    answers.push('n');
    expect(await type(`/export ${file}`)).toEqual(['note: 什么都没有改变。']);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    answers.push('o');
    await type(`/export ${file}`);
    expect(readFileSync(file, 'utf8')).toContain('港口在哪里？');
    expect(asked).toEqual(
      Array(3).fill({
        lines: [`${file} 已经存在。`],
        choices: [
          { key: 'o', label: '覆盖' },
          { key: 'n', label: '保持原样' },
        ],
      }),
    );
  });

  it.each([
    ['en', 'it is a folder; name a file in it', 'there is no such folder'],
    ['zh', '它是一个文件夹，请写明其中的文件名', '没有这个文件夹'],
  ] as const)(
    'says what is wrong with a name that cannot be written, and offers nothing that cannot be done (%s)',
    async (...given) => {
      const [language, isFolder, isNowhere] = given;
      const { type, talk, folder, asked } = await openTalk(language);
      await talk('Where is the harbour?');
      expect((await type(`/export ${folder}`)).join()).toContain(isFolder);
      expect((await type(`/export ${join(folder, 'none/x.md')}`)).join()).toContain(isNowhere);
      expect(asked).toEqual([]);
    },
  );

  it('needs a name, and something that was said; names are completed', async () => {
    const { type, folder, complete } = await openTalk();
    expect(await type('/export')).toEqual([expect.stringMatching(/^warning: Use it like this: \/export FILE\.md · /)]);
    expect(await type(`/export ${join(folder, 'x.md')}`)).toEqual([expect.stringMatching(/^warning: Nothing was said yet/)]);
    writeFileSync(join(folder, 'notes.md'), '');
    expect(await complete(`/export ${folder}/no`)).toEqual([`${folder}/notes.md`]);
  });
});
