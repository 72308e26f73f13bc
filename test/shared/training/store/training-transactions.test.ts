import { expect, test } from 'vitest';
import type { Voucher } from '#shared/access/decide/vouchers/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { keys } from '#shared/platform/store/keys.ts';
import type { Ending } from '#shared/runs/decide/ledger/repository.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { trainingCompanion, trainingEnd } from '#shared/training/store/training-transactions.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeCaller, makeDataset, makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { makeTraining } from '#test/helpers/training.ts';

const ROWS = { dataset_id: crypto.randomUUID(), run_id: 'made' };
const FAILED = {
  status: 'failed',
  errorData: { code: 'run_cancelled', message: 'It was cancelled.', level: 'error' },
  billedCredits: 0,
} as const;

test('the end of a training revokes its last attempt in the same transaction', () => {
  const dataset = makeDataset({} as Caller);
  const attempt = { iteration: 2, attempt: 3, queued_at: '2026-03-01T12:00:00.000Z' };
  const training = makeTraining(dataset, { attempt });
  const ending = endingOf(makeRun(dataset, { run_id: training.experiment_id, pipeline: 'train' }));

  expect(trainingEnd(training, ending, null).attempt).toMatchObject({
    Update: {
      Key: keys.trainerAttempt(training.experiment_id, 2, 3),
      ExpressionAttributeValues: { ':revoked': 'revoked' },
    },
  });
  expect(trainingEnd({ ...training, attempt: null }, ending, null).attempt).toBeUndefined();
});

test.each([
  ['first', null],
  ['next', { iteration: 1, attempt: 1, queued_at: '2026-03-01T12:00:00.000Z' }],
])(
  'an end that has not seen the %s attempt of its training reads it again, and revokes it',
  async (_, before) => {
    const store = createMemoryStore();
    const dataset = await seedDataset(store, await seedTeam(store, 50), { state: 'succeeded' });
    const training = makeTraining(dataset, { attempt: before });
    const run = makeRun(dataset, { run_id: training.experiment_id, pipeline: 'train' });
    const at = '2026-03-01T12:30:00.000Z';
    const id = { experiment_id: training.experiment_id, iteration: 1, attempt: 2 };
    let reads = 0;
    const ledger = createLedger(store.table, {
      train: {
        ...trainingCompanion,
        async end(table, ended, ending) {
          const read = await trainingCompanion.end(table, ended, ending);
          if (reads++ === 0) {
            const attempt = { iteration: 1, attempt: 2, queued_at: at };
            await store.trainings.recordProgress(training.experiment_id, { attempt });
            await store.trainings.queueAttempt(id, { job_key: 'a', queued_at: at });
          }
          return read;
        },
      },
    });
    await ledger.launch(launchOf(run, { companion: training }));

    await ledger.end(endingOf(run, FAILED));

    expect(reads).toBe(2);
    expect((await store.trainings.findAttempt(id))?.state).toBe('revoked');
  },
);

test.each<[string, Partial<TrainingRecord>, Partial<Ending>, boolean]>([
  ['failed and was not billed', {}, {}, true],
  ['was billed', {}, { billedCredits: 1, priceBeforeDiscount: 2 }, false],
  ['succeeded and was billed', {}, { status: 'succeeded', errorData: null, billedCredits: 1 }, false],
  [
    'had its rows for nothing',
    { discount_percent: 100, augmented: ROWS },
    { priceBeforeDiscount: 10 },
    false,
  ],
  ['had no rows for nothing', { discount_percent: 100 }, {}, true],
  [
    'began rows for nothing, and got none',
    { discount_percent: 100, augmented: ROWS },
    { priceBeforeDiscount: 0 },
    true,
  ],
])('a training that %s gives its voucher back: %o %o %s', (_, fields, ended, isReturned) => {
  const training = makeTraining(makeDataset({} as Caller), {
    voucher: 'SPRING',
    discount_percent: 25,
    ...fields,
  });
  const ending = { ...endingOf(makeRun(makeDataset({} as Caller))), ...FAILED, ...ended };
  const voucher = { code: 'SPRING', uses: 1 } as Voucher;

  expect(trainingEnd(training, ending, voucher).voucher !== undefined).toBe(isReturned);
  expect(trainingEnd(training, ending, { ...voucher, uses: 0 }).voucher).toBeUndefined();
});

test('a ledger without the companion of trainings launches none', async () => {
  const store = createMemoryStore();
  const dataset = makeDataset(makeCaller());
  const run = makeRun(dataset, { pipeline: 'train' });
  const ledger = createLedger(store.table);

  await expect(ledger.launch(launchOf(run))).rejects.toThrow('This ledger cannot train.');
  expect(await store.runs.find(run.dataset_id, run.run_id)).toBeNull();
});
