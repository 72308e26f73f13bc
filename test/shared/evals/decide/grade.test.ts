import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  faultOf,
  GraderFailed,
  type GraderPorts,
  grade,
  type ModelQuestion,
} from '#shared/evals/decide/grade.ts';
import { Grader } from '#shared/evals/schema/grader.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const values = {
  item: { question: 'Capital of France?', answer: 'Paris' },
  sample: { output_text: 'It is Paris.' },
};
const ports: GraderPorts = {
  ask: async () => '{}',
  runPython: async () => 0.25,
};
const graderOf = (fields: object): Grader => Grader.parse({ name: 'one', ...fields });
const input = '{{ sample.output_text }}';
const reference = '{{ item.answer }}';
const messages = [
  { role: 'user', content: 'Is {{ sample.output_text }} right?' },
  { role: 'user', content: { type: 'input_text', text: 'It should be {{ item.answer }}.' } },
];

test.each([
  ['eq', 'It is Paris.', true],
  ['eq', reference, false],
  ['ne', reference, true],
  ['like', reference, true],
  ['like', 'paris', false],
  ['ilike', 'pARIS', true],
])('a string check of %s with %j passes: %s', async (operation, wanted, passed) => {
  const grader = graderOf({ type: 'string_check', input, reference: wanted, operation });

  expect(await grade(grader, values, ports)).toEqual({
    name: 'one',
    type: 'string_check',
    score: passed ? 1 : 0,
    passed,
    error: null,
  });
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
test.each(['like', 'ilike'] as const)(
  'a check of %s finds what texts of few letters contain, wherever it is',
  async (operation) => {
    await fc.assert(
      fc.asyncProperty(letters, letters, async (text, part) => {
        const of = { item: { part }, sample: { text } };
        const grader = graderOf({
          ...{ type: 'string_check', operation },
          ...{ input: '{{ sample.text }}', reference: '{{ item.part }}' },
        });
        expect((await grade(grader, of, ports)).passed).toBe(text.includes(part));
      }),
    );
  },
);

test('a check of the longest texts, of one letter but for the middle of the reference, is made in little time', async () => {
  const text = 'a'.repeat(199_000);
  const part = `${'a'.repeat(49_999)}b${'a'.repeat(50_000)}`;
  const elapsed = startStopwatch();

  for (const operation of ['like', 'ilike'] as const) {
    const of = { type: 'string_check', operation, input: '{{ item.text }}', reference: part };
    const result = await grade(graderOf(of), { item: { text }, sample: {} }, ports);
    expect(result).toMatchObject({ passed: false, error: null });
  }

  expect(elapsed()).toBeLessThan(1000);
});

test('a similarity passes from its threshold on', async () => {
  const of = (pass_threshold: number) =>
    grade(
      graderOf({ type: 'text_similarity', input, reference, evaluation_metric: 'rouge_1', pass_threshold }),
      values,
      ports,
    );

  expect(await of(0.5)).toMatchObject({ score: 0.5, passed: true });
  expect(await of(0.51)).toMatchObject({ passed: false });
});

test('a question whose parts each name a long text is not filled beyond a million characters', async () => {
  const parts = Array.from({ length: 50 }, () => ({ type: 'input_text', text: '{{ item.text }}' }));
  const grader = graderOf({
    type: 'score_model',
    model: 'judge',
    input: Array.from({ length: 50 }, () => ({ role: 'user', content: parts })),
  });
  let read = 0;
  const item = {
    get text() {
      read += 1;
      return 'a'.repeat(190_000);
    },
  };

  const { error } = await grade(grader, { item, sample: {} }, ports);

  expect(error).toContain('1000000 characters');
  expect(read).toBe(6);
});

test('a label is one of those that are given, asked for with the templates filled', async () => {
  const asked: ModelQuestion[] = [];
  const grader = graderOf({
    type: 'label_model',
    model: 'judge',
    input: messages,
    labels: ['right', 'wrong'],
    passing_labels: ['right'],
  });
  const say = (answer: string) =>
    grade(grader, values, {
      ...ports,
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });

  expect(await say('{"label":"right"}')).toMatchObject({ score: 1, passed: true, label: 'right' });
  expect(await say('{"label":"wrong"}')).toMatchObject({ score: 0, passed: false, label: 'wrong' });
  expect(await say('{"label":"else"}')).toMatchObject({ passed: false, error: expect.any(String) });
  expect(await say('right')).toMatchObject({ passed: false, error: expect.any(String) });
  expect(asked[0]?.input.map(({ content }) => content)).toEqual([
    'Is It is Paris. right?',
    'It should be Paris.',
    expect.stringContaining('["right","wrong"]'),
  ]);
});

test('a score is in its range, and passes from the middle on unless a threshold is given', async () => {
  const of = (answer: string, fields: object = {}) =>
    grade(
      graderOf({ type: 'score_model', model: 'judge', input: messages, range: [1, 5], ...fields }),
      values,
      { ...ports, ask: async () => answer },
    );

  expect(await of('{"steps":[],"result":3}')).toMatchObject({ score: 3, passed: true });
  expect(await of('{"steps":[],"result":2.9}')).toMatchObject({ passed: false, error: null });
  expect(await of('{"steps":[],"result":3}', { pass_threshold: 4 })).toMatchObject({ passed: false });
  expect(await of('{"steps":[],"result":6}')).toMatchObject({ error: expect.stringContaining('1 to 5') });
  expect(await of('{"grade":3}')).toMatchObject({ error: expect.any(String) });
});

test('a multi grader computes its formula, and says which of its graders failed', async () => {
  const exact = { type: 'string_check', name: 'exact', input, reference, operation: 'like' };
  const code = { type: 'python', name: 'code', source: 'def grade(sample, item): return 1' };
  const grader = graderOf({
    type: 'multi',
    graders: { exact, code },
    calculate_output: '0.5 * exact + 0.5 * code',
  });

  expect(await grade(grader, values, ports)).toMatchObject({ score: 0.625, passed: true });
  expect(await grade(grader, values, { ...ports, runPython: async () => 'It raised.' })).toMatchObject({
    passed: false,
    error: 'code: It raised.',
  });
});

test('a question without an answer is the error of its row, and another error is not', async () => {
  const grader = graderOf({ type: 'score_model', model: 'judge', input: messages });
  const failing = (error: Error) => ({
    ...ports,
    ask: async () => {
      throw error;
    },
  });

  expect(await grade(grader, values, failing(new GraderFailed('No answer.')))).toMatchObject({
    passed: false,
    error: 'No answer.',
  });
  await expect(grade(grader, values, failing(new Error('else')))).rejects.toThrow('else');
});

test('the faults of a grader that its schema does not see are found', () => {
  const exact = { type: 'string_check', name: 'exact', input, reference, operation: 'like' };
  const multi = { type: 'multi', graders: { exact } };

  expect(faultOf(graderOf({ ...multi, calculate_output: 'exact' }))).toBeNull();
  expect(faultOf(graderOf({ ...multi, calculate_output: 'exact + style' }))?.[0]).toBe('calculate_output');
  expect(faultOf(graderOf({ ...multi, graders: {}, calculate_output: '1' }))?.[0]).toBe('graders');
  expect(
    faultOf(
      graderOf({
        type: 'label_model',
        model: 'judge',
        input: messages,
        labels: ['a'],
        passing_labels: ['b'],
      }),
    )?.[0],
  ).toBe('passing_labels');
});
