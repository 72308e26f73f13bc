import { expect, test } from 'vitest';
import { createEndRun } from '#shared/runs/end-run.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { interruption, launchOf } from '#test/helpers/store-contract.ts';

test('the first outcome stands, whoever reports another one later', async () => {
  const store = createMemoryStore(() => NOW);
  const caller = await seedTeam(store, 10);
  const dataset = await seedDataset(store, caller);
  const run = makeRun(dataset);
  await store.ledger.launch(launchOf(run));
  const endRun = createEndRun(store);
  const of = { dataset_id: run.dataset_id, run_id: run.run_id };
  const summary = {
    grade_before: 'D',
    grade_after: 'B',
    score_before: 5,
    score_after: 8,
    improvement_percent: 60,
  } as const;

  const outcomes = await Promise.all([
    endRun({ ...of, error: null, billedCredits: 2, evaluationSummary: summary, now: NOW }),
    endRun({ ...of, error: interruption, billedCredits: 0, now: NOW + 1 }),
    endRun({ ...of, error: interruption, billedCredits: 1, now: NOW + 2 }),
  ]);

  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect(outcomes[0]).toMatchObject({ status: 'succeeded', settled_credits: 2, error_data: null });
  expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'succeeded',
    error_data: null,
    evaluation_summary: summary,
  });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ settled: 2, available: 8 });
});
