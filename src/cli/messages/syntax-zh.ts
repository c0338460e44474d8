// 文件写错时，错在哪里：JSON 由我们自己说，TOML 由解析器说。

/** 不是 JSON 的文件错在哪里。 */
export const jsonPhrases: Readonly<Record<string, string>> = {
  'there is more behind the end': '结尾之后还有内容',
  'there is a comma too many': '多了一个逗号',
  'a colon is missing behind the name of a field': '字段名后面缺少冒号',
  'the name of a field must be in double quotation marks': '字段名必须用双引号括起来',
  'the file ends too early: a quotation mark or a bracket is not closed': '文件提前结束：有引号或括号没有闭合',
  'a comma or the closing } is missing': '缺少逗号或结尾的 }',
  'a comma or the closing ] is missing': '缺少逗号或结尾的 ]',
  'this is no value; text must be in double quotation marks': '这不是值；文本必须用双引号括起来',
  'the closing quotation mark is missing': '缺少结尾的引号',
  'a control character is in a text': '文本里有控制字符',
  'a backslash stands before something it does not go with': '反斜杠后面的字符不能转义',
};

/** TOML 解析器（smol-toml）说的话。 */
export const tomlPhrases: Readonly<Record<string, string>> = {
  'it is not TOML': '不是 TOML',
  'invalid value': '不是有效的值',
  'illegal leading zero': '数字不能以 0 开头',
  'illegal underscore': '下划线的位置不对',
  'unfinished numeric value': '数字没有写完',
  'integer value cannot be represented losslessly': '整数太大，无法精确表示',
  'invalid date': '不是有效的日期',
  'trying to redefine an already defined table or value': '这个表或值已经定义过',
  'trying to redefine an already defined value': '这个值已经定义过',
  'document contains an unsafe property': '其中有不安全的键名',
  'expected end of table array declaration': '缺少结尾的 ]]',
  'each key-value declaration must be followed by an end-of-line': '每个“键 = 值”之后必须换行',
  'invalid non-hex character in unicode escape': 'Unicode 转义里有非十六进制字符',
  'invalid unicode escape': 'Unicode 转义无效',
  'unrecognised escape sequence': '反斜杠后面的字符不能转义',
  'unfinished string': '文本没有写完，缺少结尾的引号',
  'control characters are not allowed in strings': '文本里不能有控制字符，或缺少结尾的引号',
  'control characters are not allowed in comments': '注释里不能有控制字符',
  'expected comma or end of structure': '缺少逗号或结尾的括号',
  'unfinished table': '表没有写完，缺少结尾的括号',
  'unfinished array': '列表没有写完，缺少结尾的 ]',
  'unexpected end of key': '缺少键名或等号',
  'illegal empty bare key': '缺少键名',
  'illegal character in key': '键名里有不能用的字符，或缺少等号',
};
