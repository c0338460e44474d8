// The verbs and phrases that ask to go on, by language, and what may stand around them. A trigger that stands among words it does not
// go with ("continue statement", "无法继续") is none.

export interface Trigger {
  start: number;
  end: number;
  /** It says by itself that there was something before: "where were we". */
  isWhole: boolean;
}

const boundary = '(?<![\\w\\-./\\\\`@#])';

/** Phrases that are a request by themselves. What follows must be joined by a preposition: "where were we with the parser". */
const englishWhole = new RegExp(
  `${boundary}(?:${[
    "where (?:were|was|did|had|have) (?:we|i)(?: (?:leave|left|stop|stopped|get to|got to|pause|paused|end up|break off|at))*(?: off| at| last)?(?= |$|[^\\w' ])",
    'where (?:we|i) (?:were|was|left|stopped|paused)(?: off| at| it)?',
    'where are we(?: at| now)?',
    '(?:what|which task|what task) (?:was|were|am|are|have) (?:we|i)(?: (?:just|last|been|currently))* (?:doing|working on|talking about|discussing|on about|up to|busy with|at|on|saying)',
    '(?:pick|picking|take|start|carry on|go on|continue|resume|begin)(?: (?:it|this|that|things|everything))?(?: back)?(?: up)?(?: again)?(?: right| exactly)? (?:from )?where (?:we|i|you) (?:left(?: it| things| this)?(?: off)?|stopped|paused|were|broke off)',
    '(?:pick|take) (?:it|this|that|things) (?:back )?up(?: again| from there)?',
    "(?:let'?s |can we |could we |shall we |we should )?(?:get|go|come|getting|going) back to (?:it|that|work|what we were (?:doing|discussing|talking about|working on)|where we were)",
    'what (?:did|have) (?:we|i)(?: last)? (?:do|done|discuss(?:ed)?|talk(?:ed)? about|work(?:ed)? on|get done|cover(?:ed)?)',
    'what was the last thing (?:we|i) (?:did|worked on|talked about|discussed|were doing|was doing)',
    "(?:what(?:'s| is)|anything) (?:left|unfinished|still open)(?: to do| to finish)?",
    'finish (?:it|that|this|what (?:you|we|i) (?:started|were doing|began)|the rest|up)(?: off)?(?=$|[^\\w ]| please| now)',
    'do the rest',
    "(?:so |and )?what'?s next",
    'what next',
    '(?:the )?next step(?: please)?(?=[\\s\\p{P}\\p{S}]*$)',
    'pick up the thread(?: again)?',
    'back to (?:it|work)(?=[\\s\\p{P}\\p{S}]*$)',
  ].join('|')})(?![\\w-])`,
  'iu',
);

const englishVerb = new RegExp(
  `${boundary}(?:continue|resume|proceed|go on|go ahead|carry on|keep going|keep at it|keep on(?= with)|keep working|move on(?= with)|pick up|press on|return to|(?:get|go|come) back to)(?![\\w-]|'s|\\()`,
  'iu',
);
/** After a verb: nothing, or something definite, or more work. "continue statement" and "resume a download" are neither. */
const englishObject =
  /^\s*(?:(?:on|with|from|to|at|in|work|working)\s+)*(?:the|that|this|those|these|our|my|your|his|what|where|it|them|last|yesterday|[\w]{3,}ing)\b|^\s*(?:with|from|on with|working on|work on|regarding|about)\s+\S/iu;
const englishNoObject =
  /^\s*(?:on (?:error|failure|conflict)|with (?:google|github|facebook|apple|email|wechat)|(?:without|after|if|when|unless|until|in (?:a |the )?(?:js|javascript|python|java|c\+*|rust|go|bash|loop))\b)/iu;
/** A thing of its own that is only called so. */
const englishNoun =
  /\b(?:statement|keyword|button|label|operator|(?:for|while|do|foreach|nested|inner|outer) loops?|vs\.?|versus|template|cover letter|cv|linkedin|luggage|baggage|bags?|holiday|vacation|playback|downloads?|integration|ideas|synonyms?|meaning|grammar|tense|lyrics|movie|song|episode|quotes?|flag)\b/iu;

const chineseVerb =
  /(?:继续|接着(?!剂|力)|接下去|往下(?=做|说|走|写|聊|讲|继续|干|来)|续上|接上(?=刚才|上次|之前|[!！。~\s]*$)|捡起来|回到(?=刚才|刚刚|之前|上次|上回|那个|我们| 的)|恢复(?=(?:到)?(?:刚才|上次|之前|昨天|昨晚|前天|会话|对话|任务|进度|工作)| 的))/u;
const chineseNoun =
  /^(?:继续|接着)(?:教育|医学|犯|履行|盘|性|率|按钮|语句|阅读|键|审计|关联|有效|雇佣|持有|上涨|下跌|加息|降息)/u;
const chineseWhole = new RegExp(
  [
    '(?:说|聊|讲|做|干|进行|弄|写|谈|讨论|搞|改|看|修|忙|推进|进展|调|测|学)到(?:了)?(?:哪(?:里|儿|一步|步|个地方|块|一块|个阶段|了)?|什么地方|什么程度|第几步|啥地方|啥程度)(?:了|啦|来着|呢)*(?=[\\s?？!！。~～,，]|$)',
    '(?:进度|进展)(?:到哪(?:里|儿|一步)?|怎么样|如何|咋样)(?:了|啦)?(?=[\\s?？!！。~～]|$)',
    '^(?:现在|我们|咱们|刚才|这)*到哪(?:里|儿|一步|步)?(?:了|啦|来着)(?=[\\s?？!！。~～]|$)',
    '(?:我们|咱们?|我|你)?(?:刚才|刚刚|上次|之前|昨天|昨晚|上回|先前|本来)?(?:正|都)?在?(?:做|聊|干|弄|说|讨论|搞|忙|讲|谈|写)(?:的是|的)?(?:什么|啥|哪个|哪件事)(?:事情?|来着|来的|任务)+(?=[\\s?？!！。~～]|$)',
    '(?:刚才|刚刚|上次|上回|先前)(?:我们|咱们|我)?(?:正|都)?在?(?:做|聊|干|弄|说|讨论|搞|忙|讲|谈)(?:的是|的)?(?:什么|啥)(?:了|呢|呀|啊)*(?=[\\s?？!！。~～]|$)',
    '(?:把)?(?:剩下|剩余|没做完|没写完|没弄完|未完成)的?(?:部分|任务|工作|事|活|内容)?(?:也)?(?:都)?(?:做完|写完|弄完|搞定|完成|干完|处理完|做了|搞完)',
    '(?:做完|写完|弄完|完成|搞定)(?:剩下|剩余|没做完|未完成)的?(?:部分|任务|工作|事|活|内容)?',
    '^(?:然后|下一步)(?:呢|是什么|做什么|干什么|干啥|该做什么|怎么走)?(?=[\\s?？!！。~～]*$)',
    '^(?:我们|咱们|咱|我|上次|上回|之前|刚才|刚刚|都|一起|最后|\\s)*(?:做|干|聊|说|讨论|弄|搞|忙|写|改)了(?:些|点)?(?:什么|啥)(?:事|内容|来着)?(?=[\\s?？!！。~～]*$)',
    '^(?:我们|咱们|我|现在|\\s)*还?(?:有|剩)(?:下)?(?:什么|哪些|啥)?(?:事|任务|工作)?(?:是)?(?:没做完|没完成|没弄完|没写完|未完成|待办|没做)的?(?:事情?|任务|工作|事项|部分)?(?=[\\s?？!！。~～吗]*$)',
    '^(?:请|麻烦|我们|咱们|能不能|可以|就|那|帮我|\\s)*(?:从|在)?(?:上次|刚才|之前)?(?:停下|断掉|中断|打断|停|断)(?:了)?的地方(?:继续|接着|开始)?(?:做|来)?',
  ].join('|'),
  'u',
);
/** Right before a verb these say that somebody else goes on, or that nobody can. */
const chineseNotBefore =
  /(?:不|别|无法|没法|不能|不用|不要|勿|才能|自动|是否|要不要|该不该|点击|按|会|必须|仍|仍然|后|停止|如何|怎么|怎样|还能|可否)\s*["“「']?$/u;

const japaneseWhole =
  /どこまで(?:やった|やりました|やってた|話した|話しました|話してた|進んだ|進みました|進んでた|行った|いった|できた|終わった|終わりました|した|しました)(?:ん|の|っけ|かな|か|です|でしょう|[?？。!！\s])*$|何(?:を)?(?:し|やっ|話し)て(?:い)?(?:たっけ|ましたっけ|たんだっけ|ましたか)[?？。\s]*$/u;
const japaneseVerb =
  /(?:(?<![手])続き(?!ます)|続け(?:て(?!い)|よう|ましょう|ます|る)?|再開|続行|継続)(?:を|から|に|の作業|作業|お願い|おねがい|いたし|致し|し|ます|ください|下さい|て|やっ|やろう|やりましょう|やる|いこう|いきましょう|行こう|する|しよう|しましょう|頼む|よろしく|で|です|たい|ね|よ|か|[?？。!！、〜~ー\s])*$/u;
const koreanWhole =
  /어디까지\s*(?:했|얘기했|이야기했|진행했|진행됐|하다|봤|말했|왔)(?:었|던|더|지|죠|어|나|라|요|니|습니까|말았|[?？.!\s])*$|(?:뭐|무엇을|뭘)\s*하고\s*있었(?:지|더라|죠|어|나요|[?？.!\s])*$/u;
const koreanVerb =
  /(?:계속|이어서|이어|마저)\s*(?:해|하자|하죠|합시다|할게|할까|진행|가자|작업|가|나가자|하기|주세요|줘|주라|요|부탁|봐|보자|[.!?~\s])*$/u;

/** Asking about something in general, not asking to go on. */
const question =
  /怎么|如何|为什么|为何|什么(?!地方|程度)|哪些|哪个(?!地方|阶段)|吗[?？]?$|是否|能否(?!继续|接着)|有没有|多少|多久|区别|影响|意思|意义|含义|用法|原因|[的么]翻译|英文|例子|利弊|定义|是啥|\b(?:how|why|which|who|whose|when|does|did|difference|mean|means|meaning|what(?:'s| is| are| does| do)|should i|is it|is there|are there|explain|define|example)\b|とは|なぜ|どうやって|理由|方法|왜|어떻게|무엇|방법/iu;
/** After the verb these only join a clause: "continue what we did". */
const englishAsking = /\b(?:how|why|which|who|whose|when|does|did)\b/giu;
/** Polite forms of asking to go on. */
const politeQuestion = /(?:可以|能|行|好)吗[?？]?$|\b(?:can|could|would|will|shall) (?:you|we|i)\b/iu;
const negation = /\b(?:don'?t|do not|never|cannot|can'?t|stop|unable to|fails? to|without|refuse to)\s*(?:to )?$/iu;
const englishLead =
  /^(?:[\s,.!;:~-]|please|pls|plz|kindly|ok(?:ay)?|hey|hi|hello|so|now|well|alright|right|yes|yeah|yep|sure|thanks|thank you|um+|uh|hm+|oh|and|then|just|again|let'?s|let us|can|could|would|will|shall|should|you|we|i|want to|wanna|i'?d like to|like to|need to|have to|ready to|time to|it'?s|to|claude|assistant|guys|bro|good morning|good evening|morning|back|i'?m|am|remind me|tell me|do you remember|remember|do you know|i forgot|quickly)*$/iu;
const definite = /那个|这个|那件|那份|那段|那边|刚才|刚刚|上次|之前|上回|把|\b(?:the|that|this|our|my)\b/iu;

/** What may be taken out of an English text as the request. */
export const englishRequests: readonly RegExp[] = [englishWhole, englishVerb];

/** The request to go on in the text, if it is one. Times and pointing elsewhere have been blanked out before. */
export function findTrigger(text: string): Trigger | undefined {
  const trigger = findWhole(text) ?? findEnglishVerb(text) ?? findChineseVerb(text) ?? findToTheEnd(text);
  if (!trigger || isQuoted(text, trigger)) return undefined;
  return trigger;
}

function findWhole(text: string): Trigger | undefined {
  const english = englishWhole.exec(text);
  if (english) {
    const before = text.slice(0, english.index);
    const after = text.slice(english.index + english[0].length);
    const follows =
      /^[\s\p{P}\p{S}]*$|^[\s,]*(?:on|with|about|regarding|in|for|concerning|over|from|at|again|please|now|then|there|last time|today|when)\b|^\s*[,.;:!?—–-]/iu.test(
        after,
      );
    const leads =
      englishLead.test(before) ||
      /[,.;:!?—–-]\s*(?:so )?$/u.test(before) ||
      (definite.test(before) && /^[\s\p{P}\p{S}]*$/u.test(after));
    if (follows && leads && !question.test(before) && !englishNoun.test(after)) return toTrigger(english, true);
  }
  const chinese = chineseWhole.exec(text);
  if (chinese && !/不|别|怎么|如何/u.test(text.slice(Math.max(0, chinese.index - 2), chinese.index)))
    return toTrigger(chinese, true);
  const other = japaneseWhole.exec(text) ?? koreanWhole.exec(text);
  return other ? toTrigger(other, true) : undefined;
}

function findEnglishVerb(text: string): Trigger | undefined {
  const match = englishVerb.exec(text);
  if (!match) return undefined;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  if (negation.test(before) || englishNoun.test(after) || englishNoun.test(before)) return undefined;
  const isAlone =
    /^(?:[\s\p{P}\p{S}]|please|pls|plz|with|it|that|this|on|now|then|thanks|thank you|again|for me|ok|sir|bro|everyone|谢谢|吧)*$/iu.test(
      after,
    );
  const needsObject = /^(?:pick up|return to|(?:get|go|come) back to)$/iu.test(match[0]);
  if (
    needsObject &&
    !/^\s*(?:the|that|our|my|this|work|tasks?|things?|stuff|discussion|conversation|session|chat)\b/iu.test(after)
  )
    return undefined;
  const isPickedUp =
    /^pick up$/iu.test(match[0]) && !/\b(?:again|thing|task|thread|work|discussion|conversation|from|where)\b/iu.test(after);
  if (isPickedUp) return undefined;
  const isLead = englishLead.test(before) || isCjkLead(before);
  if (isLead && isAlone) return toTrigger(match, false);
  if (
    isLead &&
    !needsPolite(text.replace(englishAsking, '')) &&
    !englishNoObject.test(after) &&
    (needsObject || englishObject.test(after) || /^\s*[,.:;—–-]\s*\S/u.test(after) || startsCjk(after))
  ) {
    return toTrigger(match, false);
  }
  // "The sofa thing: continue." — but not "press any key to continue".
  const closes =
    isAlone &&
    (/[,.;:!?，。：；—–-]\s*(?:please|pls|and|let'?s|just|now)?\s*$/iu.test(before) || /那个|刚才|上次|那件/u.test(before));
  return closes && !question.test(before) ? toTrigger(match, false) : undefined;
}

/** "continue那个登录的bug": the verb is English, the rest is not; with a pointer, or it is about the word. */
function startsCjk(after: string): boolean {
  return /^\s*(?:一下)?(?:刚才|刚刚|上次|之前|那个|这个|做|修|写|改|优化|调试|部署|弄|搞)/u.test(after) && !question.test(after);
}

function isCjkLead(before: string): boolean {
  return /^[\s,，。!！]*(?:请|麻烦|帮我|好的?|嗯|那|那就|我们|咱们|来|你|先|ok|可以|行)*[\s,，。!！]*$/iu.test(before);
}

/** A question about the thing, unless it is only a polite way to ask for it. */
function needsPolite(text: string): boolean {
  return question.test(text) && !politeQuestion.test(text);
}

function findChineseVerb(text: string): Trigger | undefined {
  const match = chineseVerb.exec(text);
  if (!match || chineseNoun.test(text.slice(match.index))) return undefined;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  const isBare = /^[\p{P}\s]*$/u.test(before) && /^[\p{P}\s]*$/u.test(after);
  if (!isBare && (chineseNotBefore.test(before) || needsPolite(text.replace(/(?:怎么样|什么|啥)(?:来着|的)/gu, '')))) {
    return /^(?:能不能|能否|可不可以|可以)?$/u.test(before.trim()) && !question.test(after.replace(/吗[\s\p{P}]*$/u, ''))
      ? toTrigger(match, false)
      : undefined;
  }
  const lead = before.replace(/[\p{P}\s]+/gu, '');
  const isLead = isMadeOf(lead, chineseLead);
  if (isLead) return toTrigger(match, false);
  // After its object: 导航那个任务继续.
  const closes =
    /^(?:做|干|弄|搞|修|改|写|说|聊|来|推进|完成|下去|做完|干完|写完|修完|处理|搞定|优化|调|跑|看|进行|往下|讨论|一下|吧|呀|啊|哈|呗|了|谢谢|[\p{P}\s])*$/u.test(
      after,
    );
  const joins =
    definite.test(before) ||
    /[，,。.：:；;!！—-]\s*$/u.test(before) ||
    /(?:任务|方案|工作|项目|计划|问题|部分|事情?|活儿?|稿子?|文档|章|脚本|页面|[A-Za-z\d]| )$/u.test(before);
  return closes && joins && lead.length <= 40 ? toTrigger(match, false) : undefined;
}

/** Longest first: they are taken one by one, without a way back. */
const chineseLead =
  /(?:hello|可不可以|okay|吃完饭了|麻烦你|能不能|hey|没关系|回来了|早上好|晚上好|麻烦|帮我|帮忙|好的|好吧|那么|那就|来吧|我们|咱们|可以|能否|现在|马上|ok|你好|您好|hi|哈喽|刚才|刚刚|上次|之前|上回|没事|打算|任务|工作|对话|那个|这个|事情|一起|谢谢|是的|今天|请|好|嗯|哦|啊|那|来|你|您|咱|我|再|就|先|从|接|早|想|要|的|事|让|跟|和|行|对|在)/iuy;

/** The whole text is a chain of what the sticky pattern matches. A repeated group would try every way to part it. */
function isMadeOf(text: string, unit: RegExp): boolean {
  unit.lastIndex = 0;
  while (unit.lastIndex < text.length) if (!unit.test(text)) return false;
  return true;
}

/** Japanese and Korean put the verb last. */
function findToTheEnd(text: string): Trigger | undefined {
  const match = japaneseVerb.exec(text) ?? koreanVerb.exec(text);
  if (!match || question.test(text)) return undefined;
  const before = text.slice(0, match.index);
  if (/(?:手|接|相|連|打ち|引き)$/u.test(before) || /(?:않고|왜|안|못)\s*$/u.test(before)) return undefined;
  if (/继续/u.test(text)) return undefined;
  return toTrigger(match, false);
}

function toTrigger(match: RegExpExecArray, isWhole: boolean): Trigger {
  return { start: match.index, end: match.index + match[0].length, isWhole };
}

/** The word itself is talked about: what does "carry on" mean. */
function isQuoted(text: string, { start, end }: Trigger): boolean {
  const opens = /["'`“”「『‘《〈]\s*$/u.test(text.slice(0, start));
  const closes = /^\s*["'`“”」』’》〉]/u.test(text.slice(end));
  const others = (text.slice(0, start) + text.slice(end)).replace(/[\p{P}\p{S}\s]+/gu, '');
  return opens && closes && others !== '';
}
