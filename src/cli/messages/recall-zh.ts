// 查找历史对话与项目归属的中文文字和帮助。
import type { recallEn, recallHelpEn } from './recall-en.ts';

export const recallZh: typeof recallEn = {
  search: {
    nameless: '没有标题的对话',
    project: (name) => `项目 ${name}`,
    agent: (name) => `智能体 ${name}`,
    who: { user: '用户', assistant: '助手', system: '系统', tool: '工具', summary: '摘要', title: '标题' },
    found: (hits, groups, searched) => `${groups} 个对话中的 ${hits} 段。${searched}`,
    searched: (entries, count) => `查找范围：${count} 个对话的 ${entries} 条内容。`,
    incomplete: '没有查完全部内容；缺的部分可用 continuo reindex 补上。',
    nothing: {
      'nothing-stored': '没有找到：还没有可以在这里显示的内容。',
      'nothing-asked': '只有这样的词不会查找，符号和表情也不会。词语加上引号就会查找：continuo search \'"继续"\'',
      'below-threshold': '没有找到与这些词足够接近的内容。',
      filtered: '按这些条件没有找到；去掉条件则有。',
      'index-behind': '暂时没有找到：索引还没有做完。补完它：continuo reindex',
    },
    why: {
      lexical: (score) => `词语 ${score}`,
      semantic: (score) => `语义 ${score}`,
      recency: (score) => `时间 ${score}`,
      project: (score) => `项目 ${score}`,
      role: (score) => `说话人 ${score}`,
      total: (score) => `得分 ${score}`,
      terms: (terms) => `包含 ${terms}`,
      answers: '是对上一段的回答',
    },
    noWords: '请写出要找的内容：continuo search 词语',
  },

  recall: {
    goOn: '继续',
    asked: (text) => `所说的话：${text}`,
    why: {
      continues: '会接着一个对话做下去：',
      'two-candidates': '可能指两个对话之一，会让模型询问是哪一个：',
      found: '按内容找到：',
      'nothing-said': '不会放入任何内容：还没有可以在这里看到的对话。',
      'nothing-then': '不会放入任何内容：那段时间没有对话。',
      'nothing-about-it': '不会放入任何内容：以前没有说过足够接近的话。',
      'nothing-asked': '不会放入任何内容：这句话里没有可以查找的东西。',
      'already-present': '不会放入任何内容：当前对话里都已经有了。',
      'does-not-fit': '不会放入任何内容：token 预算太小（recall.token_budget）。',
    },
    because: {
      content: '其中有所问的内容',
      newest: '最新的对话',
      'newest-here': '本项目最新的对话',
      'open-work': '有没做完的事',
      time: '是那段时间说的',
      'went-on-from': '最新的对话是接着它说的',
    },
    tokens: (used, budget) => `约 ${used} 个 token，上限 ${budget}（recall.token_budget）：`,
    off: '召回已关闭（recall.enabled）：chat 不会自动放入任何内容。',
    from: (names) => `引自历史对话：${names}`,
    source: (name, project, ago, id) => `“${name}”（${project === undefined ? '' : `项目 ${project}，`}${ago}，${id}）`,
    between: '、',
    failed: (reason) => `无法查找历史对话：${reason}`,
    slow: '用时过长',
    dimension: (found) =>
      `以向量模型的 ${found} 维为准。改成一致：continuo config set conversation.semantic_search.embedding_dimension ${found}（或用 unset 去掉）。`,
  },

  summary: {
    writtenLocally: (reason) => `模型没有写出摘要，已改用对话原句生成。${reason}`,
    failed: (reason) => `没有写摘要：${reason}`,
  },

  exclude: {
    excluded: (id) => `${id} 不再参与回忆：查找不会找到它，聊天也不会引用它。`,
    included: (id) => `${id} 可以再次被找到和引用。`,
  },

  projects: {
    headings: { name: '项目', kind: '识别方式', path: '目录', conversations: '对话', active: '最近活动' },
    kinds: { git: 'git 历史', marker: '标记文件', path: '路径', name: '名称' },
    private: '私有',
    here: '当前',
    none: '还没有任何项目的对话。',
    unknown: (named) => `没有项目“${named}”。查看有哪些项目：continuo projects`,
    severalCalled: (named, keys) => `有几个项目都叫“${named}”。请用键指明其中一个：${keys}`,
    nowPrivate: (name) => `从现在起，${name} 里说的话只在 ${name} 里显示。`,
    notPrivate: (name) => `${name} 里说的话又可以在任何地方找到了。`,
    wasPrivate: (name) => `${name} 本来就是私有的。`,
    wasNotPrivate: (name) => `${name} 本来就不是私有的。`,
    usage: '用法：continuo projects private 项目 [--off]',
    unconfirmed: (name) =>
      `这个目录看起来是私有项目 ${name}，但从未在这里用过。如果确实是它：continuo relink --to 键（continuo relink 会显示）`,
    notFromCopy: (name, key) =>
      `这个目录只是看起来像私有项目 ${name}，而且这里还没说过话。要让 ${name} 本身重新公开：continuo projects private ${key} --off`,
    countsAsPrivate: (name, key) =>
      `这个目录看起来是${name === undefined ? '一个私有项目' : `私有项目 ${name}`}：这里说的话也算私有。如果确实是那个项目：continuo relink。如果不是：continuo projects private ${key} --off`,
    leftOut: (name) =>
      `这个目录看起来是${name === undefined ? '一个私有项目' : `私有项目 ${name}`}：这个对话不参与搜索和回忆。如果确实是那个项目：continuo relink。如果不是：continuo exclude 编号 --off`,
    marked: (file) => `已写入 ${file}：目录移动或改名后凭它认出。不要这样的文件：continuo config set projects.marker false`,
    unknownPrivate: (names) =>
      `recall.private_projects 提到了 ${names}，但没有叫这个名字的项目：它什么也没有保护。查看有哪些项目：continuo projects`,
  },

  relink: {
    folder: (path) => `目录：${path}`,
    recognised: (name, key) => `项目：${name}（${key}）`,
    how: {
      'root-commit': '凭 git 历史的开头认出',
      marker: '凭标记文件认出',
      remote: '凭克隆来源认出',
      path: '凭路径认出',
      new: '还没有属于它的对话',
    },
    confidence: { high: '没有别的可能', medium: '没有相反的迹象', low: '目录本身没有更多信息' },
    conversations: (count) => `存有 ${count} 个对话`,
    unconfirmed: (name, key) =>
      `它看起来是私有项目 ${name}，但从未在这个目录用过；该项目的对话不会在这里显示。如果确实是它：continuo relink --to ${key}`,
    alsoFits: '也有迹象指向：',
    howTo: '指明它属于哪个项目：continuo relink --to 键或目录',
    plan: (path, name, key) => `${path} 将属于 ${name}（${key}）。`,
    moves: (count) => `移过去 ${count} 个对话：`,
    movesNone: '没有对话需要移动。',
    question: '执行吗？[y/N]',
    howToDo: '什么都没有改动。执行请加：--yes',
    done: (path, name, moved) => `${path} 现在属于 ${name}${moved === 0 ? '' : `，移动了 ${moved} 个对话`}。`,
    same: (name) => `它本来就属于 ${name}，什么都没有改动。`,
    noConversations: (name) => `${name} 还没有可以关联的对话。`,
  },

  withoutEffect: {
    'conversation.db_path': 'conversation.db_path 不起作用：数据保存在主目录里（--home、CONTINUO_HOME）。',
    'conversation.auto_save_interval': 'conversation.auto_save_interval 不起作用：每句话都立即保存。',
  },

  cleanup: {
    label: '正在清理',
    plan: (count, all) => (count === 0 ? `${all} 个对话都不需要清理。` : `${all} 个对话中有 ${count} 个会移入回收站：`),
    reasons: {
      old: '很久没有用过',
      contained: '内容已在更新的对话里',
      unrelated: '很久没有用过，也与其他对话无关',
      'over-limit': '超过了数量上限',
    },
    kept: (count) => `另有 ${count} 个本应清理，但已置顶、正在使用、较新、被共用、有键或刚恢复，因此保留。`,
    question: '移入回收站吗？[y/N]',
    howToDo: '什么都没有改动。执行请加：--yes',
    done: (count, left) => `${count} 个对话已移入回收站，宽限期内可以恢复${left === 0 ? '' : `；${left} 个因有变化而保留`}。`,
    tooFew: (least) => `有 ${least} 个对话以上，才会判断哪个与其他都不相似。`,
    incomplete: '对话太多，一次比较不完；没有比较的都保留。',
    due: (count) => `该清理了：有 ${count} 个对话会移入回收站。不会自动清理；查看并决定：continuo cleanup`,
    dueUncounted: '可能该清理了。不会自动清理；查看并决定：continuo cleanup',
  },

  index: {
    label: '查找索引',
    finding: (facts) => `查找索引：${facts}`,
    absent: '还没有，首次查找时建立',
    damaged: '已损坏',
    'other-version': '属于旧版本，下次查找时重新建立',
    'newer-version': '属于更新版本的 Continuo，保持原样',
    holds: (size, documents) => `${size}，${documents} 段`,
    upToDate: '已是最新',
    behind: (entries, count) => `还差 ${count} 个对话的 ${entries} 条`,
    noModel: '只按词语',
    model: (id, isBuilding, behind) =>
      `${id} 的向量${isBuilding ? '（正在生成）' : ''}${behind === 0 ? '' : `，还差 ${behind} 段`}`,
    between: '；',
    anew: '不会丢失任何内容。重新建立：continuo reindex',
    slow: '对话很多时，那次查找会比较久。立即重建：continuo reindex',
    follows: '下次查找时会补上；立即补上：continuo reindex',
  },

  reindex: {
    label: '正在建立索引',
    catchingUp: '正在补齐索引',
    waiting: '先补齐查找索引；对话很多时需要一些时间。',
    done: (entries, documents) => `索引已重新建立：${entries} 条内容，其中 ${documents} 条可以查找。`,
    busy: '另一个程序正在建立索引，请等它完成后再试。',
    problem: (reason) => `索引无法使用，改为逐个查看最近的对话。${reason}`.trimEnd(),
  },
};

export const recallHelpZh: typeof recallHelpEn = {
  search: {
    summary: '在所有对话里查找说过的话',
    description:
      '按词语和含义在所有目录的所有对话里查找，不限语言，按对话分组，最相关的在前。私有的、已排除的和回收站里的内容不显示。没有足够接近的内容时会如实说明，并说出原因。',
    arguments: { words: '要找的内容' },
    options: {
      project: '只在这个项目里找：here、目录、名称或键（continuo projects）',
      agent: '只在与这个智能体的对话里找',
      role: '只找这一方说的：user、assistant、tool、summary 或 title（标题）',
      since: '只找此后说的：7d、12h，或 2026-01-31 这样的日期',
      until: '只找此前说的：7d、12h，或 2026-01-31 这样的日期',
      tag: '只在带这个标签或主题的对话里找',
      limit: '最多这么多段（默认 10）',
      explain: '说明每一段为什么排在那里',
    },
    examples: [
      { command: 'continuo search sofa navigation', means: '在说过的一切里找' },
      { command: 'continuo search "连接被拒绝" --project here --since 30d', means: '在本项目最近三十天里找' },
      { command: 'continuo search deploy --role assistant --explain', means: '只找回答，并说明为什么找到' },
      { command: 'continuo search deploy --json', means: '给程序用的同样内容' },
    ],
  },
  recall: {
    summary: '聊天时会把哪些历史对话告诉模型，以及为什么',
    description:
      '显示此刻在这个目录里说出这句话时会放到模型面前的内容：是哪些对话、什么理由、多少 token，以及那一段原文。不带词语时，显示“继续”会接着做什么。不会向任何地方发送内容。',
    arguments: { words: '要说的话' },
    options: { project: '当作在这个目录里（默认：当前目录）' },
    examples: [
      { command: 'continuo recall', means: '在这里说“继续”会接着做什么' },
      { command: 'continuo recall "缓存当时是怎么定的"', means: '为一个问题会引用什么' },
      { command: 'continuo recall "刚才说到哪了" --json', means: '给程序用的同样内容' },
    ],
  },
  exclude: {
    summary: '让对话不参与回忆',
    description:
      '让对话不参与回忆：查找不会找到它们，聊天不会引用它们，查找索引里也不留任何内容。对话仍然保存着，list 和 show 会标明；分支里共享的部分也一并排除。',
    options: { off: '改为重新参与回忆' },
    examples: [
      { command: 'continuo exclude cnv_01k3x9ab', means: '查找不再找到它' },
      { command: 'continuo exclude cnv_01k3x9ab --off', means: '可以再次找到它' },
    ],
  },
  projects: {
    summary: '对话所属的项目',
    description:
      '列出项目：凭什么认出、最近在哪个目录、有多少对话。目录移动、改名或重新克隆之后，项目仍能找回。“projects private”使一个项目里说的话不在别处显示。',
    arguments: { action: 'list（默认）或 private', project: 'here、目录、名称或键' },
    options: { off: '不再私有' },
    examples: [
      { command: 'continuo projects', means: '所有项目，最近的在前' },
      { command: 'continuo projects private here', means: '本项目的内容不在别处显示' },
      { command: 'continuo projects private here --off', means: '又可以在任何地方找到' },
    ],
  },
  relink: {
    summary: '指明一个目录属于哪个项目',
    description:
      '显示一个目录凭什么被认出，还可能是什么。加 --to 后，这个目录从此属于那个项目，在它里面进行的对话也移过去；会先显示要做什么，加 --yes 或回答之后才执行。',
    arguments: { folder: '目录（默认：当前目录）' },
    options: { to: '项目：键、名称或它的一个目录', yes: '不询问' },
    examples: [
      { command: 'continuo relink', means: '这个目录凭什么被认出' },
      { command: 'continuo relink --to ~/old/shop', means: '如果它就是那个目录的项目，会有什么改变' },
      { command: 'continuo relink . --to ~/old/shop --yes', means: '就这样做' },
    ],
  },
  cleanup: {
    summary: '把旧对话移入回收站，先显示再执行',
    description:
      '按设置 conversation.cleanup.* 和 conversation.max_conversations 显示哪些对话会移入回收站以及原因；加 --yes 或回答之后才执行。已置顶的、正在使用的和最近七天的对话绝不触动，宽限期内都可以恢复。',
    options: { yes: '直接执行，不询问' },
    examples: [
      { command: 'continuo cleanup', means: '会清理什么，为什么' },
      { command: 'continuo cleanup --yes', means: '移入回收站' },
    ],
  },
  reindex: {
    summary: '重新建立查找索引',
    description:
      '丢掉查找索引，再从对话重新建立。平时不需要：索引会自己跟上，丢掉它也不会丢失任何内容。加 --vectors 时只补上向量模型还没有处理的内容，其余不动。',
    options: { vectors: '只计算还没有的向量' },
    examples: [
      { command: 'continuo reindex', means: '用时较长时显示进度条' },
      { command: 'continuo reindex --vectors', means: '继续中断的向量计算' },
    ],
  },
};
