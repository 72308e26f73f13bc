import { expect, it } from 'vitest';
import {
  codeSyntaxFault,
  demandsOf,
  formFault,
  jsonOf,
  partCount,
  sentenceCount,
} from '#shared/answers/decide/check-form.ts';
import type { AnswerForm, FormKind } from '#shared/answers/decide/read-form.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

const OPEN = formOf('Tell me why.', '', undefined);
const form = (overrides: Partial<AnswerForm>): AnswerForm => ({ ...OPEN, kind: 'open', ...overrides });

it.each<[string, Partial<AnswerForm>, string, string]>([
  ['a label in any notation', { kind: 'label', labels: ['Yes', 'No'] }, '(ｎｏ)', 'nobody knows'],
  [
    'the letter of an option',
    { kind: 'label', labels: ['A', 'B'], options: new Map([['A', 'red']]) },
    'A) red',
    'A red one, or so',
  ],
  ['a number', { kind: 'number' }, 'It is 42.', 'It is forty-two.'],
  ['a number alone', { kind: 'number', isExclusive: true }, '42', 'It is 42.'],
  ['a number with its unit', { kind: 'number', needsUnit: true }, '42 km', '42'],
  ['a phrase alone', { kind: 'string', isExclusive: true }, 'NATO', 'It is NATO.'],
  ['a short phrase', { kind: 'string' }, 'NATO', 'N'.repeat(401)],
  ['JSON', { kind: 'json' }, '{"a":1}', '{"a":1'],
  ['JSON in a fence', { kind: 'json' }, '```json\n{"a":1}\n```', '```json\n{"a":}\n```'],
  ['JSON with keys', { kind: 'json', jsonKeys: ['a', 'b'] }, '{"b":1,"a":2}', '{"a":1}'],
  ['a JSON object', { kind: 'json', jsonKeys: ['a'] }, '{"a":null}', '[1]'],
  ['a table', { kind: 'table' }, '| a | b |', 'a and b'],
  ['lines of CSV', { kind: 'table' }, 'a,b\n1,2', 'a, b, c'],
  ['Python', { kind: 'code', codeLanguage: 'python' }, 'def f():\n    return 1', 'def f(:\n    return 1'],
  ['JavaScript', { kind: 'code', codeLanguage: 'javascript' }, 'const f = () => 1;', 'const f = ( => 1;'],
  ['code', { kind: 'code' }, 'x = 1', 'It adds one.'],
  ['SQL', { kind: 'sql' }, '-- all\nSELECT 1', 'This query selects one.'],
  ['words at most', { words: { min: 1, max: 3 } }, 'One two – three', 'One two three four'],
  ['words at least', { words: { min: 3, max: 9 } }, 'One two three', 'One two'],
  ['sentences', { sentences: 2 }, 'It is 3.5 m. Really!', 'It is one.'],
  ['parts', { parts: { noun: 'day', count: 2 } }, 'Day 1: a\nDay 2: b', 'Day 1: a\nAnd rest'],
  ['a result at the end', { endsWithNumber: true }, '2 + 2 makes\n**4**', '4 is what it makes'],
  ['an end', { endsWith: 'home' }, 'They sailed home.', 'Home they sailed.'],
  ['a beginning', { startsWith: 'Dear' }, '"Dear Anna"', 'Hello dear'],
  ['anything', {}, 'x', ' '],
  ['a number with a sign and its unit', { kind: 'number', needsUnit: true }, '-4.5 km', '-4.5'],
  [
    'no solution in place of a number',
    { kind: 'number' },
    'There is no solution.',
    'There is one solution, or two.',
  ],
  ['a fraction in place of a number', { kind: 'number' }, '\\frac{1}{2}', `${'word '.repeat(30)}1/2`],
  ['a number in a short text', { kind: 'number' }, `${'n'.repeat(57)} 42`, `${'n'.repeat(58)} 42`],
  [
    'a phrase of three words',
    { kind: 'string', words: { min: 1, max: 3 } },
    'The red fox',
    'The answer is red.',
  ],
  [
    'a phrase of four',
    { kind: 'string', words: { min: 1, max: 4 } },
    'It is red now',
    'one two three four five',
  ],
  [
    'a sentence of sixteen words',
    { kind: 'string', isExclusive: true },
    `It is ${'very '.repeat(14)}red`,
    'It is  very   red',
  ],
  ['SQL in a fence, after a comment', { kind: 'sql' }, '```sql\n-- all\n  SELECT 1\n```', '-- SELECT 1'],
  ['keys in any order', { kind: 'json', jsonKeys: ['b', 'a'] }, '{"a":1,"b":2}', '"text"'],
  ['keys of an object', { kind: 'json', jsonKeys: ['0'] }, '{"0":1}', 'null'],
  ['a list of one element', { kind: 'json', jsonKeys: ['0'] }, '{"0":[1]}', '[1]'],
  ['tabs', { kind: 'table' }, 'a\tb\n1\t2', 'a\tb\n1'],
  ['words between spaces', { words: { min: 2, max: 2 } }, 'one  –  two', 'one  –  '],
  ['a result with its unit', { endsWithNumber: true }, 'It is **4 km.**', 'It is 4 – so says everyone here'],
  [
    'an end behind many marks',
    { endsWith: 'home' },
    `They sailed home${'!'.repeat(90)}`,
    'They sailed home again',
  ],
  ['a beginning behind marks', { startsWith: 'Dear' }, '** “Dear Anna', 'So, Dear Anna'],
  ['a list that is no poem', { parts: { noun: 'verse', count: 9 } }, 'one\ntwo', ' '],
])('formFault accepts %s and refuses what is not', (_, overrides, kept, broken) => {
  expect(formFault(form(overrides), kept)).toBeNull();
  expect(formFault(form(overrides), broken)).not.toBeNull();
});

it('formFault finds the end of an answer that is longer than what is looked at', () => {
  expect(formFault(form({ endsWith: 'home' }), `${'word '.repeat(400_000)} home.`)).toBeNull();
});

it.each([
  ['One. Two! Three?', 3],
  ['Dr. Who met Mrs. Hill at 3.5 m, e.g. there.', 1],
  ['一つ。二つ。', 2],
  ['He said "No." Then he left', 2],
  ['Wait... what?!', 2],
  ['No. It is red. See No. 5.', 3],
  ['', 0],
  ['It is 3.5 m. It is 4.25 km.', 2],
  ['It is about 3.Really', 1],
  ['He said “No!” (Twice.) Then … left.', 3],
  ['一つ。二つ！three', 2],
])('sentenceCount of "%s" is %d', (text, count) => {
  expect(sentenceCount(text)).toBe(count);
});

it.each([
  ['- a\n- b\n• c', 'step', 3],
  ['a\nb\n\nc', 'line', 3],
  ['a\nb\n\nc', 'paragraph', 2],
  ['Day 1: a\nDay 1: b\nDay 2: c', 'day', 2],
  ['Monday: a\nTuesday – b', 'day', 2],
  ['On Monday I rest', 'day', null],
  ['plain text', 'tip', null],
  ['  \na\n \nb', 'verse', 2],
  ['\n\na\n \nb\n\n', 'stanza', 2],
  ['Week 1: a\nWeek 10: b\nweek 12: c', 'week', 3],
  ['monday: a\nMONDAY: b', 'day', 1],
  ['1) a\n12. b\n  🌱 c\nd', 'tip', 3],
])('partCount of %j in %ss is %s', (text, noun, count) => {
  expect(partCount(text, noun)).toBe(count);
});

it.each([
  ['none of prose', {}, []],
  ['its kind', { kind: 'json' }, ['kind']],
  ['words', { words: { min: 1, max: 2 } }, ['words']],
  ['no words of code', { kind: 'code', words: { min: 1, max: 2 } }, ['kind']],
  ['no words of SQL', { kind: 'sql', words: { min: 1, max: 2 } }, ['kind']],
  ['sentences', { sentences: 2 }, ['sentences']],
  ['parts', { parts: { noun: 'day', count: 2 } }, ['parts']],
  ['no lines, which measure a length', { parts: { noun: 'line', count: 2 } }, []],
  ['headlines', { parts: { noun: 'headline', count: 2 } }, ['parts']],
  ['line items', { parts: { noun: 'line item', count: 2 } }, ['parts']],
  [
    'a result, an end and a beginning',
    { endsWithNumber: true, endsWith: 'a', startsWith: 'b' },
    ['result', 'ending', 'beginning'],
  ],
] as const)('demandsOf finds %s in a form', (_, overrides: Partial<AnswerForm>, demands) => {
  expect(demandsOf(form(overrides))).toEqual(demands);
});

it('a fault says what is asked for, and what the answer has', () => {
  expect(formFault(form({ words: { min: 2, max: 3 } }), 'one')).toBe('has 1 words; 2 to 3 are asked for');
  expect(formFault(form({ sentences: 2 }), 'One.')).toBe('has 1 sentences; 2 are asked for');
  expect(formFault(form({ parts: { noun: 'day', count: 2 } }), 'Day 1: a\nRest')).toBe(
    'has 1 of the 2 days that are asked for',
  );
  expect(formFault(form({ endsWith: 'home' }), 'away')).toBe('does not end with "home"');
  expect(formFault(form({ startsWith: 'Dear' }), 'Hi')).toBe('does not begin with "Dear"');
  expect(formFault(form({ kind: 'json', jsonKeys: ['a', 'b'] }), '{}')).toBe(
    'lacks the keys that the other rows have: a, b',
  );
});

it('jsonOf takes JSON out of its fence', () => {
  expect(jsonOf('```json\n[1]\n```')).toBe('[1]');
  expect(jsonOf(' [1] ')).toBe('[1]');
});

it('code that is too long to be parsed, or open, is judged by its fence alone', () => {
  expect(codeSyntaxFault({ codeLanguage: 'python' }, 'x = (\n'.repeat(10_000))).toBeNull();
  expect(codeSyntaxFault({ codeLanguage: 'other' }, '```sh\nls')).toContain('not closed');
});

const KINDS: readonly FormKind[] = ['open', 'label', 'number', 'string', 'json', 'table', 'code', 'sql'];
const MEASURES: Partial<AnswerForm> = {
  words: { min: 1, max: 900_000 },
  sentences: 2,
  endsWith: 'x',
  startsWith: '-',
  endsWithNumber: true,
};

it.each(KINDS)(
  'formFault takes time that grows as its text does: %s',
  (kind) => {
    const demanded = form({
      ...MEASURES,
      kind,
      parts: { noun: 'day', count: 2 },
      codeLanguage: 'javascript',
      needsUnit: true,
    });

    expect(slowTexts((text) => formFault(demanded, text))).toEqual([]);
    expect(
      slowTexts((text) => formFault({ ...demanded, ...MEASURES, words: null, sentences: null }, text)),
    ).toEqual([]);
  },
  60_000,
);

it.each(['line', 'paragraph', 'day', 'step'])(
  'partCount takes time that grows as its text does: %s',
  (noun) => {
    expect(slowTexts((text) => partCount(text, noun))).toEqual([]);
  },
  60_000,
);

it('sentenceCount and jsonOf take time that grows as their text does', () => {
  expect(slowTexts(sentenceCount)).toEqual([]);
  expect(slowTexts(jsonOf)).toEqual([]);
}, 60_000);

it.each(KINDS)('formFault reads 16 MB in less than a second: %s', (kind) => {
  const text = 'word, 12. \n'.repeat(1_500_000);

  expect(millisecondsOf(() => formFault(form({ ...MEASURES, kind }), text))).toBeLessThan(1000);
});
