import { describe, expect, it } from 'vitest';
import { asksToGoOn, readIntent } from './continue-intent.ts';
import { holdsOwnWord } from './own-word.ts';

describe('holdsOwnWord', () => {
  it('tells most questions at a glance', () => {
    const questions = [
      'timeout',
      'what port does the dev server use',
      'Docker compose, please',
      '超时',
      '数据库密码',
      'parser 里的超时',
    ];
    expect(questions.filter((question) => !holdsOwnWord(question))).toEqual([]);
  });

  it('says nothing of words that requests are made of, however they are typed', () => {
    const requests = [
      'continue',
      'Contniue please',
      'proceeed',
      'resume fixing',
      'where were we yesterday afternoon',
      'what did we discuss two months ago',
      'go back to the other repository',
      'carry on from last Wednesday',
      'finish what we started in january 12',
      'continue, 👉please',
      'ｃｏｎｔｉｎｕｅ',
      '继续',
      '接着上次的来',
      '说道哪了',
      '还有什么没做完',
      '再開',
    ];
    expect(requests.filter((request) => holdsOwnWord(request))).toEqual([]);
  });

  it('never contradicts the patterns, also where many words of requests meet', () => {
    const words = (
      'continue resume go on back to the other project repository folder window from last week month january september 3 weeks days ' +
      'minutes hours ago earlier yesterday morning afternoon tonight weekend where what were was did we i left off stopped doing working ' +
      'discussing discussed talking about pick up take it things next step finish rest unfinished please task that session keep going ' +
      'carry proceed continuee resum taht over there another terminal a while few couple several monday'
    ).split(' ');
    let state = 7;
    const pick = () => {
      state = (state * 48271) % 2147483647;
      return words[state % words.length] as string;
    };
    const texts = Array.from({ length: 1500 }, (_, i) => Array.from({ length: 1 + (i % 6) }, pick).join(' '));
    const wrong = texts.filter((text) => asksToGoOn(text) !== (readIntent(text).kind === 'continue'));
    expect(wrong).toEqual([]);
    expect(texts.filter((text) => asksToGoOn(text)).length).toBeGreaterThan(50);
  });

  it('does not look where the patterns do not look', () => {
    expect(holdsOwnWord(`continue ${'please '.repeat(40)}timeout `)).toBe(false);
    expect(holdsOwnWord(`${'please '.repeat(28)}timeout`)).toBe(false);
  });
});
