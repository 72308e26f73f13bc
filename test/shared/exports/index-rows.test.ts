import { beforeEach, expect, test } from 'vitest';
import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { claimOfRowIndex, type IndexRowsPorts, indexRows } from '#shared/exports/index-rows.ts';
import { listRows, startRowIndex } from '#shared/exports/read-rows.ts';
import type { RowsPage } from '#shared/exports/schema/rows.ts';
import { eraseDataset } from '#shared/lifecycle/erase-dataset.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import type { ExpansionResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  endRunNow,
  finishBatches,
  questionOf,
  requestOf,
  resultOf,
  startRun,
  writeResults,
} from '#test/helpers/active-run.ts';
import { NOW, seedDataset } from '#test/helpers/records.ts';
import { rowPorts } from '#test/helpers/row-index.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const ports = (replaced: Partial<IndexRowsPorts> = {}): IndexRowsPorts => ({
  datasets: world.store.datasets,
  runs: world.store.runs,
  objects: world.objects,
  claims: world.store.claims,
  loadDetector: async () => (text) => (text.includes('¿') ? 'es' : 'en'),
  ...replaced,
});
const ofRun = ({ run }: ActiveRun) => ({
  dataset_id: run.dataset_id,
  team_id: run.team_id,
  run_id: run.run_id,
});
const read = async ({ dataset }: ActiveRun): Promise<RowsPage> => {
  const record = await world.store.datasets.find(dataset.dataset_id);
  if (record === null) throw new Error('The dataset is gone.');
  return listRows(
    { ...rowPorts(world), startLook: async () => {} },
    record,
    {},
    { signal: new AbortController().signal, now: 0 },
  );
};
const indexKeys = (): string[] => world.objects.keys().filter((key) => /^exports\/.*\/rows\//.test(key));

test('the index of a run is written before the run is settled, and the same bytes again by a repetition', async () => {
  const active = await startRun(world, { rows: 40 });
  await finishBatches(world, active);

  expect(await indexRows(ports(), ofRun(active))).toEqual({ rows: 40 });
  const first = new Map(indexKeys().map((key) => [key, world.objects.stored.get(key)?.body]));
  await world.objects.remove(indexKeys());
  await indexRows(ports(), ofRun(active));

  expect(indexKeys()).toEqual([...first.keys()]);
  for (const [key, body] of first)
    expect(world.objects.stored.get(key)?.body.equals(body as Buffer)).toBe(true);
  await endRunNow(world, active);
  expect(await read(active)).toMatchObject({ total: 40, status: 'succeeded' });
});

test('the index of a run takes what unfinished workers had done, as the report does', async () => {
  const active = await startRun(world, { rows: 3 });
  const lines = [`${JSON.stringify(resultOf(0))}`, '{"row":1,"outc', `${JSON.stringify(resultOf(2))}`];
  const key = `${objectKeys.checkpoints(active.run.run_id, 0)}000000.jsonl`;
  await world.objects.write(key, lines.join('\n'), 'application/jsonl');
  await assembleResults(world.objects, active.run, requestOf(world, active), 3);
  await indexRows(ports(), ofRun(active));
  await endRunNow(world, active);

  const { rows } = await read(active);

  expect(rows.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['changed', null],
    ['failed', 'run_interrupted'],
    ['changed', null],
  ]);
});

test('the index of a run ignores a result that cannot be read', async () => {
  const active = await startRun(world, { rows: 3 });
  const key = objectKeys.result(active.run.run_id, 0);
  await writeResults(world, key, [resultOf(0), { row: 1 } as never, resultOf(2)]);
  await indexRows(ports(), ofRun(active));
  await endRunNow(world, active);

  expect((await read(active)).facets.outcome).toEqual([
    { value: 'changed', rows: 2 },
    { value: 'failed', rows: 1 },
  ]);
});

test('the index of a run has the rows in other languages after those of the source', async () => {
  const request = {
    language_expansion: { type: 'translate' as const, languages: ['es'], sample_rate: 0.5 },
  };
  const active = await startRun(world, { rows: 4, request });
  await finishBatches(world, active);
  const { run_id } = active.run;
  const n = active.batches.length;
  const selectionKey = objectKeys.expansionSelection(run_id, n);
  const plan: ExpandPlan = {
    ...active.context,
    n,
    first_row: 0,
    row_count: 3,
    batch: 0,
    selection_key: selectionKey,
  };
  const jsonl = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const selected = [1, 2, 3].map((row) => ({ row, target: 0 }));
  await world.objects.write(objectKeys.expansionPlan(run_id), jsonl([plan]), 'application/jsonl');
  await world.objects.write(selectionKey, jsonl(selected), 'application/jsonl');
  const made = (row: number, fields: Partial<ExpansionResult>): ExpansionResult => ({
    row,
    source_row: row + 1,
    target: 0,
    outcome: 'expanded',
    tokens: { input: 1, output: 1 },
    calls: 1,
    ...fields,
  });
  const cells = { enhanced_prompt: '¿qué?', enhanced_completion: '¿así?', expansion_language: 'es' };
  const reason = { code: 'wrong_language', message: 'It is in English.' };
  const results = [made(0, { cells }), made(1, { outcome: 'failed', reason })];
  await world.objects.write(objectKeys.result(run_id, n), jsonl(results), 'application/jsonl');
  await indexRows(ports(), ofRun(active));
  await endRunNow(world, active);

  const { total, rows, facets } = await read(active);

  expect(total).toBe(7);
  expect(rows.slice(4)).toMatchObject([
    { row: 4, source_row: 1, outcome: 'expanded', language: 'es', code: null, length_change: null },
    { row: 5, source_row: 2, outcome: 'expansion_failed', code: 'wrong_language', after: null },
    { row: 6, source_row: 3, outcome: 'expansion_failed', code: 'run_interrupted', after: null },
  ]);
  expect(rows[4]?.target).toEqual({ language: 'es', country: null });
  expect(rows[4]?.before[0]?.text).toBe(questionOf(1));
  expect(rows[4]?.after?.map(({ text }) => text)).toEqual(['¿qué?', '¿así?']);
  expect(facets.language).toEqual([
    { value: 'en', rows: 4 },
    { value: 'es', rows: 3 },
  ]);
});

test('the index of a run is not there when a part of it cannot be written', async () => {
  const active = await startRun(world, { rows: 2 });
  await finishBatches(world, active);
  const table = objectKeys.rowTable(active.run.dataset_id, active.run.run_id);
  const objects = {
    ...world.objects,
    write: (key: string, body: Buffer | string, type: string) =>
      key === table ? Promise.reject(new Error('no room')) : world.objects.write(key, body, type),
  };

  await expect(indexRows(ports({ objects }), ofRun(active))).rejects.toThrow('no room');
  await endRunNow(world, active);

  await expect(read(active)).rejects.toThrow('There is no index.');
});

test('the end of a run sets its index off once, and does not fail because of it', async () => {
  const active = await startRun(world, { rows: 2 });
  const begun: unknown[] = [];
  const failures: unknown[] = [];
  const down = new Error('throttled');
  const start = (startIndex: () => Promise<void>) =>
    startRowIndex(
      {
        claims: world.store.claims,
        startIndex: (of) => {
          begun.push(of);
          return startIndex();
        },
        onFailure: (error) => failures.push(error),
      },
      ofRun(active),
    );

  await start(() => Promise.reject(down));
  await start(() => Promise.resolve());
  await start(() => Promise.resolve());

  expect(failures).toEqual([down]);
  expect(begun).toEqual([ofRun(active), ofRun(active)]);
});

test('releases its claim when it has ended, however that was', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, team_id, run_id } = ofRun(active);
  const claim = claimOfRowIndex(team_id);
  await world.store.claims.take(claim, 900);
  await indexRows(ports(), ofRun(active));
  expect(await world.store.claims.take(claim, 900)).toBe(true);

  const loadDetector = () => Promise.reject(new Error('no detector'));
  await world.objects.remove(indexKeys());
  await expect(indexRows(ports({ loadDetector }), ofRun(active))).rejects.toThrow('no detector');
  expect(await world.store.claims.take(claim, 900)).toBe(true);
  expect(await indexRows(ports(), { dataset_id, team_id: 'another', run_id })).toEqual({ rows: 0 });
  expect(indexKeys()).toEqual([]);
});

test('a build is the only one of its team', async () => {
  const one = await startRun(world, { rows: 2 });
  const other = await seedDataset(world.store, one.caller, { row_count: 2 });
  const stranger = await startRun(world, { rows: 2 });
  const begun: string[] = [];
  const start = async (dataset_id: string, { team_id }: { team_id: string }) =>
    startRowIndex(
      {
        claims: world.store.claims,
        startIndex: async (of) => void begun.push(of.dataset_id),
        onFailure: (error) => expect.unreachable(String(error)),
      },
      { dataset_id, team_id },
    );

  await start(one.dataset.dataset_id, one.caller);
  await start(other.dataset_id, one.caller);
  await start(stranger.dataset.dataset_id, stranger.caller);
  expect(begun).toEqual([one.dataset.dataset_id, stranger.dataset.dataset_id]);

  await indexRows(ports(), { dataset_id: one.dataset.dataset_id, team_id: one.caller.team_id });
  await start(other.dataset_id, one.caller);
  expect(begun).toHaveLength(3);
});

test('a build that was asked for twice reads nothing the second time, unless a part of the index is gone', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, run_id } = active.run;
  await finishBatches(world, active);
  await indexRows(ports(), ofRun(active));
  const loadDetector = () => Promise.reject(new Error('built again'));

  expect(await indexRows(ports({ loadDetector }), ofRun(active))).toEqual({ rows: 2 });

  for (const keyOf of [objectKeys.rowTable, objectKeys.indexedRows, objectKeys.indexedTexts]) {
    await world.objects.remove([keyOf(dataset_id, run_id)]);
    await expect(indexRows(ports({ loadDetector }), ofRun(active))).rejects.toThrow('built again');
    await indexRows(ports(), ofRun(active));
  }
});

test('a build of a run or a dataset that is gone is no failure', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, team_id } = active.run;

  expect(await indexRows(ports(), { dataset_id: crypto.randomUUID(), team_id })).toEqual({ rows: 0 });
  expect(await indexRows(ports(), { dataset_id, team_id, run_id: 'run-gone' })).toEqual({ rows: 0 });
});

test('a build fails without a part of what it reads, unless the dataset is being deleted', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, team_id } = active.run;
  await world.objects.remove([objectKeys.manifest(dataset_id)]);
  await expect(indexRows(ports(), { dataset_id, team_id })).rejects.toThrow();

  let finds = 0;
  const find = async (id: string) => (finds++ === 0 ? world.store.datasets.find(id) : null);

  expect(await indexRows(ports({ datasets: { find } }), { dataset_id, team_id })).toEqual({ rows: 0 });
  expect(indexKeys()).toEqual([]);
});

test('a build of a dataset that was deleted meanwhile leaves nothing', async () => {
  const active = await startRun(world, { rows: 2 });
  const { dataset_id, team_id } = active.run;
  let finds = 0;
  const datasets = {
    find: async (id: string) => {
      finds += 1;
      return finds === 1 ? world.store.datasets.find(id) : null;
    },
  };

  await indexRows(ports({ datasets }), { dataset_id, team_id });

  expect(finds).toBe(2);
  expect(indexKeys()).toEqual([]);
});

test('a build is deleted with its dataset', async () => {
  const active = await startRun(world, { rows: 2 });
  await finishBatches(world, active);
  await indexRows(ports(), ofRun(active));
  await indexRows(ports(), { dataset_id: active.run.dataset_id, team_id: active.run.team_id });
  expect(indexKeys().length).toBeGreaterThan(8);

  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: async () => null,
    },
    active.run.dataset_id,
    NOW,
  );

  expect(indexKeys()).toEqual([]);
});
