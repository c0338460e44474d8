// Short messages, half Chinese and half English, with a vocabulary that falls off as that of languages does: a few words stand in one
// message of twenty, most are rare, and every message has a number of its own.

export const talkWords = {
  common: ['server', 'parser', 'deploy', 'window', 'config', 'memory', 'socket', 'report'],
  chinese: ['数据', '缓存', '部署', '日志', '会议', '预算', '接口', '页面'],
  rareChinese: ['沙发', '漂移', '签名', '账单', '闹钟', '船票', '钢琴', '雨伞'],
};

const fillers = {
  english: ['please check', 'I think', 'it fails with', 'we should change', 'look at', 'then run', 'after that', 'because of'],
  chinese: ['请先检查', '我觉得', '然后再改', '昨天说的', '这里应该', '最好马上', '不要忘记', '他们已经'],
};

const characters = [
  ...'山水火木金土日月星云风雨雪花草树石路车船门窗桌椅书笔纸字画歌舞琴棋诗词曲酒茶饭菜米面油盐糖果瓜豆鱼肉蛋奶衣帽鞋袜布丝棉麻城镇村街桥河湖海岛湾港田园林牧渔工农商学兵医药刀枪剑弓盾马牛羊鸡狗猫鸟虫蛇龙虎兔鼠猴',
];

export function makeTalk(number: number): string {
  const random = createRandom(number);
  return number % 2 === 0 ? english(number, random) : chinese(number, random);
}

function english(number: number, random: () => number): string {
  const words = [pick(fillers.english, random), `ticket${number}`];
  // Each common word in about one message of twenty.
  if (random() < 0.8) words.push(pick(talkWords.common, random));
  for (let i = 0; i < 8; i++) words.push(`w${Math.floor(random() ** 3 * 30_000).toString(36)}`);
  words.push(
    pick(fillers.english, random),
    `src/m${number % 97}/handle${pick(['Open', 'Close', 'Read'], random)}${number % 211}.ts`,
  );
  return words.join(' ');
}

function chinese(number: number, random: () => number): string {
  let text = pick(fillers.chinese, random);
  if (random() < 0.8) text += pick(talkWords.chinese, random);
  if (random() < 0.004) text += pick(talkWords.rareChinese, random);
  for (let i = 0; i < 14; i++) text += characters[Math.floor(random() ** 2 * characters.length)];
  text += `，${pick(fillers.chinese, random)}`;
  for (let i = 0; i < 10; i++) text += characters[Math.floor(random() * characters.length)];
  return `${text}。编号${number}`;
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

function createRandom(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
