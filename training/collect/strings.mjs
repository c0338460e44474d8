/** The strings of a locale file by key, whatever its form: JSON, a JavaScript object, YAML, or .properties. */

function* walk(value, path) {
  if (typeof value === 'string') {
    yield [path, value];
  } else if (Array.isArray(value)) {
    // the keywords of the Unicode annotations are not in one order in all languages: together they are one text
    if (path.endsWith('.default')) {
      yield [path, value.join(', ')];
    } else {
      for (const [index, one] of value.entries()) {
        yield* walk(one, `${path}.${index}`);
      }
    }
  } else if (value && typeof value === 'object') {
    for (const [key, one] of Object.entries(value)) {
      yield* walk(one, path ? `${path}.${key}` : key);
    }
  }
}

const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\[\s\S])*)`|([A-Za-z_$][\w$]*|\d+)|([{}[\]:,;=+()])/g;

function unescaped(text) {
  return text
    .replace(/\\u\{([0-9a-f]+)\}/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1');
}

/** Reads the object literals of a script without running it; a value made of several parts is left out. */
function* literals(source) {
  const tokens = [];
  for (const found of source.matchAll(TOKEN)) {
    const text = found[1] ?? found[2] ?? found[3];
    if (text !== undefined) {
      tokens.push({ text: unescaped(text), string: true });
    } else if (found[4] || found[5]) {
      tokens.push({ text: found[4] ?? found[5], string: false });
    }
  }
  const stack = [];
  let key;
  for (let i = 0; i < tokens.length; i++) {
    const { text, string } = tokens[i];
    const next = tokens[i + 1];
    const after = next && !next.string ? next.text : '';
    if (string || /[\w$]/.test(text)) {
      const assigned = after === ']' && tokens[i + 2]?.text === '=';
      if (after === ':' || assigned || (after === '=' && !string && tokens[i + 2]?.string)) {
        key = text;
        i += assigned ? 2 : 1;
      } else if (string && key !== undefined && after !== '+' && after !== '(') {
        yield [[...stack.map((one) => one.key), key].join('.'), text];
        key = undefined;
      } else if (string && stack.at(-1)?.list) {
        yield [[...stack.map((one) => one.key), stack.at(-1).count].join('.'), text];
      }
    } else if (text === '{' || text === '[' || text === '(') {
      stack.push({ key: key ?? '', list: text === '[', count: 0 });
      key = undefined;
    } else if (text === '}' || text === ']' || text === ')') {
      stack.pop();
      key = undefined;
    } else if (text === ',' || text === ';') {
      key = undefined;
      if (stack.length > 0) {
        stack.at(-1).count++;
      }
    }
  }
}

function* properties(source) {
  for (const found of source.matchAll(/^([\w.-]+)\s*=\s*(.+)$/gm)) {
    yield [found[1], unescaped(found[2].replace(/''/g, "'"))];
  }
}

/** The plain part of YAML that string tables use: maps by indentation, quoted and plain values, block texts. */
function* yaml(source) {
  const stack = [];
  let block;
  for (const line of source.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0 || line[indent] === '#') {
      continue;
    }
    if (block && indent > block.indent) {
      block.lines.push(line.trim());
      continue;
    }
    if (block) {
      yield [block.key, block.lines.join(' ')];
      block = undefined;
    }
    const found = /^\s*(?:"([^"]+)"|'([^']+)'|([^\s:'"][^:]*)):\s*(.*)$/.exec(line);
    if (!found) {
      continue;
    }
    while (stack.length > 0 && stack.at(-1).indent >= indent) {
      stack.pop();
    }
    const key = [...stack.map((one) => one.key), found[1] ?? found[2] ?? found[3]].join('.');
    const value = found[4].replace(/\s+#\s.*$/, '').trim();
    if (value === '') {
      stack.push({ key: found[1] ?? found[2] ?? found[3], indent });
    } else if (/^[|>][+-]?$/.test(value)) {
      block = { key, indent, lines: [] };
    } else {
      yield [key, /^".*"$/.test(value) ? unescaped(value.slice(1, -1)) : value.replace(/^'(.*)'$/, '$1').replace(/''/g, "'")];
    }
  }
  if (block) {
    yield [block.key, block.lines.join(' ')];
  }
}

/** A map from key to string; empty for a form that is not known or cannot be read. */
export function stringsOf(path, source) {
  try {
    if (/\.json$/.test(path)) {
      // some trees begin with the name of their own language
      const value = JSON.parse(source.replace(/^\uFEFF/, ''));
      const roots = Object.values(value.main ?? value);
      return new Map(walk(roots.length === 1 && typeof roots[0] === 'object' ? roots[0] : value, ''));
    }
    if (/\.ya?ml$/.test(path)) {
      return new Map(yaml(source));
    }
    return new Map(/\.properties$/.test(path) ? properties(source) : literals(source));
  } catch {
    return new Map();
  }
}
