// 解析命令文本时看不懂的东西：左边是底层给出的英文，右边是中文。

/** 命令文本里看不懂的东西，可以单独出现，也可以说成“其中有……”。 */
export const shellPhrases: Readonly<Record<string, string>> = {
  'an empty command': '空命令',
  'an empty command word': '空的命令名',
  'an assignment': '变量赋值',
  'a tilde or a pattern in the command word': '命令名里有波浪号或通配符',
  'a job': '作业编号',
  'the reserved word {word}': '保留字 {word}',
  'an expansion ($)': '展开（$）',
  'a command substitution (`)': '命令替换（`）',
  'a redirection ({sign})': '重定向（{sign}）',
  'a parenthesis': '圆括号',
  'a brace': '花括号',
  'an exclamation mark': '感叹号',
  'a comment': '注释',
  'a command in the background (&)': '后台命令（&）',
  'a quote without its end': '引号没有结束',
  'a line continuation': '续行',
  'a backslash at the end': '末尾的反斜杠',
  'a NUL character': 'NUL 字符',
  'a carriage return': '回车符',
  'an invisible character ({code})': '不可见字符（{code}）',
};
