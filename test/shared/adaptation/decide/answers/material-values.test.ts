import { describe, expect, it } from 'vitest';
import { sqlFault } from '#shared/adaptation/decide/answers/check-sql.ts';
import { computeAnswer } from '#shared/adaptation/decide/answers/compute-answer.ts';
import { evidenceOf } from '#shared/adaptation/decide/answers/evidence.ts';
import { sortedList } from '#shared/adaptation/decide/answers/sorted-list.ts';
import { finalResultFault, statedResultFault } from '#shared/adaptation/decide/answers/stated-results.ts';
import { nearestPhrase, strangeValue } from '#shared/adaptation/decide/answers/typed-values.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

describe('a date, a time or an address of a text', () => {
  it.each([
    ['Slam in Graz, 22 February 2025, 19:30', '{"date": "2025-02-23"}', '{"date": "2025-02-22"}'],
    ['Slam in Graz, February 22, 2025', '{"date": "2025-12-22"}', '{"date": "2025-02-22"}'],
    ['Doors open: 19:30', '{"time": "18:30"}', '{"time": "19:30"}'],
    ['Write to anna@berg.example', 'anna@burg.example', 'anna@berg.example'],
  ])('%s is not in %s', (material, answer, expected) => {
    expect(strangeValue(material, answer)).toMatchObject({ expected });
  });

  it.each([
    ['in another form', '22.2.2025', '2025-02-22'],
    ['with an ordinal', 'on 22nd of February, 2025', '2025-02-22'],
    ['of two', 'from 1 March 2025 to 4 March 2025', '2025-03-02'],
    ['ambiguous', '3/4/2025', '2025-03-04'],
    ['relative', 'the day after 3 March 2025', '2025-03-04'],
    ['a deadline', 'within ten days of 3 March 2025', '2025-03-13'],
    ['on another clock', 'at 7 p.m., doors 18:00', '19:00'],
    ['a padded time', 'at 9:05', '09:05'],
    ['computed', 'starts 19:30 and lasts two hours', '21:30'],
    ['no value at all', 'some day', '2025-03-04'],
  ])('may stand %s', (_, material, answer) => {
    expect(strangeValue(material, answer)).toBeNull();
  });

  it('corrects a JSON and a table', () => {
    const request =
      'Turn the announcement into JSON with the keys name and date (YYYY-MM-DD).\n\nSlam - Graz - 22 February 2025';
    const answer = '{"name": "Slam", "date": "2025-02-12"}';
    expect(evidenceOf({ request, answer, form: formOf(request, answer) })).toMatchObject({
      verdict: 'wrong',
      expected: '{"name": "Slam", "date": "2025-02-22"}',
    });
  });
});

describe('a copy with a misspelling', () => {
  const NOTE = 'Started on cetirizine 10 mg at night, by Dr. Sanne de Wit.';
  it.each([
    ['cetrizine', 'cetirizine'],
    ['Sanne de Witt', 'Sanne de Wit'],
    ['loratadine', null],
    ['Wit', null],
  ])('%s', (copy, expected) => {
    expect(nearestPhrase(NOTE, copy)).toBe(expected);
  });
});

describe('a list that is to be sorted', () => {
  it.each([
    ['Sort these words alphabetically: pear, apple, fig', 'apple, pear, fig', 'apple, fig, pear'],
    ['Put the numbers in descending order: 3, 11, 7', '11, 3, 7', '11, 7, 3'],
    ['Sort in ascending order: 0.5, -2, 1', '0.5\n-2\n1', '-2\n0.5\n1'],
  ])('%s', (asked, answer, expected) => {
    expect(sortedList(asked, answer)).toBe(expected);
    expect(sortedList(asked, expected)).toBeNull();
  });

  it.each([
    [
      'another order',
      'Sort these words by length, then alphabetically: pear, apple, fig',
      'fig, pear, apple',
    ],
    ['other items', 'Sort these words alphabetically: pear, apple, fig', 'fig, apple, plum'],
    ['equal items', 'Sort alphabetically: pear, Pear, fig', 'Pear, pear, fig'],
    ['accents', 'Sort alphabetically: zèbre, âne, eau', 'zèbre, eau, âne'],
    ['numbers as words', 'Sort alphabetically: 10, 9, 2', '10, 9, 2'],
    ['names of people', 'Sort by last name alphabetically: Ann Z, Bo A, Cy B', 'Bo A, Cy B, Ann Z'],
  ])('is left alone: %s', (_, asked, answer) => {
    expect(sortedList(asked, answer)).toBeNull();
  });
});

describe('results that an answer states', () => {
  it.each([
    ['12 times 12 is 124.', '12 times 12 is 144.'],
    ['15% of 80 is 14.', '15% of 80 is 12.'],
    ['You get 1,200 plus 50 = 1,350 points.', 'You get 1,200 plus 50 = 1250 points.'],
    ['10 divided by 3 is 5.', null],
  ])('%s', (answer, expected) => {
    expect(statedResultFault(answer)).toMatchObject({ expected });
  });

  it.each([
    '12 times 12 is 144.',
    '10 divided by 3 is 3.33.',
    '7 minus 3 is 2 more than 2.',
    '15% of 80 is 12% of 100.',
    '2 times 3 is 6.0.',
  ])('%s stays', (answer) => {
    expect(statedResultFault(answer)).toBeNull();
  });

  it('ends with the result of its last step', () => {
    expect(finalResultFault('Share 87 by 3.', '87 / 3 = 29\n29 + 4 = 33\nAnswer: 34')).toMatchObject({
      expected: '87 / 3 = 29\n29 + 4 = 33\nAnswer: 33',
    });
  });

  it.each([
    ['the result', '87 / 3 = 29\n29 + 4 = 33\n33'],
    ['another unit', '5 * 12 = 60\n1'],
    ['a rounded result', '100 / 3 = 33.3\n34'],
    ['a number of the steps', '12 + 8 = 20\n12'],
    ['no number', '12 + 8 = 20\nDone.'],
  ])('may end with %s', (_, answer) => {
    expect(finalResultFault('How many?', answer)).toBeNull();
  });
});

describe('a query and its tables', () => {
  const TABLE = 'CREATE TABLE books (isbn VARCHAR, title VARCHAR, price DECIMAL(8, 2), PRIMARY KEY (isbn));';
  it.each([
    ['SELECT title FROM books WHERE author = 1', 'author'],
    ['SELECT title FROM books ORDER BY title WHERE price > 1', 'before'],
    ['SELECT title FROM books WHERE (price > 1', 'bracket'],
    ["SELECT title FROM books WHERE title = 'x", 'quotation'],
  ])('%s cannot run', (sql, why) => {
    expect(sqlFault(sql, TABLE)).toContain(why);
  });

  it.each([
    'SELECT b.title FROM books b WHERE b.price > 1',
    "SELECT title AS t FROM books WHERE title LIKE '%it''s%' AND price IS NOT NULL",
    'SELECT title, price * 2 AS twice FROM books WHERE price BETWEEN 1 AND 2 ORDER BY twice',
    'SELECT x.author FROM other x WHERE x.author = 1',
    'SELECT EXTRACT(YEAR FROM d) FROM t WHERE e = 1',
    'SELECT SUM(price) OVER (PARTITION BY title ORDER BY isbn) FROM books WHERE price > 1 LIMIT 3',
    'SELECT title FROM books JOIN loans ON loans.isbn = books.isbn WHERE loans.due = 1',
  ])('%s may run', (sql) => {
    expect(sqlFault(sql, TABLE)).toBeNull();
  });
});

describe('words and measures', () => {
  it.each([
    ['Is "level" a palindrome?', true],
    ['Does the word "garden" contain the letter "z"?', false],
    ['Does "garden" end with n?', true],
    ['Is 1 km longer than 900 m?', true],
    ['Is 500 g heavier than 1 kg?', false],
  ])('%s %s', (request, value) => {
    expect(computeAnswer(request)).toEqual({ type: 'boolean', value });
  });

  it.each([
    ['Give the initials of "Anna Maria Berg".', 'AMB'],
    ['Remove all vowels from the word "garden".', 'grdn'],
    ['Replace every "a" in "banana" with "o".', 'bonono'],
  ])('%s %s', (request, text) => {
    expect(computeAnswer(request)).toEqual({ type: 'text', text });
  });

  it.each(['Is "level" a good word?', 'Is 1 km longer than 900 kg?', 'Is 1 km longer than 1000 m?'])(
    '%s is left alone',
    (request) => {
      expect(computeAnswer(request)).toBeNull();
    },
  );
});

it('the checks take time that grows as their texts do', () => {
  for (const check of [
    (text: string) => statedResultFault(text),
    (text: string) => finalResultFault('1', text),
    (text: string) => sortedList(`Sort alphabetically: ${text.slice(0, 4_000)}`, text.slice(0, 20_000)),
    (text: string) => strangeValue(text.slice(0, 4_000), text.slice(0, 20_000)),
    (text: string) => nearestPhrase(text, 'loratadine'),
    (text: string) => sqlFault(text, text.slice(0, 4_000)),
  ]) {
    expect(slowTexts(check)).toEqual([]);
  }
});
