// Words that anything can be said with: they name no subject. A question is not about them, and neither is a topic.
import { tokenizeText } from './tokenize-text.ts';

/** As they are written, in lower case. */
export const weakWords: ReadonlySet<string> = new Set(
  [
    'use using used need needs needed want wants wanted try trying tried run running ran fix fixed fixing add added adding set setting',
    'change changed changing check checked checking look looks looking see seen work works working worked help find found finding keep put',
    'take took taking start started starting stop stopped create created creating write writing wrote written read reading know think call',
    'called come came turn turned move moved happen happens happened mean means seem seems show shows showing ask asked asking answer new',
    'old right wrong better best bad big small long short high low full empty ready next time day week problem issue question idea example',
    'case point part place number name line step steps task tasks result results continue continued resume decided decide decision finished',
    'finish done open opened close closed send sent return returned returns update updated remove removed delete deleted build built',
    'pass sum held hit leave reach minute hour month year currently usually probably exactly simple possible different correct whole every back still able instead maybe sounds done',
    '设置 使用 需要 问题 任务 工作 东西 事情 方法 方式 情况 部分 内容 地方 时间 开始 继续 完成 结束 处理 进行 实现 支持 添加 增加 修改 修复 删除 更新 查看 检查 看看 看到 发现 知道 觉得 认为',
    '总是 先用 太大 太小 太慢 不打扰 平时 建议 可能 直接 目前 当前 首先 其次 最后 结果 决定 结论 原因 步骤 下一步 比如 例如 其实 正在 准备 告诉 帮忙 改成 变成 成功 失败 出现 导致 这么 那么 不用 不要 是否 所有 全部 整个 多个 之间 出来 起来 下来 一步 已经 建好 想要 写好 改为 打开 关闭 选择 放在 加上 换成 试试 试过 先把 再把 还是 还有 就是 只有 只要 只能 都是 也是 不对 没问题',
  ]
    .join(' ')
    .split(' '),
);

let weakTokens: ReadonlySet<string> | undefined;

/** Whether a token is one of them. */
export function isWeakWord(token: string): boolean {
  weakTokens ??= new Set(findWeakTokens());
  return weakTokens.has(token);
}

/** Of a script without spaces a word of two characters is one pair, and that pair a token. */
function findWeakTokens(): string[] {
  const words = [...weakWords];
  const spaced = words.filter((word) => /^[a-z]+$/.test(word)).join(' ');
  const pairs = words.filter((word) => word.length === 2 && word > '\u4e00');
  return [...tokenizeText(spaced).trimEnd().split(' '), ...pairs];
}
