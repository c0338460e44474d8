/** The two editions of one cloud API, Chinese and English: doc comments keyed by service, version, class and field. */
import { cleanProse } from './text.mjs';

const ZH_MODELS = /^tencentcloud\/services\/([^/]+)\/(v\d+)\/\1_models\.d\.ts$/;
const EN_MODELS = /^tencentcloud\/([^/]+)\/(v\d+)\/models\.js$/;
const ZH_MEMBER = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export (?:interface|declare type|type) (\w+)|(\w+)\??:)/g;
const EN_MEMBER = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:class (\w+)|this\.(\w+) =)/g;

const ZH_CLIENT = /^tencentcloud\/services\/([^/]+)\/(v\d+)\/\1_client\.d\.ts$/;
const EN_CLIENT = /^tencentcloud\/([^/]+)\/(v\d+)\/\1_client\.js$/;
const METHOD = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*()([A-Z]\w+)\(/g;

/** The way to read a file of the API: its language, its service and version, and the pattern of its members. */
function formOf(path) {
  for (const [language, file, member] of [
    ['zh', ZH_MODELS, ZH_MEMBER],
    ['zh', ZH_CLIENT, METHOD],
    ['en', EN_MODELS, EN_MEMBER],
    ['en', EN_CLIENT, METHOD],
  ]) {
    const found = file.exec(path);
    if (found) {
      return { language, scope: `${found[1]}.${found[2]}`, member };
    }
  }
  return undefined;
}

export const isApiFile = (path) => formOf(path) !== undefined;

function describe(body) {
  const lines = body.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''));
  return cleanProse(
    lines
      .filter((line) => !/^@/.test(line))
      .join(' ')
      .replace(/注意：此字段可能返回 null，表示取不到有效值。?/g, '')
      .replace(
        /Note: ?This (?:field|parameter) may return null, indicating that no valid values? can be (?:obtained|found)\.?/gi,
        '',
      ),
  );
}

/** Every described member of a file of the API as { key, text, language }. */
export function* apiMembers(path, source) {
  const { language, scope, member } = formOf(path);
  let owner = '';
  for (const found of source.matchAll(member)) {
    owner = found[2] || owner;
    const text = describe(found[1]);
    if (text && !/返回参数结构体|请求参数结构体|(?:request|response) structure\.?$/.test(text)) {
      yield { key: `${scope}.${owner}.${found[3] ?? ''}`, text, language };
    }
  }
}

/** Splits both descriptions into sentences; pairs them one by one when their number is the same, else as a whole. */
export function* sentencePairs(en, zh) {
  const left = en.split(/(?<=[.!?;])\s+(?=[A-Z0-9])/);
  const right = zh.split(/(?<=[。！？；;])\s*/).filter(Boolean);
  if (left.length > 1 && left.length === right.length) {
    for (const [index, sentence] of left.entries()) {
      yield { en: sentence, zh: right[index] };
    }
  } else {
    yield { en, zh };
  }
}
