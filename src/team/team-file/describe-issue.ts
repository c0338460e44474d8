// What is wrong with a value of a team file, in a sentence of ours for each kind of mistake: people are told what it must be, and every
// sentence can be put into another language. Messages written into the schema stay as they are.
import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/** `value` is what stands at the issue's place; undefined where nothing does. */
export function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'there is no such field';
    case 'invalid_type':
      return value === undefined ? 'this field is missing' : `it must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return value === undefined ? 'this field is missing' : `it must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return value === undefined ? 'this field is missing' : `it must be one of ${memberKinds.join(', ')}`;
    case 'too_small':
      return describeTooSmall(issue);
    case 'too_big':
      return `it must be at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'it must be a web address' : issue.message;
    default:
      return issue.message;
  }
}

const memberKinds = ['human', 'model', 'program'];

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function describeTooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string' || origin === 'array') return 'it must not be empty';
  return inclusive ? `it must be at least ${minimum}` : `it must be more than ${minimum}`;
}
