import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { type CloudStore, createCloudStore } from '#test/helpers/cloud-store.ts';
import { checkLedgerModel } from '#test/helpers/ledger-model.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, faultsOf, launchOf } from '#test/helpers/store-contract.ts';

let store: CloudStore;
beforeAll(async () => {
  store = await createCloudStore();
});
afterAll(() => store.remove());

test('the ledger in the table follows its model through crashes, replays and races', async () => {
  await checkLedgerModel(store, { runs: 12, commandsMax: 25 });
});

test('of 200 reservations at once against credits for 150, exactly 150 succeed', async () => {
  const caller = await seedTeam(store, 150);
  const datasets = await Promise.all(Array.from({ length: 200 }, () => seedDataset(store, caller)));
  const runs = datasets.map((dataset) => makeRun(dataset, { reserved_credits: 1 }));

  const outcomes = await Promise.all(
    runs.map((run) =>
      store.ledger.launch(launchOf(run, { runsAtOnce: 1000 })).then(
        () => 'reserved',
        (error: ServiceError) => error.code,
      ),
    ),
  );

  expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(150);
  expect(outcomes.filter((outcome) => outcome === 'credits_insufficient')).toHaveLength(50);
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ available: 0, held: 150 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);

  const won = runs.filter((_, index) => outcomes[index] === 'reserved');
  await Promise.all(
    won.flatMap((run) => [
      store.ledger.end(endingOf(run)),
      store.ledger.end(endingOf(run, { billedCredits: 0, status: 'failed' })),
    ]),
  );
  const balance = await store.ledger.findBalance(caller.team_id);
  expect(balance).toMatchObject({ held: 0, active_runs: 0 });
  expect((balance?.available ?? 0) + (balance?.settled ?? 0)).toBe(150);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('of 200 launches at once, a plan for 7 runs admits 7', async () => {
  const caller = await seedTeam(store, 1000);
  const datasets = await Promise.all(Array.from({ length: 50 }, () => seedDataset(store, caller)));

  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      store.ledger
        .launch(launchOf(makeRun(datasets[index % 50] ?? makeNever()), { runsAtOnce: 7 }))
        .then(() => 'reserved')
        .catch((error: ServiceError) => error.code),
    ),
  );

  expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(7);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

function makeNever(): never {
  throw new Error('there is no such dataset');
}
