import { beforeEach, expect, test } from 'vitest';
import { handler as get } from '#functions/api/datasets/get.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import { handler as status } from '#functions/api/datasets/status.ts';
import { fileWarning, HARMLESS_WARNINGS, keptWarnings } from '#shared/datasets/decide/file-warnings.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FileFormat } from '#shared/platform/schema/file-format.ts';
import { ingestDataset } from '#test/helpers/ingesting.ts';
import { makeEmptyDataset, makeRun, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { filesOfLayer } from '#test/helpers/source/layer-files.ts';
import { endingOf, interruption, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, upload, type World } from '#test/helpers/world.ts';
import { zip } from '#test/helpers/zip.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

/** A dataset whose file was read to its end. */
async function read(content: string | Buffer, format: FileFormat = 'csv'): Promise<DatasetRecord> {
  const empty = makeEmptyDataset(owner, { file_format: format, file_name: `file.${format}` });
  const dataset = await seedDataset(world.store, owner, empty);
  await upload(world, dataset, content as string);
  await startIngest(world.launchRun, { caller: owner, dataset, changes: {}, now: NOW });
  const { dataset_id } = dataset;
  const run_id = (await world.store.datasets.find(dataset_id))?.run_id ?? '';
  await ingestDataset(world, { dataset_id, run_id, now: NOW });
  await world.endRun({ dataset_id, run_id, error: null, billedCredits: 0, now: NOW });
  return dataset;
}

const ask = async (handler: Parameters<World['call']>[0], { dataset_id }: DatasetRecord) =>
  (await world.call(handler, { as: owner, params: { dataset_id } })).body;

test.each<[string, string, FileFormat, string, RegExp]>([
  ['rows with too few cells', 'a,b\n1\n1,2\n', 'csv', 'rows_short', /1 rows have fewer cells/],
  [
    'rows with too many cells',
    'a,b\n1,2,,\n1,2\n',
    'csv',
    'rows_surplus_empty',
    /more cells than the header/,
  ],
  ['columns of one name', 'a,a\n1,2\n', 'csv', 'columns_renamed', /a/],
  ['keys of one name', '{"a":1,"a":2}\n', 'jsonl', 'keys_repeated', /the last value was kept/],
])(
  '%s are told of in the record as a warning, which fails nothing',
  async (_, content, format, code, message) => {
    const dataset = await read(content, format);

    for (const handler of [get, status]) {
      const body = await ask(handler, dataset);
      expect(body).toMatchObject({
        error_data: { code, level: 'warning', message: expect.stringMatching(message) },
        error: null,
      });
    }
    expect(await ask(status, dataset)).toMatchObject({
      status: 'awaiting_input',
      row_count: expect.any(Number),
    });
  },
);

test('a member that an archive was read without is named', async () => {
  const dataset = await read(
    zip([
      { name: 'a.txt', body: 'Some words of text.' },
      { name: 'b.exe', body: 'x' },
    ]),
    'zip',
  );

  expect(await ask(get, dataset)).toMatchObject({
    error_data: { code: 'member_left_out', level: 'warning', message: expect.stringContaining('b.exe') },
  });
});

test('what was lost when a file was read stays said after an adaptation, in the record and in its report; a failure comes before it', async () => {
  const dataset = await read('a,b\n1\n1,2\n');
  const run = makeRun(dataset);
  await world.store.ledger.launch(launchOf(run));
  await world.store.ledger.end(endingOf(run));

  expect(await ask(get, dataset)).toMatchObject({
    status: 'succeeded',
    error_data: { code: 'rows_short', level: 'warning' },
  });
  expect(await ask(report, dataset)).toMatchObject({
    run_id: run.run_id,
    warnings: [{ code: 'rows_short', message: expect.stringContaining('1 rows') }],
  });

  const failed = makeRun(dataset);
  await world.store.ledger.launch(launchOf(failed));
  await world.store.ledger.end(
    endingOf(failed, { status: 'failed', billedCredits: 0, errorData: interruption, counts: null }),
  );
  expect(await ask(get, dataset)).toMatchObject({ error_data: interruption });
});

test('what was lost when a file was read is nothing where only blank lines were skipped, which the report alone says', async () => {
  const dataset = await read('a,b\n1,2\n\n3,4\n');
  expect(await ask(get, dataset)).toMatchObject({ error_data: null });

  const run = makeRun(dataset);
  await world.store.ledger.launch(launchOf(run));
  await world.store.ledger.end(endingOf(run));
  expect(await ask(report, dataset)).toMatchObject({ warnings: [{ code: 'blank_lines' }] });
});

test.each([
  ['rows under one key', '{"data":[{"a":1}]}', 'json'],
  ['lines under the name of an array', '{"a":1}\n{"a":2}\n', 'json'],
  ['columns of one object', '{"a":[1,2],"b":[3,4]}', 'json'],
  ['an empty last row', 'a,b\n1,2\n,\n', 'csv'],
] as const)('a file of which nothing is lost is told of in no error: %s', async (_, content, format) => {
  const dataset = await read(content, format);

  expect(await ask(get, dataset)).toMatchObject({ row_count: expect.any(Number), error_data: null });
});

test('keys beside the rows of a file are lost, and told', async () => {
  const dataset = await read('{"data":[{"a":1}],"license":"mine"}', 'json');

  expect(await ask(get, dataset)).toMatchObject({ error_data: { code: 'keys_left_out', level: 'warning' } });
});

test('many warnings are kept within bounds, and how many more there were', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({
    code: 'member_left_out',
    message: `${n} `.repeat(2000),
  }));
  const kept = keptWarnings(many);

  expect(kept.at(-1)).toEqual({ code: 'more_warnings', message: '481 more warnings are left out.' });
  expect(JSON.stringify(kept).length).toBeLessThan(20_000);
  expect(fileWarning(kept)?.message.length).toBeLessThanOrEqual(2000);
});

test('every warning that a reader gives reaches callers, but for those that tell of no loss', () => {
  const sources = [...filesOfLayer('decide'), ...filesOfLayer('adapters')]
    .filter(([path]) => path.startsWith('shared/tabular/'))
    .map(([, text]) => text);
  const codes = new Set(
    sources.flatMap((text) => [...text.matchAll(/\bcode: '(\w+)'/g)].map(([, code]) => code ?? '')),
  );

  expect([...codes].filter((code) => fileWarning([{ code, message: 'Said.' }]) === null).sort()).toEqual(
    [...HARMLESS_WARNINGS].sort(),
  );
  expect(codes).toContain('rows_short');
});
