import { beforeEach, describe, expect, test } from 'vitest';
import { handler as download } from '#functions/api/datasets/download.ts';
import { handler as link } from '#functions/api/datasets/download-link.ts';
import { handler as getRow } from '#functions/api/datasets/rows/get.ts';
import { handler as listRows } from '#functions/api/datasets/rows/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { startRunOn } from '#test/helpers/active-run.ts';
import { buildExport, indexRows } from '#test/helpers/operations.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let adapted: string;
let appended: string;

/** Version 1 is the upload, 2 its adaptation, 3 an appended row, 4 the adaptation of all. */
beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, 3);
  const first = await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  adapted = first.run.run_id;
  appended = await appendVersion(world, owner, dataset, [{ question: 'question 3', answer: 'answer 3' }]);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `best ${row}`));
});

const params = () => ({ dataset_id: dataset.dataset_id });

/** Builds what a request has handed over. */
async function build(): Promise<void> {
  for (const { functionId, payload } of world.invoked.splice(0)) {
    if (functionId === 'tasks/exports/build-export') await world.use(buildExport)(payload as never);
    if (functionId === 'tasks/exports/index-rows') await world.use(indexRows)(payload as never);
  }
}

async function built<T>(request: Promise<T>): Promise<T> {
  let done = false;
  const answer = request.finally(() => {
    done = true;
  });
  answer.catch(() => {});
  while (!done) {
    await build();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return answer;
}

const rowsOf = async (query: Record<string, string>) =>
  (await built(world.call(listRows, { as: owner, params: params(), query }))).body;

const downloaded = async (query: Record<string, string>): Promise<Record<string, string>[]> => {
  const asked = { fileFormat: 'jsonl', ...query };
  const { headers } = await built(world.call(download, { as: owner, params: params(), query: asked }));
  const key = new URL(headers.location ?? '').pathname.slice(1);
  return world.objects
    .text(key)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

test.each<[string, (string | undefined)[], (string | undefined)[]]>([
  ['1', ['answer 0', 'answer 1', 'answer 2'], [undefined, undefined, undefined]],
  ['2', ['answer 0', 'answer 1', 'answer 2'], ['better 0', 'better 1', 'better 2']],
  ['3', ['answer 0', 'answer 1', 'answer 2', 'answer 3'], [undefined, undefined, undefined, undefined]],
  ['4', ['answer 0', 'answer 1', 'answer 2', 'answer 3'], ['best 0', 'best 1', 'best 2', 'best 3']],
])('%s are downloaded, whatever came after it', async (version, answers, enhanced) => {
  const rows = await downloaded({ version });

  expect(rows.map(({ answer }) => answer)).toEqual(answers);
  expect(rows.map(({ enhanced_completion: text }) => text)).toEqual(enhanced);
});

test('the rows of a version are those of its run', async () => {
  expect(await downloaded({ version: '2' })).toEqual(await downloaded({ run_id: adapted }));
  expect(await downloaded({ version: '3' })).toEqual(await downloaded({ run_id: appended }));
});

test('the rows of a version without a version are those of the newest one', async () => {
  expect(await downloaded({})).toEqual(await downloaded({ version: '4' }));
});

test('the rows of a version are listed, and one is read', async () => {
  const [one, two] = [await rowsOf({ version: '1' }), await rowsOf({ version: '2' })];

  expect([one.run_id, one.total, one.rows[0]?.after]).toEqual([null, 3, null]);
  expect([two.run_id, two.total]).toEqual([adapted, 3]);
  const request = { as: owner, params: { ...params(), row: '2' }, query: { version: '2' } };
  const { row } = (await built(world.call(getRow, request))).body;
  expect(row.after?.find(({ column }) => column === 'enhanced_completion')?.text).toBe('better 2');
});

test('the rows of a version have a link that needs no key', async () => {
  const key = objectKeys.export(dataset.dataset_id, 'source', 'csv');
  await world.objects.write(key, 'x', 'text/csv');

  const { body } = await world.call(link, { as: owner, params: params(), query: { version: '1' } });

  expect(new URL(body.url).pathname).toBe(`/${key}`);
});

describe.each([
  ['downloaded', download, {}],
  ['linked to', link, {}],
  ['listed', listRows, {}],
  ['read', getRow, { row: '0' }],
] as const)('rows are not %s', (_, handler, more) => {
  const ask = (query: Record<string, string>) =>
    world.call(handler as typeof listRows, { as: owner, params: { ...params(), ...more }, query });

  test('rows are not delivered of a version that the dataset does not have', async () => {
    const { status, problem } = await ask({ version: '9' });

    expect([status, problem.code]).toEqual([404, 'version_not_found']);
    expect(problem.message).toContain('/versions');
  });

  test('rows are not delivered of a version and of a run', async () => {
    const { status, problem } = await ask({ version: '2', run_id: adapted });

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details).toEqual([expect.objectContaining({ path: 'query.version' })]);
  });

  test.each(['0', '-1', '1.5', 'two', '9999999999'])(
    'rows are not delivered of version %s',
    async (version) => {
      expect((await ask({ version })).status).toBe(400);
    },
  );

  test('rows are not delivered of a version whose run is active', async () => {
    await startRunOn(world, owner, await reload(world, dataset));

    expect((await ask({ version: '5' })).problem.code).toBe('no_data_yet');
  });
});
