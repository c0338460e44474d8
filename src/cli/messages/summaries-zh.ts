// 询问许可时，内置工具用一句英文说明要做什么；这里是对应的中文。按工具分开列出，命令的原文绝不翻译。
import { createTranslator } from './phrase-translator.ts';

const translators = new Map([
  ['read_file', createTranslator({ 'read {path}': '读取 {path}' })],
  ['edit_file', createTranslator({ 'edit {path}': '编辑 {path}' })],
  ['list_files', createTranslator({ 'list the files in {path}': '列出 {path} 里的文件' })],
  ['search_files', createTranslator({ 'search {path} for {query}': '在 {path} 里搜索 {query}' })],
  [
    'write_file',
    createTranslator({
      'write 1 line to {path}': '写入 {path}（1 行）',
      'write {count} lines to {path}': '写入 {path}（{count} 行）',
    }),
  ],
]);

export function translateSummary(tool: string, summary: string): string {
  return translators.get(tool)?.(summary) ?? summary;
}
