// 程序用中文说的关于向量模型（按含义查找）的话，以及相应的帮助。
import type { embedderEn, embedderHelpEn } from './embedder-en.ts';

export const embedderZh: typeof embedderEn = {
  embedder: {
    wordsAlone: (reason) => `这次只按词语查找。${reason}`,
    headings: { kind: '向量模型', what: '说明', state: '状态' },
    kinds: {
      static: 'Continuo 自带的模型：离线可用，速度很快',
      'openai-compatible': '服务器：OpenAI、Ollama、vLLM 等',
      onnx: '本机文件夹里的句向量模型',
      none: '只按词语',
    },
    inUse: '使用中',
    ready: '可以使用',
    notBundled: '这个安装里没有',
    install: (command) => `需要先运行：${command}`,
    using: (id, dimension) => `使用中：${id}，${dimension} 维。`,
    usingNone: '没有使用向量模型：只按词语查找。',
    coverage: (embedded, left) =>
      left === 0
        ? `全部内容都已处理（${embedded} 条有向量）。`
        : `${embedded} 条有向量，还有 ${left} 条待处理。继续：continuo reindex --vectors`,
    howToUse: '更换：continuo embedder use 种类',
    tested: (id, dimension) => `${id}，${dimension} 维`,
    times: (open, text) => `打开用了 ${open} 毫秒，每段文本 ${text} 毫秒。`,
    noneToTest: '没有使用向量模型。请先选一个：continuo embedder use 种类',
    label: '正在计算向量',
    done: (kind, id, dimension) => `现在使用 ${kind}：${id}，${dimension} 维。`,
    doneNone: '现在不使用向量模型：只按词语查找。',
    embedded: (count) => `重新计算了 ${count} 条的向量。`,
    later: '还没有计算向量。开始计算：continuo reindex --vectors',
    interrupted: '已算好的都保留着。继续：continuo reindex --vectors',
    usage: {
      use: '请说明用哪一个：continuo embedder use static、openai-compatible、onnx 文件夹 或 none',
      folder: '请说明模型在哪个文件夹：continuo embedder use onnx 文件夹',
      server:
        '请说明地址和模型：continuo embedder use openai-compatible --base-url http://127.0.0.1:11434/v1 --model nomic-embed-text',
      keyEnv: '--key-env 要的是环境变量的名称，例如 OPENAI_API_KEY，不是密钥本身。',
      unfit: (option, kind) => `${option} 对 ${kind} 没有意义。`,
      list: 'continuo embedder list 不需要别的参数。',
    },
  },
};

export const embedderHelpZh: typeof embedderHelpEn = {
  embedder: {
    summary: '按含义查找用的向量模型：查看、试用、选用',
    description:
      '搜索按词语查找；有向量模型时也按含义查找。list 列出能用的模型、正在用的模型，以及索引里已处理了多少。test 给几段文本计算向量，并显示它们彼此有多接近。use 先试用一个模型，再写入设置，然后重新计算全部向量；算完之前仍由原来的模型应答，中断后可用 continuo reindex --vectors 继续。',
    arguments: { action: 'list（默认）、test 或 use', words: '要比较的文本；用于 use 时：种类，onnx 还要给文件夹' },
    options: {
      baseUrl: '服务器地址，含版本：http://127.0.0.1:11434/v1',
      model: '服务器上的模型名；onnx 时为文件夹中有多个模型时选用的文件',
      keyEnv: '保存密钥的环境变量名；不会保存密钥本身',
      dimension: '向量的维数（默认：询问服务器）',
      pooling: '用于 onnx：文件夹里没有说明时，选 mean 或 cls',
      queryPrefix: '加在问题前面的文字（模型训练时如此）；none 表示不加',
      passagePrefix: '加在被查找内容前面的文字；none 表示不加',
      later: '现在先不计算向量',
    },
    examples: [
      { command: 'continuo embedder', means: '有哪些，用的是哪个，处理到哪里' },
      { command: 'continuo embedder test "登录超时" "登不上去，太慢"', means: '看两段文本有多接近' },
      {
        command: 'continuo embedder use openai-compatible --base-url http://127.0.0.1:11434/v1 --model nomic-embed-text',
        means: '用本机 Ollama 运行的模型',
      },
      {
        command:
          'continuo embedder use openai-compatible --base-url https://api.openai.com/v1 --model text-embedding-3-small --key-env OPENAI_API_KEY',
        means: '用网上的服务，密钥来自环境变量',
      },
      { command: 'continuo embedder use onnx ~/models/multilingual-e5-small', means: '用本机文件夹里的模型' },
      { command: 'continuo embedder use none', means: '只按词语查找' },
    ],
  },
};
