import { expect, test } from 'vitest';
import { suggestionOf, throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';

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
