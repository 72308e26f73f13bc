import { expect, test } from 'vitest';
import { fitItem } from '#shared/evals/decide/fit-item.ts';
import { OutputItem } from '#shared/evals/schema/eval.ts';

const item = (fields: object): OutputItem =>
  OutputItem.parse({
    id: 'outputitem_1_0',
    object: 'eval.run.output_item',
    eval_id: 'eval_1',
    run_id: 'evalrun_1',
    created_at: 1,
    status: 'pass',
    datasource_item_id: 0,
    datasource_item: {},
    results: [{ name: 'a', type: 'python', score: 1, passed: true, error: null }],
    sample: {
      model: 'm',
      input: [],
      output: [{ role: 'assistant', content: 'Yes.' }],
      finish_reason: 'stop',
      max_completion_tokens: 0,
      temperature: 1,
      top_p: 1,
      seed: 0,
      usage: { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, total_tokens: 0 },
      error: { code: '', message: '' },
    },
    ...fields,
  });

const bytesOf = (each: object): number => Buffer.byteLength(JSON.stringify(each));

test('an output item that fits is as it is', () => {
  const small = item({ datasource_item: { text: 'a'.repeat(1000) } });

  expect(fitItem(small, 10_000)).toBe(small);
});

test('an output item that does not fit has its long texts cut, and the others whole', () => {
  const cut = fitItem(item({ datasource_item: { text: 'ä'.repeat(200_000), id: 7, short: 'b' } }), 250_000);

  expect(cut.datasource_item).toEqual({ text: `${'ä'.repeat(100_000)} […]`, id: 7, short: 'b' });
  expect(bytesOf(cut)).toBeLessThanOrEqual(250_000);
});

test.each([
  ['values', { list: Array.from({ length: 100_000 }, (_, n) => n) }],
  ['names', { ['n'.repeat(500_000)]: 1 }],
])('an output item of too many or too long %s goes without its row, with its results', (_, row) => {
  const cut = fitItem(item({ datasource_item: row }), 100_000);

  expect(OutputItem.parse(cut)).toMatchObject({
    status: 'pass',
    datasource_item: {},
    results: [{ score: 1 }],
  });
  expect(bytesOf(cut)).toBeLessThanOrEqual(100_000);
});

test('an output item that goes without its row says of a grader that failed that it did', () => {
  const results = [{ name: 'a', type: 'python', score: 0, passed: false, error: 'a'.repeat(1000) }];
  const row = { list: Array.from({ length: 100_000 }, (_, n) => n) };

  expect(fitItem(item({ datasource_item: row, results }), 100_000).results).toEqual([
    { ...results[0], error: `${'a'.repeat(100)} […]` },
  ]);
});

test('an output item that goes without its row keeps what models that grade read and wrote', () => {
  const usage = [{ model_name: 'judge', invocation_count: 1, total_tokens: 7 }];
  const results = [{ name: 'a', type: 'label_model', score: 1, passed: true, error: null, usage }];
  const row = { list: Array.from({ length: 100_000 }, (_, n) => n) };

  expect(fitItem(item({ datasource_item: row, results }), 100_000).results).toEqual(results);
});
