import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../test/support/processor-time.ts';
import { asksToGoOn, type Intent, readIntent } from './continue-intent.ts';

const goOn = [
  // Chinese
  '继续刚才的任务',
  '继续',
  '继续吧',
  '继续！！！',
  '继续。。。',
  '请继续',
  '继续继续',
  '继 续',
  '继续哈～',
  '嗯，继续',
  '好的，继续吧，谢谢',
  '👉继续🙏',
  '麻烦继续一下',
  '那就继续',
  '我们继续',
  '继续做',
  '继续干活',
  '继续说',
  '继续上次的',
  '继续上次的对话',
  '继续之前没做完的任务',
  '继续刚刚的工作吧',
  '继续昨天的任务',
  '继续那个任务',
  '接着做',
  '接着来',
  '接着刚才的来',
  '接着上次的继续',
  '接着说',
  '接着干',
  '接着往下做',
  '接着聊',
  '往下说',
  '往下继续',
  '刚才说到哪了',
  '刚才说到哪儿了？',
  '我们上次聊到哪儿',
  '我们做到哪一步了',
  '上次讲到哪里了呢',
  '咱们进行到哪了',
  '我们刚才在做什么',
  '刚才在聊什么来着',
  '我们之前在忙什么来着？',
  '刚才那个任务',
  '上次那件事',
  '刚才的事情',
  '把剩下的做完',
  '完成剩下的部分',
  '能不能继续',
  '可以继续吗？',
  '你好，继续刚才的任务',
  '继序',
  '继绪刚才的任务',
  '说道哪了',
  '聊到那了？',
  '恢复上次的会话',
  '恢复之前的进度',
  '从刚才停下的地方继续',
  '下一步呢？',
  '然后呢',
  '继续另一个项目里的任务',
  '继续 please',
  'continue吧',
  '继续　刚才的　任务',
  '继续上一个话题',
  '刚刚做到一半，继续',
  '回到刚才的话题',
  '上次做了什么',
  '昨天我们干了什么',
  '还有什么没做完',
  '还有哪些待办？',
  '我上次让你做的事',
  '能接着上次的来吗',
  '可以从上次断开的地方继续吗',
  '我回来了，继续',
  '早上好，我们继续吧',
  '接着昨天的进度',
  '继续未完成的工作',
  '刚才那个问题继续说',
  '继续修',
  // English
  'continue',
  'Continue.',
  'CONTINUE!!!',
  'cONtinue…',
  'contineu',
  'contnue please',
  'coninue',
  'pls continue 🙏',
  'ok continue',
  'Okay, please continue, thanks!',
  'continue please',
  'continue with that',
  'continue the task',
  'Continue from where we left off',
  'continue where you left off',
  "let's continue",
  'can you continue?',
  'could we continue the conversation',
  'go on',
  'Go on...',
  'go ahead',
  'carry on',
  'carry on with that',
  'keep going',
  'keep going please',
  'proceed',
  'resume',
  'Resume!',
  'resum',
  'resume the task',
  'resume what we were doing',
  'pick up where we left off',
  'Pick up where we left off yesterday',
  "let's pick up where we left off",
  'pick it back up',
  'where were we',
  'Where were we?',
  'so... where were we?',
  'wehre were we',
  'where did we leave off',
  'where did we stop?',
  'remind me where we were',
  'what were we doing',
  'what were we talking about?',
  'what was I working on?',
  'what was I doing in the other project yesterday',
  "let's get back to it",
  'back to work',
  "what's next?",
  'next step',
  'do the rest',
  'finish what you started',
  'jixu',
  'continue on',
  'continue from yesterday',
  'continue what we did on Monday',
  "let's pick up last night's work",
  'what did we do last time?',
  'what was the last thing we did?',
  "what's left to do?",
  'anything unfinished?',
  'back to what we were doing',
  'continue fixing',
  'continue from step 3',
  'resume session',
  'resume last conversation',
  "yesterday's task",
  "the other project's task",
  'shall we continue?',
  'continue!! 继续!!',
  // Japanese and Korean
  '続けて',
  '続けてください',
  '続きをお願いします',
  'さっきの続き',
  '前回の続きから',
  'さっきの作業を続けて',
  'どこまでやったっけ？',
  'どこまで話しましたか',
  '再開して',
  '계속',
  '계속해줘',
  '계속 진행해 주세요',
  '이어서 해줘',
  '아까 하던 거 계속해',
  '어디까지 했지?',
  '지난번에 하던 작업 이어서 하자',
];

const goOnWith: [string, string][] = [
  ['继续导航那个任务', '导航'],
  ['接着修昨天那个登录的 bug', '修 那个登录的 bug'],
  ['继续做沙发导航', '沙发导航'],
  ['继续写论文第三章', '论文第三章'],
  ['继续优化那条 SQL', '优化那条 SQL'],
  ['继续部署吧', '部署'],
  ['导航那个任务继续', '导航'],
  ['登录那个bug接着修', '登录那个bug 修'],
  ['把博客迁移的任务继续做完', '博客迁移'],
  ['请继续刚才的数据库迁移', '数据库迁移'],
  ['我们上次聊的旅行计划聊到哪了', '旅行'],
  ['导航任务做到哪一步了？', '导航'],
  ['论文写到哪了', '论文'],
  ['能不能接着弄一下 LoginForm.tsx', 'LoginForm.tsx'],
  ['继续：支付回调', '支付回调'],
  ['接着上周的 CSS 布局', 'CSS 布局'],
  ['continue那个登录的bug', '登录的bug'],
  ['继续了解 redis', '了解 redis'],
  ['恢复昨天的爬虫任务', '爬虫'],
  ['继续修 src/auth/login.ts 的类型错误', '修 src/auth/login.ts 的类型错误'],
  ['登录bug继续', '登录bug'],
  ['继续翻译第二章', '翻译第二章'],
  ['帮我接着写完那篇博客', '那篇博客'],
  ['remember the sofa task? continue it', 'sofa'],
  ["ok let's continue with the CSS stuff from yesterday", 'CSS'],
  ['continue implementing the search index', 'implementing the search index'],
  ['continue the sofa thing', 'sofa'],
  ['Continue with the login refactor', 'login refactor'],
  ['please continue fixing parse_config', 'fixing parse_config'],
  ['continue our discussion about the tax form', 'tax form'],
  ['carry on with the CSS grid work', 'CSS grid'],
  ['resume the database migration', 'database migration'],
  ['where were we with the parser?', 'parser'],
  ['where did we leave off on the deployment', 'deployment'],
  ['go on with the recipe bot', 'recipe bot'],
  ['keep working on the thesis outline', 'thesis outline'],
  ["let's get back to the robot navigation", 'robot navigation'],
  ['can you continue the invoice export?', 'invoice export'],
  ['what were we doing with the CI cache?', 'CI cache'],
  ["continue yesterday's work on the scraper", 'scraper'],
  ['the sofa thing: continue', 'sofa'],
  ['continue: flaky checkout test', 'flaky checkout test'],
  ['contineu the C++ build', 'C++ build'],
  ['pick up the billing discussion again', 'billing'],
  ['ログインのバグの続きをお願いします', 'ログインのバグ'],
  ['로그인 버그 계속 해줘', '로그인 버그'],
];

const traps = [
  // Chinese
  '继续教育的政策是什么',
  '继续教育学分怎么查',
  '继续医学教育',
  'continue 语句怎么用',
  'python 里 continue 和 break 有什么区别',
  '“继续”用英语怎么说',
  '如何让 curl 继续下载',
  '程序出错后无法继续',
  '不要继续了',
  '别继续',
  '点击继续按钮没有反应',
  '按任意键继续',
  '是否应该继续使用 Node 16',
  '继续使用旧版本有什么风险',
  '继续加息的影响',
  '继续阅读链接的样式',
  '快递到哪了',
  '文件保存到哪里了',
  '日志写到哪里比较合适',
  '把数据存到哪',
  '接着剂是什么',
  '先安装依赖，接着运行测试',
  '刚才的报错是什么意思',
  '上次更新 Node 是什么版本',
  '之前的订单怎么退款',
  '昨天的天气',
  '怎么恢复误删的文件',
  '恢复出厂设置',
  '恢复数据库备份',
  '如何继续一个中断的 rsync',
  '断点续传怎么实现',
  '连续性方程',
  '持续集成怎么配置',
  '循环里怎么跳过继续执行',
  '为什么 git rebase --continue 报错',
  '下一步骤的按钮居中',
  '他跑到哪了',
  '帮我设置导航到沙发',
  '写一个接力赛的故事',
  '继续深造的意义',
  '他刚才说了什么语言',
  '还有什么颜色可以选',
  '任务队列怎么设计',
  // English
  'continue statement in JavaScript',
  'how do I resume a download in curl',
  'where were the files saved',
  'go on holiday ideas',
  'git rebase --continue',
  'continue vs break',
  'continue keyword in a nested loop',
  'press any key to continue',
  'what does "carry on" mean',
  'carry on luggage size',
  'resume template for engineers',
  'review my resume',
  'resume a download',
  "don't continue",
  'do not go on',
  'continue-on-error in GitHub Actions',
  'continue on error in a workflow',
  'continuous integration setup',
  'how do I continue a loop in Rust',
  'why does the build not continue',
  'where were you born',
  'where were we supposed to put the env file',
  'what were we doing wrong with the mutex',
  'what was the error in the log',
  'pick up the kids at five',
  'keep going out of memory',
  'keep the going rate in mind',
  'my script keeps going forever',
  'proceeds of the sale',
  'the process should proceed without locks',
  'next.js routing',
  'next steps for a cold email',
  'the other project uses pnpm',
  'Continuo release notes',
  'go on strike meaning',
  'ongoing incidents',
  'continue to checkout button color',
  'set up navigation to the sofa',
  'left off-by-one errors in the parser',
  'where are the logs',
  'continued fractions',
  'back to the future plot',
  'what did we do wrong in the migration script',
  'where were we going for dinner',
  'resume upload after network failure',
  'go on a diet plan',
  'continue as guest button missing',
  'continue with Google sign in',
  'what is left join in SQL',
  'proceed to checkout page is broken',
  // Japanese and Korean
  '手続きの方法',
  '継続的インテグレーションとは',
  '続けてエラーが出る',
  '会議を続ける理由は何ですか',
  '계속 오류가 나요',
  '왜 계속 재시작하나요',
];

describe('readIntent', () => {
  it.each(goOn.map((text) => [text]))('reads %j as a request to go on', (text) => {
    expect(pick(readIntent(text))).toEqual({ kind: 'continue', content: '' });
    expect(asksToGoOn(text)).toBe(true);
  });

  it.each(goOnWith)('reads %j as going on with %j', (text, content) => {
    expect(pick(readIntent(text))).toEqual({ kind: 'mixed', content });
  });

  it.each(traps.map((text) => [text]))('searches for %j', (text) => {
    expect(readIntent(text).kind).toBe('search');
  });

  it('has a table of at least 150 rows, 60 of them traps, half of the whole Chinese', () => {
    const all = [...goOn, ...goOnWith.map(([text]) => text), ...traps];
    const chinese = all.filter((text) => /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text));
    expect([all.length >= 150, traps.length >= 60, new Set(all).size === all.length]).toEqual([true, true, true]);
    expect(chinese.length / all.length).toBeGreaterThan(0.4);
  });

  it.each(['hello', '谢谢', 'ok thanks', '好的', '', '   ', '👍'])('has nothing to search for in %j', (text) => {
    expect(pick(readIntent(text))).toEqual({ kind: 'search', content: '' });
  });

  it('keeps the text of a search as it was written', () => {
    expect(readIntent('How does parseConfig() handle C# files?').content).toBe('How does parseConfig() handle C# files');
  });

  it('says how far back and where the words point', () => {
    expect(readIntent('继续刚才的任务').deixis).toEqual({ words: ['刚才'], reach: 'just-now', elsewhere: false });
    expect(readIntent('继续上次那个任务').deixis).toEqual({ words: ['上次', '那个'], reach: 'last-time', elsewhere: false });
    expect(readIntent('继续另一个项目里的任务').deixis).toEqual({ words: ['另一个项目'], elsewhere: true });
    expect(readIntent('continue').deixis).toEqual({ words: [], elsewhere: false });
    expect(readIntent('continue what we did in the other project').deixis.elsewhere).toBe(true);
  });

  it('gives the time of an earlier talk, and takes it out of the content', () => {
    const at = { now: Date.UTC(2026, 2, 4, 6), offsetMinutes: 480 };
    const yesterday = { from: Date.UTC(2026, 2, 2, 16), to: Date.UTC(2026, 2, 3, 16) };
    expect(readIntent('继续昨天的任务', at)).toMatchObject({ kind: 'continue', when: yesterday });
    expect(readIntent('接着修昨天那个登录的 bug', at)).toMatchObject({ kind: 'mixed', when: yesterday });
    expect(readIntent('我们昨天讨论的缓存方案', at)).toMatchObject({
      kind: 'search',
      content: '我们 讨论的缓存方案',
      when: yesterday,
    });
    expect(readIntent('yesterday in French', at)).toEqual({
      kind: 'search',
      content: 'yesterday in French',
      deixis: { words: [], elsewhere: false },
    });
  });

  it('reads the beginning of a long text only', () => {
    const specification = 'The export must hold every invoice. '.repeat(200);
    expect(readIntent(`${specification} continue`).kind).toBe('search');
    expect(readIntent(`继续刚才的任务。${specification}`)).toMatchObject({
      kind: 'mixed',
      content: specification.trim().slice('The '.length, -1),
    });
  });

  it('is quick on hostile text', () => {
    const units = [
      '继续',
      'a',
      'please ',
      '那个',
      '1 ',
      '好的',
      '嗯',
      '你好',
      '那就',
      'would like to ',
      'um ',
      '작업해',
      'しましょう',
      '刚才',
      ' ',
      '"',
    ];
    const taken = processorTime(() => {
      for (const unit of units) {
        for (const [before, after] of [
          ['', ''],
          ['', 'x继续'],
          ['继续', 'x'],
          ['continue', 'x'],
          ['계속', 'x'],
          ['続けて', 'x'],
        ] as const) {
          readIntent(before + unit.repeat(20_000) + after, { now: 0 });
          readIntent(before + unit.repeat(100) + after, { now: 0 });
        }
      }
    });
    expect(taken).toBeLessThan(10_000);
  });
});

function pick({ kind, content }: Intent): Pick<Intent, 'kind' | 'content'> {
  return { kind, content };
}
