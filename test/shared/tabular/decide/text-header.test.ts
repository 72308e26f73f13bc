import { describe, expect, it } from 'vitest';
import { readTextHeader } from '#shared/tabular/decide/text-header.ts';

it.each([
  ['csv' as const, '\ufeffprompt;"a;b"\nx;y\n', ['prompt', 'a;b']],
  ['csv' as const, 'a,a,\n1,2,3', ['a', 'a_2', 'column_3']],
  ['jsonl' as const, '{"a":1}\n{"b":1,"a":2}\n{"c":"cut of', ['a', 'b']],
  ['jsonl' as const, '{"a":1,"b":"cut of', ['a']],
  ['json' as const, '[ {"a":1},\n{"b":[1]} , {"c":1', ['a', 'b', 'c']],
])('the columns that a first part shows: %s: %j', (format, head, columns) => {
  expect(readTextHeader(format, Buffer.from(head), false)).toEqual(columns);
});

it('the columns that a first part shows are told although the part ends within a character', () => {
  const head = Buffer.from(`préfix,b\n${'é,1\n'.repeat(2000)}é`);

  expect(readTextHeader('csv', head.subarray(0, -1), false)).toEqual(['préfix', 'b']);
});

it('the columns that a first part shows are told of a file of one line, when it is whole', () => {
  expect(readTextHeader('csv', Buffer.from('a,b'), true)).toEqual(['a', 'b']);
});

it('the columns that a first part shows are those of UTF-16 text', () => {
  expect(readTextHeader('csv', Buffer.from('\ufeffa\tb\n1\t2\n', 'utf16le'), true)).toEqual(['a', 'b']);
});

describe('a first part that shows none', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  it.each<['csv' | 'json' | 'jsonl', Buffer | string, boolean, string, string]>([
    ['csv', '', true, 'file_empty', 'The file is empty. Upload one with a header and rows.'],
    [
      'csv',
      'a,"b',
      true,
      'file_unreadable',
      'The header has a quote that is never closed. Close it and upload the file again.',
    ],
    [
      'csv',
      png,
      true,
      'file_unreadable',
      'The file was announced as csv, but its first bytes are those of a PNG image. Upload the csv file itself.',
    ],
    [
      'json',
      '{"a":1}',
      true,
      'file_unreadable',
      'A json file must be an array of objects; this one does not begin with "[".',
    ],
    [
      'json',
      '[1]',
      true,
      'file_unreadable',
      'The file does not begin with an object that has keys. Upload json with one object for each row.',
    ],
    ['jsonl', ' \n', true, 'file_empty', 'The file is empty. Upload one with at least one object.'],
    [
      'jsonl',
      '{"a":tru}',
      true,
      'file_unreadable',
      'The file is not valid jsonl: expected a JSON value, found "t" (byte 5).',
    ],
  ])('%s %j is refused', (format, head, whole, code, message) => {
    expect(() => readTextHeader(format, Buffer.from(head as string), whole)).toThrow(
      expect.objectContaining({ code, message }),
    );
  });

  it('a header that goes on behind the part has no names yet', () => {
    expect(readTextHeader('csv', Buffer.from('a,"b'), false)).toBeNull();
  });
});
