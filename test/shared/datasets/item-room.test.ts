import { expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as create } from '#functions/api/datasets/create.ts';
import { handler as remove } from '#functions/api/datasets/delete.ts';
import { FIRST_COLUMNS_BYTES_MAX, requireRoomForColumns } from '#shared/datasets/decide/columns-room.ts';
import { mergeIssues } from '#shared/growth/decide/combine/issues.ts';
import { reconcile } from '#shared/growth/decide/combine/reconcile.ts';
import type { CombineSource } from '#shared/growth/decide/combine/source.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { ColumnMapping, MAPPING_BYTES_MAX, RawColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { createFromFile, findDataset, ingestDataset } from '#test/helpers/ingesting.ts';
import { makeEmptyDataset, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, upload } from '#test/helpers/world.ts';

const MESSAGE = 'x'.repeat(2000);
const error = { code: 'internal_error', message: MESSAGE, level: 'error' } as const;

/** As many names as a mapping and the columns of a dataset may take together. */
function longest(): { context: string[]; names: string[] } {
  const context: string[] = [];
  while (
    RawColumnMapping.safeParse({
      prompt: 'p',
      completion: 'a',
      context: [...context, `context_${context.length}`],
    }).success
  ) {
    context.push(`context_${context.length}`);
  }
  const bytesOf = (name: string): number => name.length + 'VARCHAR'.length + 16;
  const names = ['p', 'a', ...context];
  // Up to 500 columns have a profile of some 80 bytes.
  let left = FIRST_COLUMNS_BYTES_MAX - 60_000 - names.reduce((sum, name) => sum + bytesOf(name), 0);
  for (let n = 0; left > 0 && names.length < 10_000; n += 1) {
    const name = `column_with_a_long_name_${n}`;
    names.push(name);
    left -= bytesOf(name);
  }
  return { context, names };
}

test.each(['succeeded', 'failed'])(
  'a dataset with the longest mapping and the longest columns can be read, %s, and deleted',
  async (outcome) => {
    const world = createWorld(() => NOW);
    const owner = await seedTeam(world.store, 100);
    const { context, names } = longest();
    const mapping = { prompt: 'p', completion: 'a', context };
    const dataset = await seedDataset(
      world.store,
      owner,
      makeEmptyDataset(owner, {
        processing_mode: 'raw',
        raw_column_mapping: mapping,
        file_format: 'jsonl',
        file_name: 'rows.jsonl',
      }),
    );
    const { dataset_id } = dataset;
    await upload(world, dataset, `${JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))}\n`);
    await startIngest(world.launchRun, { caller: owner, dataset, changes: {}, now: NOW });
    const run_id = (await findDataset(world, dataset_id)).run_id ?? '';
    await ingestDataset(world, { dataset_id, run_id, now: NOW });

    await world.endRun({
      dataset_id,
      run_id,
      error: outcome === 'failed' ? error : null,
      billedCredits: 0,
      now: NOW,
    });

    expect((await findDataset(world, dataset_id)).state).toBe(outcome);
    expect((await world.call(remove, { as: owner, params: { dataset_id } })).status).toBe(200);
  },
);

test('a file whose columns have too long names together is refused with what to do', () => {
  const columns = Array.from({ length: 100 }, (_, n) => ({
    name: `${n}`.padEnd(3000, 'x'),
    type: 'VARCHAR',
  }));

  expect(() => requireRoomForColumns(columns)).toThrow(/Give the rows fewer columns, or shorter names/);
  expect(() => requireRoomForColumns(columns.slice(0, 90))).not.toThrow();
});

test('a mapping that no item could hold beside its copies is refused, in every request that takes one', async () => {
  const world = createWorld(() => NOW);
  const owner = await seedTeam(world.store, 100);
  const dataset = await createFromFile(world, owner, '{"q":"Why?","a":"So."}\n', {
    file_format: 'jsonl',
    file_name: 'rows.jsonl',
  });
  const name = 'x'.repeat(MAPPING_BYTES_MAX);
  const mapping = { prompt: 'q', completion: 'a', context: [name] };

  const adapted = await world.call(adapt, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    body: { column_mapping: mapping },
  });
  const created = await world.call(create, {
    as: owner,
    body: { source: { name: 'rows.jsonl', processing_mode: 'raw', column_mapping: mapping } },
  });

  expect([adapted.problem.code, created.problem.code]).toEqual(['invalid_request', 'invalid_request']);
  expect(adapted.problem.message).toContain('map fewer context columns');
  expect(adapted.text.length).toBeLessThan(2000);
  expect(ColumnMapping.safeParse({ universal_prompt: 'x'.repeat(20_001), context: ['q'] }).success).toBe(
    false,
  );
});

test('a merge whose mapping or columns no item could hold is refused before anything is written', () => {
  const source = (id: string, prefix: string, count: number, isContext: boolean): CombineSource => {
    const names = Array.from({ length: count }, (_, n) => `${prefix}_${n}`.padEnd(40, 'x'));
    return {
      dataset_id: id,
      columns: ['q', 'a', ...names].map((name) => ({ name, type: 'VARCHAR', source: name })),
      roles: { prompt: 'q', completion: 'a' },
      context: isContext ? names : [],
      image: null,
      training_type: 'instruction_dataset',
      conversations: [],
      is_multimodal: false,
      file_columns: [],
    };
  };
  const errorsOf = (...sources: CombineSource[]) =>
    mergeIssues(sources, [], reconcile(sources)).filter(({ level }) => level === 'error');

  expect(errorsOf(source('1', 'one', 400, true), source('2', 'two', 400, true))).toHaveLength(1);
  expect(errorsOf(source('1', 'one', 4000, false), source('2', 'two', 4000, false))).toHaveLength(1);
  expect(errorsOf(source('1', 'one', 200, true), source('2', 'two', 200, true))).toEqual([]);
});
