import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/credits/ledger.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let run: RunRecord;

/** A grant of ten at nine, four reserved at twelve, and three of them billed half an hour later. */
beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
  dataset = await seedDataset(world.store, owner);
  run = makeRun(dataset, { reserved_credits: 4 });
  await world.store.ledger.launch(launchOf(run));
  await world.store.ledger.end(endingOf(run, { billedCredits: 3 }));
});

const list = (query: Record<string, string> = {}, as = owner) => world.call(handler, { as, query });
const typesOf = (entries: readonly { type: string }[]) => entries.map(({ type }) => type);

test('entries come newest first, those of a run with its dataset', async () => {
  const { body } = await list();

  const ofRun = {
    purpose: 'run',
    run_id: run.run_id,
    dataset_id: dataset.dataset_id,
    reason: null,
  };
  expect(body).toEqual({
    entries: [
      {
        ...ofRun,
        entry_id: `${run.run_id}-settle`,
        type: 'settle',
        credits: 3,
        created_at: '2026-03-01T12:30:00.000Z',
      },
      {
        ...ofRun,
        entry_id: `${run.run_id}-release`,
        type: 'release',
        credits: 1,
        created_at: '2026-03-01T12:30:00.000Z',
      },
      {
        ...ofRun,
        entry_id: `${run.run_id}-reserve`,
        type: 'reserve',
        credits: 4,
        created_at: '2026-03-01T12:00:00.000Z',
      },
      {
        entry_id: expect.any(String),
        type: 'grant',
        purpose: 'grant',
        credits: 10,
        run_id: null,
        dataset_id: null,
        reason: 'test',
        created_at: '2026-03-01T09:00:00.000Z',
      },
    ],
    next_cursor: null,
  });
});

test('credits of answers are told apart from those of runs', async () => {
  const { team_id } = owner;
  const at = '2026-03-02T00:00:00.000Z';
  await world.store.meter.exchange({
    team_id,
    shard: 0,
    block: 0,
    reserve: 5,
    settle: 0,
    release: 0,
    admission: null,
    at,
  });

  expect((await list({ limit: '1' })).body.entries).toMatchObject([
    { type: 'reserve', purpose: 'answers', credits: 5, run_id: null, dataset_id: null, created_at: at },
  ]);
});

test('a page goes on where the one before ended, also between entries of the same time', async () => {
  const first = (await list({ limit: '1' })).body;
  const second = (await list({ limit: '2', cursor: first.next_cursor ?? '' })).body;
  const third = (await list({ cursor: second.next_cursor ?? '' })).body;

  expect(typesOf(first.entries)).toEqual(['settle']);
  expect(typesOf(second.entries)).toEqual(['release', 'reserve']);
  expect(typesOf(third.entries)).toEqual(['grant']);
  expect(third.next_cursor).toBeNull();
});

test('a page without a limit has twenty entries', async () => {
  for (let n = 0; n < 10; n += 1) {
    const next = makeRun(dataset, { reserved_credits: 1 });
    await world.store.ledger.launch(launchOf(next));
    await world.store.ledger.end(endingOf(next, { billedCredits: 0 }));
  }

  const { body } = await list();

  expect(body.entries).toHaveLength(20);
  expect((await list({ cursor: body.next_cursor ?? '' })).body.entries).toHaveLength(4);
});

test('another team sees none of it', async () => {
  expect((await list({}, strangerTo(owner))).body).toEqual({ entries: [], next_cursor: null });
});

test('a cursor of another team, or that was changed, is refused', async () => {
  const cursor = (await list({ limit: '1' })).body.next_cursor ?? '';

  for (const answer of [await list({ cursor }, strangerTo(owner)), await list({ cursor: `x${cursor}` })]) {
    expect(answer.problem).toMatchObject({ statusCode: 400, code: 'cursor_invalid' });
  }
});

test.each(['0', '101', 'ten'])('a limit of %s is refused', async (limit) => {
  expect((await list({ limit })).problem.details[0]?.path).toBe('query.limit');
});
