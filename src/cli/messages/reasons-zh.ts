// 错误说明里由底层给出的片段（底层只用英文）。左边是英文原文，花括号代表会变的部分；右边是中文。没有列出的片段保持原样。

const phrases: Readonly<Record<string, string>> = {
  'it is a symbolic link': '它是符号链接',
  'it is empty': '内容为空',
  'ENOSPC: no space left on device, write': '设备上没有剩余空间',
  'it is not JSON': '不是 JSON',
  'it is not a database, or it is encrypted': '它不是数据库，或已加密',
  'there is no {file} in it': '里面没有 {file}',
  'its {file} cannot be read': '其中的 {file} 无法读取',
  '{file} is missing': '缺少 {file}',
  '{file} is changed': '{file} 已被改动',
  '{id} is in the backup only': '{id} 只在备份里',
  '{id} is not in the backup': '备份里没有 {id}',
  '{id} is kept differently': '{id} 的属性不一致',
  'the text of some entries is not the same': '有些条目的文本不一致',
  '{path} does not exist': '{path} 不存在',
  '{path} is not a regular file': '{path} 不是普通文件',
  'other users may read this key file; run "chmod 600" on it': '其他用户也能读取这个密钥文件，请对它运行 chmod 600',
  'it has {found} bytes, and at least {least} random bytes are needed': '它只有 {found} 字节，至少需要 {least} 个随机字节',
  'it has {found} bytes, more than any key needs': '它有 {found} 字节，密钥用不着这么大',
  'it is not a folder': '它不是文件夹',
  'it is not a regular file': '它不是普通文件',
  'it says that its format is {found}': '它声称自己的格式是 {found}',
  'the record of conversation {id} is damaged': '对话 {id} 的记录已损坏',
  'a sealed line was changed': '有一行密文被改动过',
  'no line with its metadata can be read': '没有一行能读出它的元数据',
  'its name belongs to another conversation': '文件名属于另一个对话',
  'what was written cannot be read': '写入的内容读不出来',
  'it is too long for one line of a file': '它太长，一行放不下',
  'its own record is damaged': '它自身的记录已损坏',
  'entry {seq} does not match its checksum': '第 {seq} 条与校验和不符',
  'entry {seq} cannot be read': '第 {seq} 条无法读取',
  'entries {from} to {to} cannot be read': '第 {from} 到第 {to} 条无法读取',
  '{missing} of {all} entries are missing': '{all} 条中缺少 {missing} 条',
  '{missing} of {all} entries are not in the file': '{all} 条中有 {missing} 条不在文件里',
  'it counts {expected} entries and holds {found}': '记录为 {expected} 条，实有 {found} 条',
  '{found} entries, but its metadata accounts for {expected}': '实有 {found} 条，元数据记录为 {expected} 条',
  'the last {size} bytes are gone: a change of its metadata': '末尾 {size} 字节（一次元数据的修改）不见了',
  'a symbolic link; it is never followed': '是符号链接，绝不会跟随',
  'not a file of this store': '不是本存储的文件',
  'the line is not what was written': '这一行与写入时不同',
  'the last line lacks its end; the next append adds it': '最后一行缺少结尾，下次写入时补上',
  'the last line is cut off; the next append removes it': '最后一行不完整，下次写入时去掉',
  'the same conversation is in {file}': '同一个对话也在 {file} 里',
  'the write-ahead log ends in {count} unusable pages; what was committed before them is intact':
    '预写日志末尾有 {count} 页无法使用，在此之前提交的内容完好',
  'the write-ahead log ends in {count} loose bytes; what was committed before them is intact':
    '预写日志末尾有 {count} 个零散字节，在此之前提交的内容完好',
  'other users have rights to {file} (mode {mode})': '其他用户有权访问 {file}（权限 {mode}）',
  'back up': '备份',
  'compress old text': '压缩旧文本',
  'its ttl must be more than 0 milliseconds': '它的 ttl 必须大于 0 毫秒',
  'it must be the path of a folder': '必须是文件夹的路径',
  'it must have a passphrase or a keyFile': '必须有 passphrase 或 keyFile',
  'it must be an object': '必须是对象',
  lease: '租约',
  home: '主目录',
  key: '密钥',
  'read options': '读取选项',
  passphrase: '口令',
  'key file': '密钥文件',
  'key parameters': '密钥参数',
  title: '标题',
  entry: '条目',
  conversation: '对话',
  query: '查询条件',
  capacity: '容量',
  'it must be a whole number above 0': '必须是大于 0 的整数',
  'approval rule': '批准规则',
  'approval id': '批准编号',
  webhook: 'webhook 地址',
  'it must begin with http:// or https://': '必须以 http:// 或 https:// 开头',
  'it answered {status}': '对方回应 {status}',
  'it did not answer in time': '对方没有及时回应',
  'it cannot be reached': '无法连接对方',
  'too many notices wait for an answer': '等待回应的通知太多',
  'this system has no program for notices on the desktop': '此系统没有可用的桌面通知程序',
  '{program} is not installed': '没有安装 {program}',
  '{program} ended with {status}': '{program} 以 {status} 结束',
  'it fits several approvals; give more characters': '符合的批准不止一个，请多给几个字符',
  'it must be one simple command, without operators, expansions or redirections':
    '必须是一条简单命令，不能有操作符、展开或重定向',
  'it must have at least one word': '至少要有一个词',
  'value of {name}': '{name} 的值',
  'there is no setting "{name}"; did you mean "{suggestion}"?': '没有名为“{name}”的设置，是不是想写“{suggestion}”？',
  'there is no setting "{name}"': '没有名为“{name}”的设置',
  '{name} must be one of {choices}, not {value}': '{name} 只能是 {choices} 之一，不能是 {value}',
  '{name} must be true or false, not {value}': '{name} 只能是 true 或 false，不能是 {value}',
  '{name} must be a whole number from {least} to {most}, not {value}': '{name} 须为 {least} 到 {most} 之间的整数，不能是 {value}',
  '{name} must be a path, not {value}': '{name} 须为路径，不能是 {value}',
  '{name} must be a text, not {value}': '{name} 须为文本，不能是 {value}',
  '{name} must be a list of texts, not {value}': '{name} 须为文本列表，不能是 {value}',
  '{name} must be an address that begins with http:// or https://, not {value}':
    '{name} 须为以 http:// 或 https:// 开头的地址，不能是 {value}',
  '{name} cannot be changed automatically here; edit the file by hand': '{name} 在此文件里无法自动修改，请手工编辑',
  '{field}: Too big: expected string to have <={most} characters': '{field}：过长，最多 {most} 个字符',
  '{field}: Too small: expected string to have >={least} characters': '{field}：过短，至少 {least} 个字符',
  '{field}: Too big: expected array to have <={most} items': '{field}：过多，最多 {most} 个',
};

const patterns = Object.entries(phrases).map(([english, chinese]) => ({ pattern: toPattern(english), chinese }));

export function translateReason(reason: string): string {
  for (const { pattern, chinese } of patterns) {
    const found = pattern.exec(reason);
    if (found) return chinese.replace(/\{(\w+)\}/g, (_, name: string) => found.groups?.[name] ?? '');
  }
  return reason;
}

function toPattern(english: string): RegExp {
  const source = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  return new RegExp(`^${source}$`, 's');
}
