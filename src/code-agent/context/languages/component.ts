// Vue and Svelte: the scripts of a component are read as TypeScript, at the lines where they stand.
import type { LanguageScanner } from '../file-record.ts';
import { typescript } from './typescript.ts';

export const component: LanguageScanner = {
  language: 'component',
  extensions: ['vue', 'svelte'],
  scan(text) {
    const { symbols, imports, words } = typescript.scan(keepScripts(text));
    const markup = text.replace(/<script\b[\s\S]*?<\/script>|<style\b[\s\S]*?<\/style>|<[^>]*>/g, ' ');
    return { symbols, imports, words: `${words} ${markup.replace(/\s+/g, ' ').trim()}`.slice(0, 4000) };
  },
};

function keepScripts(text: string): string {
  let out = '';
  let done = 0;
  for (const { 0: whole, 1: head = '', index } of text.matchAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g)) {
    const start = index + head.length;
    const end = index + whole.length - '</script>'.length;
    out += text.slice(done, start).replace(/[^\n]/g, ' ') + text.slice(start, end);
    done = end;
  }
  return out;
}
