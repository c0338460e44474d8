/** Which licences a source may carry: text may only come from packages that are free to use for any purpose. */

const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'Unicode-3.0',
  'Unicode-DFS-2016',
  'BlueOak-1.0.0',
  'Zlib',
  'Python-2.0',
  'Princeton',
]);

const RESPELLED = new Map([
  ['Apache 2.0', 'Apache-2.0'],
  ['Apache License 2.0', 'Apache-2.0'],
  ['Apache License, Version 2.0', 'Apache-2.0'],
  ['Apache 2', 'Apache-2.0'],
  ['The MIT License', 'MIT'],
  ['MIT License', 'MIT'],
  ['CC0', 'CC0-1.0'],
]);

/** The licence a manifest declares, as one string ('' when it declares none). */
export function declaredLicence(manifest) {
  let licence = manifest.license ?? manifest.licenses ?? '';
  if (Array.isArray(licence)) {
    licence = licence.map((one) => one.type ?? one).join(' OR ');
  }
  if (typeof licence === 'object') {
    licence = licence.type ?? '';
  }
  return String(licence).trim();
}

/** True when the expression is an allowed licence, offers one (OR), or consists of allowed ones only (AND). */
export function isAllowed(expression) {
  const bare = expression.replace(/^\(|\)$/g, '').trim();
  if (/ AND /.test(bare)) {
    return bare.split(/ AND /).every(isAllowed);
  }
  return bare.split(/ OR /).some((one) => ALLOWED.has(RESPELLED.get(one.trim()) ?? one.trim()));
}
