import { expect, test } from 'vitest';
import { listedColumns, suggestionOf, throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

function thrownBy(run: () => void): ServiceError {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

test('an unknown column is told with those that it may mean, in the message and in its detail', () => {
  const named = [
    ['column_mapping.prompt', 'Qestion'],
    ['column_mapping.completion', 'answer'],
    ['column_mapping.context[0]', 'weather'],
  ] as const;

  expect(() => throwUnknownColumns(named, ['question', 'answer'])).toThrowError(
    expect.objectContaining({
      code: 'column_unknown',
      message:
        'column_mapping.prompt: there is no column "Qestion" (did you mean "question"?); column_mapping.context[0]: there is no column "weather". The dataset\'s columns are "question", "answer".',
      details: [
        expect.objectContaining({ message: 'there is no column "Qestion" (did you mean "question"?)' }),
        expect.objectContaining({ message: 'there is no column "weather"' }),
      ],
    }),
  );
});

test.each([
  ['Answer', ['answer', 'question'], '(did you mean "answer"?)'],
  ['answer', ['model_answer', 'answer_2'], '(did you mean "answer_2" or "model_answer"?)'],
  ['reponse', ['réponse'], '(did you mean "réponse"?)'],
  ['问', ['答', '问题'], ''],
  ['q', ['a'], ''],
])('a suggestion for %s of %j is %j', (column, available, said) => {
  expect(suggestionOf(column, available).join('')).toBe(said);
});

test.each([
  ['long names', Array.from({ length: 10 }, (_, n) => `${n}`.repeat(26_000)), 'c'.repeat(64)],
  ['many names', Array.from({ length: 5600 }, (_, n) => `${n}`.padEnd(50, 'b')), `1${'b'.repeat(49)}`],
  ['many short names', Array.from({ length: 70_000 }, (_, n) => `${n % 10}`), 'c'],
])('an error about a dataset with %s stays small, and takes little time', (_, available, column) => {
  const named = Array.from(
    { length: 7500 },
    (_, n) => [`context[${n}]`, `${column}${n}`.slice(-64)] as const,
  );
  const spent = startStopwatch();
  const error = thrownBy(() => throwUnknownColumns(named, available));

  expect(spent()).toBeLessThan(2000);
  expect(error.details).toHaveLength(100);
  // The columns stand in one of them.
  expect(error.details.filter((detail) => 'available' in detail)).toEqual([error.details[0]]);
  expect(JSON.stringify(error.details).length).toBeLessThan(35_000);
  expect(error.message).toMatch(/; and more\. The dataset's columns are /);
  expect(JSON.stringify([error.message, error.details]).length).toBeLessThan(1_000_000);
});

test.each([
  [['a', 'b'], '"a", "b"'],
  [['a', 'b'.repeat(4000), 'c'], '"a" and 2 more'],
  [['b'.repeat(4000)], '1 with long names'],
])('of many or long columns as many are listed as fit', (columns, text) => {
  expect(listedColumns(columns).text).toBe(text);
});
