import { expect, test } from 'vitest';
import type { Caller } from '#shared/platform/access/caller.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { trainingEnd } from '#shared/training/store/training-transactions.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeCaller, makeDataset, makeRun } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { makeTraining } from '#test/helpers/training.ts';

test('the end of a training revokes its last attempt in the same transaction', () => {
  const dataset = makeDataset({} as Caller);
  const attempt = { iteration: 2, attempt: 3, queued_at: '2026-03-01T12:00:00.000Z' };
  const training = makeTraining(dataset, { attempt });
  const ending = endingOf(makeRun(dataset, { run_id: training.experiment_id, pipeline: 'train' }));

  expect(trainingEnd(training, ending).attempt).toMatchObject({
    Update: {
      Key: keys.trainerAttempt(training.experiment_id, 2, 3),
      ExpressionAttributeValues: { ':revoked': 'revoked' },
    },
  });
  expect(trainingEnd({ ...training, attempt: null }, ending).attempt).toBeUndefined();
});

test('a ledger without the companion of trainings launches none', async () => {
  const store = createMemoryStore();
  const dataset = makeDataset(makeCaller());
  const run = makeRun(dataset, { pipeline: 'train' });
  const ledger = createLedger(store.table);

  await expect(ledger.launch(launchOf(run))).rejects.toThrow('This ledger cannot train.');
  expect(await store.runs.find(run.dataset_id, run.run_id)).toBeNull();
});
