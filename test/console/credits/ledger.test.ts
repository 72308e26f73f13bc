import { expect, test } from 'vitest';
import { answersByModel, axisEnd, effectOf, pricesOfRuns } from '../../../console/src/credits/ledger.ts';

type Movement = Parameters<typeof pricesOfRuns>[0][number];

const movement = (over: Partial<Movement>): Movement => ({
  entry_id: 'entry',
  type: 'settle',
  purpose: 'run',
  credits: 1,
  run_id: 'run-1',
  dataset_id: 'dataset-1',
  reason: null,
  created_at: '2026-11-22T10:00:00.000Z',
  ...over,
});

test.each([
  ['grant', 5],
  ['release', 5],
  ['reserve', -5],
  ['settle', 0],
] as const)('a movement of the type %s changes what can be spent by %s of 5', (type, effect) => {
  expect(effectOf({ type, credits: 5 })).toBe(effect);
});

test('the movements of a run become its price, as of its latest movement', () => {
  expect(
    pricesOfRuns([
      movement({
        type: 'settle',
        credits: 3,
        created_at: '2026-11-22T10:04:00.000Z',
        reason: 'run_cancelled',
      }),
      movement({ type: 'release', credits: 2, created_at: '2026-11-22T10:04:00.000Z' }),
      movement({ purpose: 'answers', run_id: null, dataset_id: null }),
      movement({ purpose: 'grant', type: 'grant', run_id: null, dataset_id: null }),
      movement({ run_id: 'run-2', credits: 7, dataset_id: null }),
      movement({ type: 'reserve', credits: 5 }),
    ]),
  ).toEqual([
    {
      runId: 'run-1',
      datasetId: 'dataset-1',
      reserved: 5,
      billed: 3,
      returned: 2,
      reason: 'run_cancelled',
      at: '2026-11-22T10:04:00.000Z',
    },
    {
      runId: 'run-2',
      datasetId: null,
      reserved: null,
      billed: 7,
      returned: null,
      reason: null,
      at: '2026-11-22T10:00:00.000Z',
    },
  ]);
});

test('answers are summed by model, the dearest first', () => {
  const usage = (model: string, answers: number, credits: number) => ({
    model,
    answers,
    input_tokens: 10,
    output_tokens: 2,
    cost_credits: credits,
    billed_credits: credits,
  });
  const day = (...models: ReturnType<typeof usage>[]) => ({
    day: '2026-11-22',
    runs: { runs: 0, credits: 0 },
    answers: { answers: 0, input_tokens: 0, output_tokens: 0, cost_credits: 0, billed_credits: 0 },
    models,
  });

  expect(answersByModel([day(usage('a', 1, 0.5), usage('b', 2, 4)), day(usage('a', 3, 1))])).toEqual([
    usage('b', 2, 4),
    { ...usage('a', 4, 1.5), input_tokens: 20, output_tokens: 4 },
  ]);
});

test.each([
  [0, 1],
  [0.004, 0.004],
  [0.0041, 0.005],
  [7, 8],
  [9.5, 10],
  [100, 100],
  [105, 150],
  [1402, 1500],
])('the axis of %s ends at %s', (value, end) => {
  expect(axisEnd(value)).toBeCloseTo(end, 9);
});
