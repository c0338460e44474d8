import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import lookAlikes from './corpus/look-alikes.json' with { type: 'json' };
import positives from './corpus/positives.json' with { type: 'json' };
import { createRedactor } from './redactor.ts';

// Secrets in the corpus are kept in two parts and joined here, so that no scanner takes this repository for a leak.
const samples = positives.map((sample) => {
  const secret = sample.secret.join('');
  return {
    name: `${sample.rule} (${sample.in})`,
    secret,
    text: sample.text.replaceAll('{secret}', () => secret),
    masked: sample.text.replaceAll('{secret}', `[masked:${sample.rule}]`),
  };
});
const redactor = createRedactor();

describe('the corpus of secrets', () => {
  it('is large enough to mean something', () => {
    expect(positives.length).toBeGreaterThanOrEqual(120);
    expect(lookAlikes.length).toBeGreaterThanOrEqual(120);
  });

  it.each(samples)('masks a $name and leaves what surrounds it', ({ text, masked }) => {
    expect(redactor.redactText(text)).toEqual({ text: masked, masked: 1 });
  });

  it('masks the same in JSON inside JSON, where quotation marks and line ends are escaped', () => {
    const wrap = (text: string) => JSON.stringify({ output: JSON.stringify({ output: text }) });
    expect(samples.map(({ text }) => redactor.redactText(wrap(text)).text)).toEqual(samples.map(({ masked }) => wrap(masked)));
  });

  it('counts every secret once and masks all of them in one long text', () => {
    const result = redactor.redactText(samples.map(({ text }) => text).join('\n\n'));
    expect(result).toEqual({ text: samples.map(({ masked }) => masked).join('\n\n'), masked: samples.length });
  });

  it('finds a secret at any offset, also across the pieces in which long texts are read', () => {
    const { secret } = samples.find(({ name }) => name.startsWith('github-pat')) as (typeof samples)[number];
    for (let offset = 65_490; offset < 65_545; offset++) {
      const before = `${'. '.repeat(offset / 2)}${offset % 2 ? ' ' : ''}`;
      expect(redactor.redactText(`${before}${secret} end`)).toEqual({ text: `${before}[masked:github-pat] end`, masked: 1 });
    }
  });
});

describe('the corpus of look-alikes', () => {
  it.each(lookAlikes)('leaves a $what as it is: $text', ({ text }) => {
    expect(redactor.redactText(text)).toEqual({ text, masked: 0 });
  });

  it('leaves all of them as they are in one long text, and in JSON', () => {
    const text = lookAlikes.map((sample) => sample.text).join('\n\n');
    expect(redactor.redactText(text)).toEqual({ text, masked: 0 });
    const value = lookAlikes.map((sample) => ({ content: sample.text }));
    expect(redactor.redactJson(value).value).toBe(value);
  });
});

describe('masking twice', () => {
  const piece = fc.oneof(
    fc.constantFrom(...samples.flatMap(({ text, secret, masked }) => [text, secret, masked])),
    fc.constantFrom(...lookAlikes.map((sample) => sample.text)),
    fc.constantFrom(
      'password',
      'token',
      'secret',
      '密码',
      'api_key',
      '=',
      ': ',
      ' is ',
      '"',
      "'",
      '\\"',
      '\n',
      '\\n',
      ',',
      '://',
      '@',
      '-',
      '_',
      ' ',
    ),
    fc.string({ maxLength: 12, unit: 'binary' }),
  );

  it('changes nothing and counts nothing', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactor.redactText(pieces.join(''));
        expect(redactor.redactText(once.text)).toEqual({ text: once.text, masked: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing in JSON either', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        piece,
        fc.constantFrom('password', 'token', 'note', 'Cookie', 'Authorization'),
        (value, text, key) => {
          const once = redactor.redactJson({ value: value as JsonValue, [key]: text, list: [text] });
          const twice = redactor.redactJson(once.value);
          expect(twice.masked).toBe(0);
          expect(twice.value).toBe(once.value);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('JSON values', () => {
  it('are masked by the names of their keys, with everything else kept', () => {
    const value = {
      user: 'bob',
      password: 'hunter22',
      nested: [{ api_key: 'Zx81kk02Lmq7' }, { clientSecret: 'q8W3e5R7t9Y1' }, 7, null, true],
      passwords: { admin: 'not looked at by name' },
      headers: { Authorization: 'Basic YWRtaW46aHVudGVyMjI=', Cookie: 'theme=dark; sessionid=q8W3e5R7t9Y1; lang=en' },
      note: 'the password is hunter22.',
    };
    expect(redactor.redactJson(value)).toEqual({
      value: {
        user: 'bob',
        password: '[masked:password]',
        nested: [{ api_key: '[masked:api-key]' }, { clientSecret: '[masked:secret]' }, 7, null, true],
        passwords: { admin: 'not looked at by name' },
        headers: {
          Authorization: 'Basic [masked:authorization-header]',
          Cookie: 'theme=dark; sessionid=[masked:session-id]; lang=en',
        },
        note: 'the password is [masked:password].',
      },
      masked: 6,
    });
    expect(value.password).toBe('hunter22');
  });

  it('are masked by the name that is given beside them', () => {
    const environment = [
      { name: 'DB_PASSWORD', value: 'hunter22' },
      { key: 'x-api-key', value: 'Zx81kk02Lmq7' },
      { name: 'Authorization', value: 'Basic YWRtaW46aHVudGVyMjI=' },
      { name: 'LOG_LEVEL', value: 'debug' },
    ];
    expect(redactor.redactJson(environment)).toEqual({
      value: [
        { name: 'DB_PASSWORD', value: '[masked:password]' },
        { key: 'x-api-key', value: '[masked:api-key]' },
        { name: 'Authorization', value: 'Basic [masked:authorization-header]' },
        { name: 'LOG_LEVEL', value: 'debug' },
      ],
      masked: 3,
    });
  });

  it('say what a secret is if its form tells more than its name', () => {
    const { secret } = samples.find(({ name }) => name.startsWith('github-pat')) as (typeof samples)[number];
    expect(redactor.redactJson({ token: secret })).toEqual({ value: { token: '[masked:github-pat]' }, masked: 1 });
  });

  it('keep placeholders, types and labels under telling names', () => {
    const value = {
      password: 'string',
      token: '$TOKEN',
      secret: '<your secret>',
      apiKey: 'YOUR_API_KEY',
      pwd: '',
      passwd: 'Passwort',
    };
    const result = redactor.redactJson(value);
    expect(result).toEqual({ value, masked: 0 });
    expect(result.value).toBe(value);
  });

  it('keep the parts that hold no secret as the same objects', () => {
    const clean = { deep: [1, 2, { text: 'hello' }] };
    const result = redactor.redactJson({ clean, secrets: [{ password: 'hunter22' }] });
    expect(result.value.clean).toBe(clean);
    expect(result.masked).toBe(1);
  });

  it('keep the order of keys, and keys of any name', () => {
    const value = JSON.parse('{"z":"password: hunter22","__proto__":{"password":"hunter22"},"a":1}') as {
      [key: string]: JsonValue;
    };
    expect(JSON.stringify(redactor.redactJson(value).value)).toBe(
      '{"z":"password: [masked:password]","__proto__":{"password":"[masked:password]"},"a":1}',
    );
  });

  it('may be plain strings and numbers', () => {
    expect(redactor.redactJson('password: hunter22')).toEqual({ value: 'password: [masked:password]', masked: 1 });
    expect(redactor.redactJson(42)).toEqual({ value: 42, masked: 0 });
    expect(redactor.redactJson(null)).toEqual({ value: null, masked: 0 });
  });

  it('may be nested ten thousand levels deep', () => {
    let value: JsonValue = { password: 'hunter22' };
    for (let level = 0; level < 10_000; level++) value = level % 2 ? [value] : { level, value };
    const result = redactor.redactJson(value);
    expect(result.masked).toBe(1);
    let inner = result.value as JsonValue;
    for (let level = 9_999; level >= 0; level--)
      inner = level % 2 ? ((inner as JsonValue[])[0] as JsonValue) : (inner as { value: JsonValue }).value;
    expect(inner).toEqual({ password: '[masked:password]' });
  });
});

describe('rules of the caller', () => {
  it('take the place of the built-in ones', () => {
    const own = createRedactor([
      { id: 'badge', anchors: ['BDG-'], pattern: 'BDG-[0-9]{6}' },
      { id: 'pin', anchors: ['door'], name: 'door', value: 'password' },
    ]);
    expect(own.redactText('BDG-123456 opens door: 4711, password: hunter22')).toEqual({
      text: '[masked:badge] opens door: [masked:pin], password: hunter22',
      masked: 2,
    });
  });

  it('may be none', () => {
    expect(createRedactor([]).redactText('password: hunter22')).toEqual({ text: 'password: hunter22', masked: 0 });
  });
});
