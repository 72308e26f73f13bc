import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/credits/usage.ts';
import { METER_SHARDS } from '#shared/access/decide/meter.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { putItem } from '#shared/platform/store/table.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let shard = 0;

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-03T15:00:00.000Z'), toFake: ['Date'] });
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});
afterEach(() => {
  vi.useRealTimers();
});

const usage = (query: Record<string, string> = {}, as = owner) => world.call(handler, { as, query });

async function answer(model: string, answered_at: string): Promise<void> {
  shard += 3;
  await world.store.meter.record(
    {
      team_id: owner.team_id,
      response_id: randomUUID(),
      model,
      input_tokens: 100,
      output_tokens: 40,
      cost_microcredits: 1_300_000,
      billed_microcredits: 1_000_000,
      admission_id: null,
      answered_at,
    },
    // Answers are counted in shards, of which any may have them.
    shard % METER_SHARDS,
  );
}

async function bill(credits: number, endedAt: string, by = owner): Promise<void> {
  const run = makeRun(await seedDataset(world.store, by), { reserved_credits: 9 });
  await world.store.ledger.launch(launchOf(run, { runsAtOnce: 100 }));
  await world.store.ledger.end(endingOf(run, { billedCredits: credits, endedAt }));
}

const ENTRIES_OF_A_DAY = 7000;

const none = { answers: 0, input_tokens: 0, output_tokens: 0, cost_credits: 0, billed_credits: 0 };
const one = { answers: 1, input_tokens: 100, output_tokens: 40, cost_credits: 1.3, billed_credits: 1 };

test('every day is listed, with its answers by model and what its runs were billed', async () => {
  await answer('b', '2026-03-01T00:00:00.000Z');
  await answer('a', '2026-03-01T23:59:59.999Z');
  await answer('a', '2026-03-03T10:00:00.000Z');
  await bill(3, '2026-03-01T23:59:59.999Z');
  await bill(2, '2026-03-01T00:00:00.000Z');
  await bill(4, '2026-03-03T00:00:00.000Z');

  const { body } = await usage({ days: '3' });

  expect(body).toEqual({
    days: [
      {
        day: '2026-03-01',
        runs: { runs: 2, credits: 5 },
        answers: { answers: 2, input_tokens: 200, output_tokens: 80, cost_credits: 2.6, billed_credits: 2 },
        models: [
          { model: 'a', ...one },
          { model: 'b', ...one },
        ],
      },
      { day: '2026-03-02', runs: { runs: 0, credits: 0 }, answers: none, models: [] },
      {
        day: '2026-03-03',
        runs: { runs: 1, credits: 4 },
        answers: one,
        models: [{ model: 'a', ...one }],
      },
    ],
    total: {
      runs: { runs: 3, credits: 9 },
      answers: { answers: 3, input_tokens: 300, output_tokens: 120, cost_credits: 3.9, billed_credits: 3 },
    },
    runs_complete_after: null,
  });
});

test('of very many ledger entries the newest are read, and it is told after which time every run is counted', async () => {
  // Without the entry of a grant.
  owner = strangerTo(owner);
  const entriesOf = async (day: number): Promise<void> => {
    for (let n = 0; n < ENTRIES_OF_A_DAY; n += 1) {
      const created_at = new Date(Date.parse(`2026-03-0${day}T00:00:00.000Z`) + n * 1000).toISOString();
      const entry_id = `entry-${day}-${n}`;
      await putItem(world.table, {
        ...keys.ledgerEntry(owner.team_id, created_at, entry_id),
        entry_id,
        team_id: owner.team_id,
        type: 'settle',
        credits: 2,
        run_id: `run-${day}-${n}`,
        reason: null,
        created_at,
      });
    }
  };
  await answer('a', '2026-03-01T10:00:00.000Z');
  for (const day of [1, 2, 3]) await entriesOf(day);

  const { body } = await usage({ days: '3' });

  const unread = 3 * ENTRIES_OF_A_DAY - 20_000;
  expect(body.total.runs).toEqual({ runs: 20_000, credits: 40_000 });
  expect(body.days.map(({ runs }) => runs.runs)).toEqual([
    ENTRIES_OF_A_DAY - unread,
    ENTRIES_OF_A_DAY,
    ENTRIES_OF_A_DAY,
  ]);
  expect(Date.parse(body.runs_complete_after ?? '')).toBe(
    Date.parse('2026-03-01T00:00:00.000Z') + (unread - 1) * 1000,
  );
  expect(body.total.answers.answers).toBe(1);
  expect((await usage({ days: '2' })).body.runs_complete_after).toBeNull();
});

test('days before the range and runs that cost nothing do not count', async () => {
  await answer('a', '2026-03-01T23:59:59.999Z');
  await bill(3, '2026-03-01T23:59:59.999Z');
  await bill(0, '2026-03-02T00:00:00.000Z');

  const { body } = await usage({ days: '2' });

  expect(body.days.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03']);
  expect(body.total).toEqual({ runs: { runs: 0, credits: 0 }, answers: none });
});

test('credits that answers settled are no credits of runs', async () => {
  const { team_id } = owner;
  const exchange = { team_id, shard: 0, reserve: 0, settle: 0, release: 0, admission: null };
  await world.store.meter.exchange({ ...exchange, block: 0, reserve: 5, at: '2026-03-03T01:00:00.000Z' });
  const admission = {
    admission_id: 'one',
    team_id,
    shard: 0,
    microcredits: 2_000_000,
    admitted_at: '2026-03-03T01:00:00.000Z',
  };
  await world.store.meter.admit(admission, 10);
  const record = {
    team_id,
    response_id: 'r',
    model: 'a',
    input_tokens: 1,
    output_tokens: 1,
    cost_microcredits: 2_000_000,
    billed_microcredits: 2_000_000,
    admission_id: 'one',
    answered_at: '2026-03-03T01:00:01.000Z',
  };
  await world.store.meter.settle(admission, record, []);
  await world.store.meter.exchange({ ...exchange, block: 1, settle: 2, at: '2026-03-03T01:00:02.000Z' });

  const { total } = (await usage({ days: '1' })).body;

  expect((await world.store.books.findBalance(team_id))?.settled).toBe(2);
  expect(total).toMatchObject({ runs: { runs: 0, credits: 0 }, answers: { billed_credits: 2 } });
});

test('a request without days answers thirty', async () => {
  const { days } = (await usage()).body;

  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, '2026-02-02', '2026-03-03']);
});

test('another team’s usage is not in it', async () => {
  await answer('a', '2026-03-03T10:00:00.000Z');
  await bill(3, '2026-03-03T10:00:00.000Z');

  expect((await usage({}, strangerTo(owner))).body.total).toEqual({
    runs: { runs: 0, credits: 0 },
    answers: none,
  });
});

test.each(['0', '91', 'all'])('a number of days of %s is refused', async (days) => {
  expect((await usage({ days })).problem.details[0]?.path).toBe('query.days');
});

test('a number of days of ninety is the most', async () => {
  expect((await usage({ days: '90' })).body.days).toHaveLength(90);
});
