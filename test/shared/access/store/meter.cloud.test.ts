import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createSweepMeters } from '#shared/access/sweep-meters.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { type CloudStore, createCloudStore } from '#test/helpers/cloud-store.ts';
import { checkMeterModel } from '#test/helpers/meter-model.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';

let store: CloudStore;
beforeAll(async () => {
  // Records of answers expire: those of the tests are of the past.
  store = await createCloudStore(() => NOW);
});
afterAll(() => store.remove());

/** A credit for 1,000 tokens. */
const PRICE = 1000;
const asked = (tokens: number) => ({ microcredits: tokens * PRICE, tokens });
const used = (tokens: number) => ({
  model: 'm',
  microcredits: tokens * PRICE,
  input_tokens: 0,
  output_tokens: tokens,
});
const meterOf = (random: () => number = Math.random) =>
  createUsageMeter({
    meter: store.meter,
    limiter: store.tokenLimiter,
    newId: randomUUID,
    now: Date.now,
    random,
    onUnbilled: () => {
      throw new Error('an answer was not billed');
    },
  });

test('the meter in the table follows its model through races, crashes and sweeps', async () => {
  await checkMeterModel(async () => store, { runs: 10, commandsMax: 25 });
});

test('of 50 answers at once on credits for 7, exactly 7 are admitted; they settle at once, each twice', async () => {
  const caller = await seedTeam(store, 7);

  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () =>
      meterOf()
        .admit(caller, asked(1000), NOW)
        .catch(({ code }: { code: string }) => code),
    ),
  );

  const admitted = outcomes.filter((outcome) => typeof outcome !== 'string');
  expect(admitted).toHaveLength(7);
  expect(outcomes.filter((outcome) => outcome === 'credits_insufficient')).toHaveLength(43);
  await Promise.all(
    admitted.flatMap((admission) => {
      const usage = { response_id: randomUUID(), ...used(1000) };
      return [admission.settle(usage), admission.settle(usage)];
    }),
  );
  expect(await createSweepMeters(store)(Date.now() + 600_000)).toMatchObject({ failures: [] });
  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({
    available: 0,
    held: 0,
    metered: 0,
    settled: 7,
  });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('50 answers of one team are settled at once, while others begin and the ledger is checked', async () => {
  const caller = await seedTeam(store, 1000);
  const plan = { ...DEFAULT_PLAN, response_tokens_per_minute: 1_000_000 };
  const begin = () => meterOf().admit({ ...caller, plan }, asked(1000), Date.now());
  const begun = await Promise.all(Array.from({ length: 50 }, begin));

  const [, later, faults] = await Promise.all([
    Promise.all(begun.map((admission, n) => admission.settle({ response_id: `r-${n}`, ...used(500) }))),
    Promise.all(Array.from({ length: 20 }, begin)),
    faultsOf(store, caller.team_id),
  ]);

  expect(faults).toEqual([]);
  await Promise.all(later.map((admission) => admission.release()));
  const { shards } = await store.meter.read(caller.team_id);
  expect(shards.reduce((sum, { spent }) => sum + spent, 0)).toBe(50 * 500_000);
  expect(shards.reduce((sum, { pending }) => sum + pending, 0)).toBe(0);
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('an answer beyond what was reserved is billed out of a further block and what other shards have free', async () => {
  const caller = await seedTeam(store, 50);
  const admit = (share: number, tokens: number) => meterOf(() => share).admit(caller, asked(tokens), NOW);
  const usage = (tokens: number) => ({ response_id: randomUUID(), ...used(tokens) });
  for (const share of [0.25, 0.5, 0.75]) await (await admit(share, 10_000)).settle(usage(1000));
  const [first, second] = [await admit(0, 1000), await admit(0, 1000)];

  await first.settle(usage(10_000));
  await second.settle(usage(37_000));

  const { shards, balance } = await store.meter.read(caller.team_id);
  expect(shards.reduce((sum, { spent }) => sum + spent, 0)).toBe(50_000_000);
  expect(shards.every(({ free, pending }) => free === 0 && pending === 0)).toBe(true);
  expect(balance).toMatchObject({ available: 0 });
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});

test('a team whose balance was written before meters were is metered', async () => {
  const caller = await seedTeam(store, 10);
  await store.table.client.send(
    new UpdateCommand({
      TableName: store.table.name,
      Key: keys.balance(caller.team_id),
      UpdateExpression: 'REMOVE metered',
    }),
  );

  const admission = await meterOf().admit(caller, asked(1000), NOW);

  expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ metered: 1, held: 1, available: 9 });
  await admission.release();
  expect(await faultsOf(store, caller.team_id)).toEqual([]);
});
