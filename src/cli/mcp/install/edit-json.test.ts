import { describe, expect, it } from 'vitest';
import { newDocument, withMember, withoutMember } from './edit-json.ts';
import { JsonMistake, parseDocument, toData } from './json-document.ts';

const path = ['mcpServers', 'continuo'];
const entry = { command: 'continuo', args: ['mcp'] };

/** The file before, and as it must be afterwards. */
const edits: Record<string, [string, string]> = {
  'an empty object': [
    '{}',
    '{\n  "mcpServers": {\n    "continuo": {\n      "command": "continuo",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}',
  ],
  'other settings, by tabs, without a last line end': [
    '{\n\t"theme": "dark"\n}',
    '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"continuo": {\n\t\t\t"command": "continuo",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}',
  ],
  'another server and comments after it': [
    '{\n  // 设置\n  "mcpServers": {\n    "other": { "command": "x" } // keep\n    /* and this */\n  },\n  "z": 1\n}\n',
    '{\n  // 设置\n  "mcpServers": {\n    "other": { "command": "x" }, // keep\n    /* and this */\n    "continuo": {\n      "command": "continuo",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n  "z": 1\n}\n',
  ],
  'a trailing comma': [
    '{\n  "mcpServers": {\n    "other": {}, // last\n  },\n}\n',
    '{\n  "mcpServers": {\n    "other": {}, // last\n    "continuo": {\n      "command": "continuo",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n}\n',
  ],
  'CRLF and a byte order mark': [
    '\ufeff{\r\n    "名称": "值",\r\n    "mcpServers": {}\r\n}\r\n',
    '\ufeff{\r\n    "名称": "值",\r\n    "mcpServers": {\r\n        "continuo": {\r\n            "command": "continuo",\r\n            "args": [\r\n                "mcp"\r\n            ]\r\n        }\r\n    }\r\n}\r\n',
  ],
  'everything on one line': [
    '{"a":1,"mcpServers":{"o":{"command":"x"}}}',
    '{"a":1,"mcpServers":{"o":{"command":"x"}, "continuo": {"command":"continuo","args":["mcp"]}}}',
  ],
  'an entry of that name': [
    '{\n  "mcpServers": {\n    "continuo": {\n      "command": "old"\n    },\n    "b": 2\n  }\n}',
    '{\n  "mcpServers": {\n    "continuo": {\n      "command": "continuo",\n      "args": [\n        "mcp"\n      ]\n    },\n    "b": 2\n  }\n}',
  ],
};

describe('an entry put into a JSON file', () => {
  it.each(Object.entries(edits))('leaves every other character as it is: %s', (_name, [before, after]) => {
    const changed = withMember(before, path, entry);
    expect(changed).toBe(after);
    expect((toData(parseDocument(changed)) as { mcpServers: object }).mcpServers).toMatchObject({ continuo: entry });
  });

  it('can be taken out again', () => {
    for (const [name, [before]] of Object.entries(edits).filter(([name]) => name !== 'an entry of that name')) {
      const back = withoutMember(withMember(before, path, entry), path) as string;
      const wanted = toData(parseDocument(before)) as Record<string, unknown>;
      expect(toData(parseDocument(back)), name).toEqual({ ...wanted, mcpServers: wanted.mcpServers ?? {} });
      for (const comment of before.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(back).toContain(comment);
    }
    expect(withoutMember('{"mcpServers":{}}', path)).toBeUndefined();
    expect(withoutMember('{\n  "mcpServers": {\n    "continuo": 1,\n    "b": 2\n  }\n}', path)).toBe(
      '{\n  "mcpServers": {\n    "b": 2\n  }\n}',
    );
  });

  it('makes a file where there is none', () => {
    expect(JSON.parse(newDocument(path, entry))).toEqual({ mcpServers: { continuo: entry } });
  });
});

describe('a document', () => {
  it.each([
    '',
    '{',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{,}',
    '[1 2]',
    '{"a":tru}',
    '{} x',
    '/* {}',
    "{'a':1}",
    '{"a":"\n"}',
    '[[',
    '{"a":01x}',
  ])('that is not right is refused: %j', (text) => {
    expect(() => parseDocument(text)).toThrow(JsonMistake);
  });

  it('says on which line', () => {
    expect(() => parseDocument('{\n  "a": 1,\n  "b" 2\n}')).toThrow(expect.objectContaining({ line: 3, kind: 'colon' }));
    expect(() => parseDocument('['.repeat(5000))).toThrow(expect.objectContaining({ kind: 'depth' }));
  });

  it('keeps a member called __proto__ apart from the object', () => {
    const data = toData(parseDocument('{"__proto__": {"polluted": true}, "a": [1, -2.5e3, true, null, "\\u4e2d"]}')) as object;
    expect(Object.keys(data)).toEqual(['__proto__', 'a']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
