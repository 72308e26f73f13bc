import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { isCodeLike, isExact, isExpression, readForm } from '#shared/answers/decide/read-form.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

it.each([
  ['Answer Yes or No: is it so?', '', 'label'],
  ['Why is the sky blue?', 'Because.', 'open'],
  ['Who wrote Faust?', 'Goethe', 'short'],
  ['Write a poem about rain.', '', 'creative'],
  ['How many eggs are 2 dozen? Just the number.', '', 'number'],
  ['12 * 3 =', '', 'number'],
  ['Return the name only.', '', 'string'],
  ['What is the acronym of "as soon as possible"?', '', 'string'],
  ['Convert the list to JSON.', '', 'json'],
  ['Put it into a markdown table.', '', 'table'],
  ['Write a Python function that adds.', '', 'code'],
  ['Write a SQL query for all users.', '', 'sql'],
  ['Translate into German: the dog', '', 'translation'],
  ['Übersetze ins Englische: der Hund', '', 'translation'],
  ['Explain what JSON is.', 'JSON is a format.', 'open'],
  ['How do I set the dinner table?', '', 'open'],
])('the kind of an answer of "%s" with "%s" is %s', (request, answer, kind) => {
  expect(formOf(request, answer).kind).toBe(kind);
});

it.each([
  ['Answer with Red, Green or Blue.', ['Red', 'Green', 'Blue']],
  ['Classify it as spam/ham.', ['spam', 'ham']],
  ['Reply with "in favour" or "against".', ['in favour', 'against']],
  ['Answer with yes, no or n/a.', ['yes', 'no', 'n/a']],
  ['Labels: Sport, Politics and Other', ['Sport', 'Politics', 'Other']],
  ['Answer only with Yes or No.', ['Yes', 'No']],
  ['Antworte nur mit Ja oder Nein.', ['Ja', 'Nein']],
  ['Responde solo con sí o no.', ['sí', 'no']],
  ['Is it so (true/false)?', ['true', 'false']],
  ['Yes or No: is it so?', ['Yes', 'No']],
  ['true or false: it is red', ['true', 'false']],
  ['Choose A, B or C.', ['A', 'B', 'C']],
  ['Pick one.\nA. red\nB. blue', ['A', 'B']],
])('labels are read from "%s"', (request, labels) => {
  expect(formOf(request).labels).toEqual(labels);
});

it.each([
  'Describe it in two or three sentences.',
  'Answer Supported or Not supported and give a one-sentence reason.',
  'Return JSON with the key "free" (true or false).',
  'Write a function that returns true or false.',
  'Should I take the train or the bus?',
  'Yes or no: does it rain?',
  'Write three questions like this one.\nTrue or False: the sun is a star',
  'True or False: it is red. True or False: it is round.',
  'He said: "This text is quoted at length, and it says: answer with Red or Blue."',
])('labels are none in "%s"', (request) => {
  expect(formOf(request).labels).toEqual([]);
});

it.each(
  'Answer Respond Reply Output Say Print Return Write Choose Select Pick Use Label Classify Mark Tag Responde Antworte Réponds Reſpond Uſe Mar\u212A'.split(
    ' ',
  ),
)('labels are read after the verb %s', (verb) => {
  expect(formOf(`${verb} it with only Red or Blue.`).labels).toEqual(['Red', 'Blue']);
});

it('labels of a dataset go before what a request does not name', () => {
  const profile = { ...NO_PROFILE, labels: ['Positive', 'Negative'] };

  for (const answer of ['', 'Negative']) {
    expect(formOf('How is the review?', answer, profile)).toMatchObject({
      kind: 'label',
      labels: ['Positive', 'Negative'],
    });
  }
  expect(formOf('How is the review?', 'Mixed', profile).labels).toEqual([]);
});

it('labels keep the words of the options by their letters', () => {
  expect([...formOf('Pick one.\nA. red\nB. blue').options]).toEqual([
    ['A', 'red'],
    ['B', 'blue'],
  ]);
});

it.each([
  ['Write it in exactly two sentences.', { sentences: 2 }],
  ['Use at most 20 words.', { words: { min: 1, max: 20 } }],
  ['Answer in exactly five words.', { words: { min: 5, max: 5 } }],
  ['Use at least ten words.', { words: { min: 10, max: 100_000 } }],
  ['Give me five tips.', { parts: { noun: 'tip', count: 5 } }],
  ['Make a seven-day plan.', { parts: { noun: 'day', count: 7 } }],
  ['End with the word "home".', { endsWith: 'home' }],
  ['Begin with "Dear".', { startsWith: 'Dear' }],
  ['Show the steps and end with the number.', { endsWithNumber: true }],
  ['Write the weight with its unit.', { needsUnit: true, unit: null }],
  ['Convert 100 °C to °F, with the unit.', { unit: '°F' }],
  ['How long is a mile in metres, and its unit?', { unit: 'metres' }],
  ['Is it in km or in miles?', { unit: null }],
  ['Put it into my bag, in most cases.', { unit: null }],
  ['Write it in the first person.', { person: 'first' }],
  ['Translate into French: the dog', { language: 'French' }],
  ['Schreibe es auf Deutsch.', { language: 'German' }],
  ['Only the name.', { isExclusive: true }],
  ['Give one word only as JSON, and write it as a markdown table.', { isContradictory: true }],
  ['Answer with Yes or No in three paragraphs.', { isContradictory: true }],
])('the measures of "%s" are read', (request, measures) => {
  expect(formOf(request)).toMatchObject(measures);
});

it('a query is one of SQL where tables are defined beside the request', () => {
  const kindOf = (context: string, answer = '') =>
    readForm({ request: 'The oldest book. Just the query.', context, answer, profile: NO_PROFILE }).kind;

  expect(kindOf('CREATE TABLE books (title VARCHAR)')).toBe('sql');
  expect(kindOf('An index of books')).not.toBe('sql');
});

it('code is told from prose', () => {
  expect(isCodeLike('def f():\n    return 1')).toBe(true);
  expect(isCodeLike('foo(bar)\nbaz(1);')).toBe(true);
  expect(isCodeLike('This function returns one.\nIt is short.')).toBe(false);
  expect(isCodeLike('')).toBe(false);
});

it('an expression is told from a text', () => {
  expect(isExpression('48 / 6 + 7 =')).toBe(true);
  expect(isExpression('48 men')).toBe(false);
  expect(isExpression('48')).toBe(false);
});

it('readForm throws at no pair of texts', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'answer',
          'with',
          'A',
          'B)',
          'or',
          '/',
          ',',
          '"',
          '(',
          ')',
          'constructor',
          '__proto__',
          'labels:',
          'in',
          'toString words',
          '{',
          '1',
        ),
        { maxLength: 20 },
      )
      .map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(anyText, anyText, (request, answer) => isExact(formOf(request, answer)) || true),
    { numRuns: 400 },
  );
});

it.each(['', 'Answer with ', 'Labels: ', '(', 'The answer as ', '\nA. '])(
  'readForm takes time that grows as its texts do: "%s"',
  (before) => {
    const read = (request: string, answer: string) => readForm({ request, answer, profile: NO_PROFILE });

    expect(slowTexts((text) => read(`${before}${text.replace(/^--/, '')}`, ''))).toEqual([]);
  },
  60_000,
);

it('readForm takes time that grows as its answer does', () => {
  expect(slowTexts((text) => formOf('Say it.', text))).toEqual([]);
  expect(slowTexts(isCodeLike)).toEqual([]);
}, 60_000);

it('readForm reads 16 MB in less than a second', () => {
  const text = 'answer with a/b or c, '.repeat(750_000);

  expect(millisecondsOf(() => formOf(text, text))).toBeLessThan(1000);
});
