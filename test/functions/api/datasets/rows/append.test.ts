import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as train } from '#functions/api/autoscientist/create.ts';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as get } from '#functions/api/datasets/appends/get.ts';
import { handler as remove } from '#functions/api/datasets/delete.ts';
import { handler } from '#functions/api/datasets/rows/append.ts';
import { handler as complete } from '#functions/api/datasets/uploads/complete.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { CHUNKS_MAX } from '#shared/ingest/land-rows.ts';
import type { Append } from '#shared/ingest/schema/append.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { PENDING_APPENDS_MAX } from '#shared/runs/decide/ledger/launch.ts';
import { READINGS_AT_ONCE_MAX } from '#shared/runs/reading-places.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { PNG } from '#test/helpers/images.ts';
import { createFromFile, findDataset, ingestDataset, landAppend } from '#test/helpers/ingesting.ts';
import { NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { adaptVersion, answered } from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 100);
  dataset = await createFromJson(...FIRST);
});

const FIRST = [
  { q: 'Why?', a: 'Because.', n: 1 },
  { q: 'How?', a: 'Like, so.', n: 2 },
];
const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const createFromJson = (...rows: object[]) =>
  createFromFile(world, owner, jsonl(rows), { file_format: 'jsonl', file_name: 'rows.jsonl' });
const ask = (body: unknown, headers: Record<string, string> = {}, on = dataset) =>
  world.call(handler, { as: owner, params: { dataset_id: on.dataset_id }, body, headers });
const read = async (id: string | null): Promise<Append> =>
  (await world.call(get, { as: owner, params: { dataset_id: dataset.dataset_id, append_id: id ?? '' } }))
    .body;
const land = (id: string | null) => landAppend(world, dataset.dataset_id, id);
const reload = () => findDataset(world, dataset.dataset_id);
const manifest = async (on?: DatasetRecord): Promise<RowsManifest> =>
  RowsManifest.parse(JSON.parse(world.objects.text((on ?? (await reload())).manifest_key ?? '')));
const rowsOf = async (on?: DatasetRecord): Promise<unknown[]> =>
  (await manifest(on)).chunks.flatMap(({ key }) =>
    world.objects
      .text(key)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );
const adaptIt = () =>
  world.call(adapt, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    body: { column_mapping: { prompt: 'q', completion: 'a' } },
  });

test('appends that wait for a run hold up no file of their team', async () => {
  await adaptIt();
  for (let n = 0; n <= READINGS_AT_ONCE_MAX; n += 1) {
    const { body } = await ask({ rows: [{ q: `Who is ${n}?` }] });
    expect(await land(body.append_id)).toBe(false);
  }

  expect(await createFromJson({ q: 'When?' })).toMatchObject({ row_count: 1 });
});

test('rows of a request are kept once they are accepted, whatever is refused or repeated', async () => {
  const objectsOf = () => world.objects.keys().filter((key) => key.includes('append-'));
  const key = { 'Idempotency-Key': 'once' };
  const { body } = await ask({ rows: [{ q: 'Who?' }] }, key);
  await land(body.append_id);
  expect(objectsOf()).toEqual([expect.stringContaining('/raw/append-')]);

  await ask({ rows: [{ q: 'Who?' }] }, key);
  expect((await ask({ rows: [{ q: 'When?' }] }, key)).problem.code).toBe('idempotency_mismatch');

  expect(objectsOf()).toHaveLength(1);
});

describe('one appended row of another kind', () => {
  const turns = (n: number) => [
    { role: 'user', content: `Question ${n}?` },
    { role: 'assistant', content: `Answer ${n}` },
  ];
  const many = Array.from({ length: 60 }, (_, n) => n);
  const create = (row: (n: number) => object, fields: Partial<DatasetRecord> = {}) =>
    createFromFile(world, owner, jsonl(many.map(row)), {
      file_format: 'jsonl',
      file_name: 'rows.jsonl',
      ...fields,
    });
  const append = async (on: DatasetRecord, row: object): Promise<DatasetRecord> => {
    const { body } = await ask({ rows: [row] }, {}, on);
    await landAppend(world, on.dataset_id, body.append_id);
    const after = await findDataset(world, on.dataset_id);
    expect(after).toMatchObject({ row_count: 61, warnings: [{ code: 'columns_differ' }] });
    return after;
  };
  const trainedOn = async (on: DatasetRecord, fields: object = {}) => {
    const body = { dataset_id: on.dataset_id, ...fields };
    const { id } = (await world.call(train, { as: owner, body })).body;
    const training = await world.store.trainings.find(owner.team_id, id);
    await world.endRun({ dataset_id: on.dataset_id, run_id: id, error: null, billedCredits: 0, now: NOW });
    return training?.columns;
  };

  test('an appended row of another kind leaves prompts and messages of turns what they are for trainings, with their system prompts', async () => {
    const prompts = await create(
      (n) => ({ prompt: JSON.stringify(turns(n).slice(0, 1)), completion: 'Yes.' }),
      {
        processing_mode: 'raw',
        raw_column_mapping: { prompt: 'prompt', completion: 'completion' },
      },
    );
    const chats = await create((n) => ({ messages: turns(n), system: 'You are a pirate.' }), {
      processing_mode: 'raw',
      raw_column_mapping: { chat: 'messages' },
    });
    const before = [await trainedOn(prompts), await trainedOn(chats)];
    expect(before).toMatchObject([{ conversations: ['prompt'] }, { system: 'system' }]);

    await append(prompts, { prompt: 'A plain question?', completion: 'A plain answer.' });
    await append(chats, { messages: 'lost', system: 'You are a pirate.' });

    expect([await trainedOn(prompts), await trainedOn(chats)]).toEqual(before);
    expect(await trainedOn(prompts, { dataset_version: 1 })).toEqual(before[0]);
  });

  test('an appended row of another kind leaves a column of conversations one that can be adapted', async () => {
    const chats = await append(await create((n) => ({ chat: turns(n) })), { chat: 'a plain text' });

    const { status } = await world.call(adapt, {
      as: owner,
      params: { dataset_id: chats.dataset_id },
      body: { column_mapping: { chat: 'chat' }, estimate: true },
    });

    expect(status).toBe(200);
  });

  test.each(['https://example.com/cat.png', 'n/a'])(
    'an appended row of another kind leaves a column of images what it is: %s',
    async (image) => {
      const images = await append(await create(() => ({ q: 'What is it?', image: PNG })), {
        q: 'And this?',
        image,
      });

      expect(images.image_column_formats).toEqual({ image: 'embedded_bytes' });
      expect(images.warnings?.[0]?.message).toBe(
        'Column "image" is read as in "the dataset", where it holds images of one kind; most of its cells in "the appended rows" hold something else.',
      );
    },
  );

  test('an appended row of another kind is said once of each column, however many follow', async () => {
    const chats = await append(await create((n) => ({ chat: turns(n) })), { chat: 'a plain text' });
    const { body } = await ask({ rows: [{ chat: 'another' }] }, {}, chats);
    await landAppend(world, chats.dataset_id, body.append_id);

    expect((await findDataset(world, chats.dataset_id)).warnings).toEqual([
      {
        code: 'columns_differ',
        message: expect.stringMatching(
          /^Column "chat" is read as in "the dataset", where it holds conversations;/,
        ),
      },
    ]);
  });
});

test('rows of a request that is refused are not stored', async () => {
  const { objects, table } = world;
  owner = { ...owner, plan: { ...owner.plan, readings_per_hour: 1 } };
  await ask({ rows: [{ q: 'Who?' }] });
  const [keys, items] = [objects.keys(), table.items().length];

  const { problem } = await ask({ rows: [{ q: 'When?' }] });

  expect(problem).toMatchObject({ code: 'rate_limited', details: [{ path: 'readings_per_hour' }] });
  expect(objects.keys()).toEqual(keys);
  expect(table.items()).toHaveLength(items);
});

test('rows of a request become the next version, after those that are there', async () => {
  const { status, body } = await ask({ rows: [{ q: 'Who?', a: 'Me.', n: 3 }, { q: 'When?' }] });

  expect(status).toBe(202);
  expect(body).toMatchObject({ status: 'pending', appended_rows: 2, version: null, error_data: null });
  expect(await reload()).toMatchObject({ row_count: 2, pending_appends: 1 });
  expect(await land(body.append_id)).toBe(true);

  expect(await read(body.append_id)).toMatchObject({
    append_id: body.append_id,
    status: 'succeeded',
    appended_rows: 2,
    version: 2,
    error_data: null,
  });
  expect(await reload()).toMatchObject({
    state: 'awaiting_input',
    row_count: 4,
    latest_version: 2,
    pending_appends: 0,
  });
  expect(await rowsOf()).toEqual([...FIRST, { q: 'Who?', a: 'Me.', n: 3 }, { q: 'When?', a: null, n: null }]);
  expect((await manifest()).chunks.map(({ first_row, row_count }) => [first_row, row_count])).toEqual([
    [0, 2],
    [2, 2],
  ]);
  // The rows of the first version are as they were.
  expect(await rowsOf(dataset)).toEqual(FIRST);
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test.each([
  ['18446744073709551615', 5, 'DECIMAL(38,0)'],
  ['123456789012345678901234567890', -5, 'DECIMAL(38,0)'],
])('rows of a request fill a column of whole numbers as large as %s with %d', async (large, value, type) => {
  dataset = await createFromFile(world, owner, `{"q":"Why?","n":${large}}\n`, {
    file_format: 'jsonl',
    file_name: 'rows.jsonl',
  });
  const { body } = await ask({ rows: [{ q: 'How?', n: value }] });
  await land(body.append_id);
  expect(await read(body.append_id)).toMatchObject({ status: 'succeeded', error_data: null });
  expect((await manifest()).columns.find(({ name }) => name === 'n')).toMatchObject({ type });
});

test.each([
  ['a column that the dataset lacks', [{ q: 'Who?' }, { r: 1 }], 'rows[1].r'],
  ['a name that every object inherits', [{ constructor: 1 }], 'rows[0].constructor'],
  ['a number in a column of text', [{ q: 'Who?' }, { q: 7 }], 'rows[1].q'],
  ['text in a column of numbers', [{ n: '3' }], 'rows[0].n'],
  ['an object in a column of text', [{ a: { text: 'Me.' } }], 'rows[0].a'],
  ['a number that JSON does not keep', [{ n: 2 ** 60 }], 'rows[0].n'],
])(
  'rows of a request with %s are refused by row and column, and nothing is appended',
  async (_, rows, path) => {
    const { problem } = await ask({ rows });

    expect(problem).toMatchObject({ statusCode: 422, code: 'schema_mismatch', details: [{ path }] });
    expect(problem.message).toContain(`Row ${/\d+/.exec(path)?.[0]}, column`);
    expect(await reload()).toEqual(dataset);
  },
);

test('rows of a request fill a column that only had nulls, or whole numbers where fractions come', async () => {
  dataset = await createFromJson({ q: 'Why?', empty: null, n: 1 });

  const { body } = await ask({ rows: [{ q: 'Who?', empty: 'no more', n: 2.5 }] });
  expect(await land(body.append_id)).toBe(true);

  expect(await read(body.append_id)).toMatchObject({ status: 'succeeded', error_data: null });
  expect(await rowsOf()).toEqual([
    { q: 'Why?', empty: null, n: 1 },
    { q: 'Who?', empty: 'no more', n: 2.5 },
  ]);
  expect((await reload()).columns?.map(({ name, type }) => [name, type])).toEqual([
    ['q', 'VARCHAR'],
    ['empty', 'VARCHAR'],
    ['n', 'DOUBLE'],
  ]);
});

test.each([
  [{}],
  [{ rows: [] }],
  [{ rows: [{ q: 'Who?' }], s3_key: 'uploads/x' }],
  [{ rows: [{ q: 'Who?' }], sha256: '0'.repeat(64) }],
  [{ rows: ['Who?'] }],
])('rows of a request as %j are refused', async (body) => {
  expect((await ask(body)).problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
});

test('rows of a request of a dataset with many columns are few', async () => {
  const columns = Array.from({ length: 5000 }, (_, n) => ({ name: `column ${n}`, type: 'VARCHAR' }));
  const wide = await seedDataset(world.store, owner, { columns });

  const { problem } = await ask({ rows: Array.from({ length: 1000 }, () => ({})) }, {}, wide);

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.message).toMatch(/too many for 5000 columns: send at most \d+, or append a file/);
});

test('rows of a request of a column called __proto__ are kept', async () => {
  dataset = await createFromFile(world, owner, '{"__proto__":"x","q":"Why?"}\n', {
    file_format: 'jsonl',
    file_name: 'rows.jsonl',
  });

  const { body } = await ask('{"rows":[{"__proto__":"y","q":"Who?"}]}');
  await land(body.append_id);

  expect(world.objects.text((await manifest()).chunks.at(-1)?.key ?? '')).toBe(
    '{"__proto__":"y","q":"Who?"}\n',
  );
});

describe('a file', () => {
  const open = async (name = 'more.jsonl') => {
    const { body } = await ask({ file: { name } });
    const { s3_key, method } = body.upload_instructions ?? { s3_key: '', method: '' };
    expect([body.status, body.append_id, method]).toEqual(['awaiting_upload', null, 'PUT']);
    return s3_key ?? '';
  };

  test('a file is uploaded, and its rows become the next version', async () => {
    const content = jsonl([{ n: 3, q: 'Who?', a: 'Me.' }]);
    const s3_key = await open();
    await world.objects.write(s3_key, content, 'application/jsonl');

    const sha256 = createHash('sha256').update(content).digest('hex');
    const { body } = await ask({ s3_key, sha256 });
    expect(body).toMatchObject({ status: 'pending', appended_rows: null });
    expect(await land(body.append_id)).toBe(true);

    expect(await read(body.append_id)).toMatchObject({ status: 'succeeded', appended_rows: 1, version: 2 });
    expect(await rowsOf()).toEqual([...FIRST, { q: 'Who?', a: 'Me.', n: 3 }]);
  });

  test.each([
    ['{"n":3,"q":"Who?","a":"Me."}\n{"n":"four","q":"Who?","a":"Me."}\n', 'Row 1, column "n"'],
    ['{"n":3,"q":"Who?"}\n', 'has no column "a"'],
    ['{"n":3,"q":"Who?","a":"Me.","b":5}\n', 'column "b"'],
  ])('a file with the rows %j fails, says why, and leaves the dataset as it was', async (content, why) => {
    const s3_key = await open();
    await world.objects.write(s3_key, content, 'text/csv');
    const { body } = await ask({ s3_key });

    await land(body.append_id);

    const { status, version, error_data } = await read(body.append_id);
    expect([status, version, error_data?.code]).toEqual(['failed', null, 'schema_mismatch']);
    expect(error_data?.message).toContain(why);
    const { pending_appends, ...rest } = await reload();
    expect(pending_appends).toBe(0);
    expect(rest).toEqual(dataset);
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('a file is appended once, however often the request is repeated', async () => {
    const s3_key = await open();
    await world.objects.write(s3_key, jsonl([{ n: 3, q: 'Who?', a: 'Me.' }]), 'text/csv');
    const { body } = await ask({ s3_key });
    expect((await ask({ s3_key })).body).toEqual(body);
    await land(body.append_id);

    expect((await ask({ s3_key })).body).toEqual(body);
    expect((await reload()).row_count).toBe(3);
  });

  test.each([
    [0.4, 'succeeded'],
    [undefined, 'failed'],
  ])(
    'a file with rows that cannot be read is appended up to the share %s of its dataset: it has %s',
    async (share, status) => {
      dataset = await createFromFile(world, owner, jsonl(FIRST), {
        ...{ file_format: 'jsonl', file_name: 'rows.jsonl' },
        ...(share === undefined ? {} : { max_unreadable_share: share }),
      });
      const s3_key = await open();
      const good = (q: string) => jsonl([{ q, a: 'Me.', n: 3 }]);
      await world.objects.write(s3_key, `${good('Who?')}{"q":\n${good('Where?')}`, 'application/jsonl');
      const { body } = await ask({ s3_key });

      await land(body.append_id);

      const { error_data, ...append } = await read(body.append_id);
      expect(append).toMatchObject({ status, appended_rows: share === undefined ? null : 2 });
      expect((await reload()).warnings?.map(({ code }) => code) ?? []).toEqual(
        share === undefined ? [] : ['rows_set_aside'],
      );
      if (share !== undefined) return;
      expect(error_data?.code).toBe('file_unreadable');
      // No field of an append sets the share.
      expect(error_data?.message).not.toContain('max_unreadable_share');
    },
  );

  test('a file to append completes no upload, also of a dataset that is gone', async () => {
    const s3_key = await open();
    await world.objects.write(s3_key, jsonl([{ n: 3, q: 'Who?', a: 'Me.' }]), 'application/jsonl');
    const body = { s3_key, name: 'more.jsonl', file_format: 'jsonl', file_size_bytes: 30 };

    for (const isGone of [false, true]) {
      if (isGone) await world.call(remove, { as: owner, params: { dataset_id: dataset.dataset_id } });
      const { problem } = await world.call(complete, { as: owner, body });
      expect(problem).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(`/api/v1/datasets/${dataset.dataset_id}/rows`),
      });
    }
  });

  test('a file of another dataset, or another team, or none, is missing', async () => {
    const other = await createFromJson(...FIRST);
    const s3_key = await open();
    await world.objects.write(s3_key, jsonl([{ n: 3, q: 'Who?', a: 'Me.' }]), 'text/csv');
    const stranger = await seedTeam(world.store, 0);
    const own = await createFromFile(world, stranger, jsonl(FIRST), {
      file_format: 'jsonl',
      file_name: 'rows.jsonl',
    });
    const asStranger = await world.call(handler, {
      as: stranger,
      params: { dataset_id: own.dataset_id },
      body: { s3_key },
    });

    expect((await ask({ s3_key }, {}, other)).problem.code).toBe('upload_missing');
    expect(asStranger.problem.code).toBe('upload_missing');
    expect((await ask({ s3_key: await open() })).problem.code).toBe('upload_missing');
  });
});

describe('an append', () => {
  const rows = [{ q: 'Who?', a: 'Me.', n: 3 }];

  test('an append with an Idempotency-Key is done once, and the key is for one body', async () => {
    const key = { 'Idempotency-Key': 'a key' };
    const { body } = await ask({ rows }, key);
    await land(body.append_id);

    expect((await ask({ rows }, key)).body).toEqual(body);
    expect((await ask({ rows: [...rows, ...rows] }, key)).problem.statusCode).toBe(422);
    expect((await reload()).row_count).toBe(3);
  });

  test('an append waits for the active run, which keeps the rows that it began with', async () => {
    const { body: run } = await adaptIt();
    const { body } = await ask({ rows });

    expect(await land(body.append_id)).toBe(false);
    expect(await reload()).toMatchObject({ state: 'running', row_count: 2, pending_appends: 1 });
    expect((await read(body.append_id)).status).toBe('pending');
    await world.endRun({
      dataset_id: dataset.dataset_id,
      run_id: run.run_id ?? '',
      error: { code: 'run_interrupted', message: 'm', level: 'error' },
      billedCredits: 0,
      now: NOW,
    });

    expect(await land(body.append_id)).toBe(true);
    // The adaptation took number 2 when it was launched.
    expect(await read(body.append_id)).toMatchObject({ status: 'succeeded', version: 3 });
    const { manifest_key } = (await world.store.runs.find(dataset.dataset_id, run.run_id ?? '')) ?? {};
    expect(manifest_key).toBe(dataset.manifest_key);
    expect(await reload()).toMatchObject({ state: 'awaiting_input', row_count: 3, error_data: null });
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('an append is in every run that begins after it: the launch waits', async () => {
    const { body } = await ask({ rows });

    expect((await adaptIt()).problem).toMatchObject({ statusCode: 409, code: 'dataset_not_ready' });
    await land(body.append_id);
    expect((await adaptIt()).body).toMatchObject({ version: 3 });
    expect(await reload()).toMatchObject({ state: 'running', row_count: 3 });
  });

  test('an append and another at once both land, in an order, and nothing is lost', async () => {
    const appends = await Promise.all(
      ['Who?', 'When?', 'Where?'].map((q) => ask({ rows: [{ q, a: 'Here.', n: 3 }] })),
    );
    const ids = appends.map(({ body }) => body.append_id);

    const landed = new Set<string | null>();
    for (let turn = 0; turn < 5 && landed.size < ids.length; turn += 1) {
      const open = ids.filter((id) => !landed.has(id));
      const done = await Promise.all(open.map(land));
      for (const [n, id] of open.entries()) if (done[n] === true) landed.add(id);
    }

    expect((await Promise.all(ids.map(read))).map(({ version }) => version).sort()).toEqual([2, 3, 4]);
    const questions = ((await rowsOf()) as { q: string }[]).map(({ q }) => q);
    expect(questions.slice(0, 2)).toEqual(['Why?', 'How?']);
    expect(questions.slice(2).sort()).toEqual(['When?', 'Where?', 'Who?']);
    expect((await manifest()).chunks.map(({ first_row }) => first_row)).toEqual([0, 2, 3, 4]);
    expect(await reload()).toMatchObject({ row_count: 5, latest_version: 4, pending_appends: 0 });
  });

  test('an append that is ended while its rows land is counted once', async () => {
    const error = { code: 'run_interrupted', message: 'm', level: 'error' } as const;
    for (const isLate of [false, true]) {
      const { body } = await ask({ rows });
      // Another one waits, which must not be counted as landed.
      await ask({ rows });
      const { pending_appends: before } = await reload();
      const ending = {
        dataset_id: dataset.dataset_id,
        run_id: body.append_id ?? '',
        billedCredits: 0,
        now: NOW,
      };
      const end = async () => {
        if (isLate) await new Promise((resolve) => setTimeout(resolve, 2));
        await world.endRun({ ...ending, error });
      };

      await Promise.allSettled([land(body.append_id), end()]);

      expect((await reload()).pending_appends).toBe((before ?? 0) - 1);
    }
  });

  test('an append of more objects than a dataset may have fails, and says what to do', async () => {
    const { body } = await ask({ rows });
    const many = await manifest();
    const chunks = Array.from({ length: CHUNKS_MAX }, () => many.chunks[0]);
    await world.objects.write(
      dataset.manifest_key ?? '',
      JSON.stringify({ ...many, chunks }),
      'application/json',
    );

    await land(body.append_id);

    const { status, error_data } = await read(body.append_id);
    expect([status, error_data?.code]).toEqual(['failed', 'dataset_too_large']);
    expect(error_data?.message).toContain('upload it as a new dataset');
  });

  test('an append whose worker is cut off and tried again lands once', async () => {
    const { body } = await ask({ rows });
    await land(body.append_id);
    const once = await reload();

    expect(await land(body.append_id)).toBe(true);

    expect(await reload()).toEqual(once);
    expect(await rowsOf()).toHaveLength(3);
  });

  test('an append keeps the dataset from being deleted until it has ended', async () => {
    const { body } = await ask({ rows });
    const removeIt = () => world.call(remove, { as: owner, params: { dataset_id: dataset.dataset_id } });

    expect((await removeIt()).problem.statusCode).toBe(409);
    await land(body.append_id);
    expect((await removeIt()).status).toBeLessThan(300);
  });

  test('an append is refused where too many wait, and where there are no rows yet', async () => {
    for (let n = 0; n < PENDING_APPENDS_MAX; n += 1) await ask({ rows });
    expect((await ask({ rows })).problem).toMatchObject({ statusCode: 429, code: 'runs_limit_reached' });

    const empty = await seedDataset(world.store, owner, {
      state: 'awaiting_upload',
      columns: null,
      manifest_key: null,
      row_count: null,
    });
    expect((await ask({ rows }, {}, empty)).problem).toMatchObject({
      statusCode: 409,
      code: 'dataset_not_ready',
    });
  });

  test('an append leaves a raw dataset ready', async () => {
    dataset = await createFromFile(world, owner, jsonl(FIRST), {
      file_format: 'jsonl',
      file_name: 'rows.jsonl',
      processing_mode: 'raw',
      raw_column_mapping: { prompt: 'q', completion: 'a' },
    });
    expect(dataset.state).toBe('succeeded');

    const { body } = await ask({ rows });
    await land(body.append_id);

    expect(await reload()).toMatchObject({
      state: 'succeeded',
      row_count: 3,
      result: { run_id: body.append_id, version: 2 },
    });
  });

  test('an append leaves nothing of an earlier adaptation of a raw dataset', async () => {
    dataset = await createFromFile(world, owner, jsonl(FIRST), {
      file_format: 'jsonl',
      file_name: 'rows.jsonl',
      processing_mode: 'raw',
      raw_column_mapping: { prompt: 'q', completion: 'a' },
    });
    await adaptVersion(world, owner, dataset, (row) => answered(row), {
      request: { column_mapping: { prompt: 'q' } },
    });
    expect((await reload()).configured_column_mapping).not.toHaveProperty('completion');

    const { body } = await ask({ rows });
    await land(body.append_id);

    expect(await reload()).toMatchObject({
      row_count: 3,
      output_row_count: null,
      evaluation_summary: null,
      configured_column_mapping: { prompt: 'q', completion: 'a', context: [] },
      result: { version: 3, configured_column_mapping: { prompt: 'q', completion: 'a', context: [] } },
    });
  });

  test('an append keeps the dates, lists and structs of a Parquet file', async () => {
    const columns = [
      { name: 'q', type: 'VARCHAR' },
      { name: 'at', type: 'TIMESTAMP' },
      { name: 'tags', type: 'VARCHAR[]' },
      { name: 'by', type: 'STRUCT("name" VARCHAR, age INTEGER)' },
    ];
    const first = { q: 'Why?', at: '2024-02-29 10:11:12', tags: ['a'], by: { name: 'Ann', age: 9 } };
    const uploaded = await createFromJson(first);
    const typed = { ...(await manifest(uploaded)), columns };
    await world.objects.write(uploaded.manifest_key ?? '', JSON.stringify(typed), 'application/json');
    const { manifest_key } = uploaded;
    dataset = await seedDataset(world.store, owner, { columns, manifest_key, row_count: 1 });
    const next = { ...first, at: '2024-03-01 00:00:00.5', tags: ['b', null] };

    const { body } = await ask({ rows: [next] });
    await land(body.append_id);

    expect(await read(body.append_id)).toMatchObject({ status: 'succeeded', error_data: null });
    expect((await manifest()).columns.map(({ name, type }) => ({ name, type }))).toEqual(columns);
    expect(await rowsOf()).toEqual([first, next]);
    for (const [name, value] of [
      ['at', '2024-02-30 00:00:00'],
      ['tags', 'b'],
      ['by', { name: 'Bo' }],
    ] as const) {
      expect((await ask({ rows: [next, { ...next, [name]: value }] })).problem).toMatchObject({
        code: 'schema_mismatch',
        details: [{ path: `rows[1].${name}` }],
      });
    }
  });

  test('an append leaves a dataset that was made its own mapping, whatever an adaptation mapped', async () => {
    const own = { prompt: 'q', completion: 'a', context: [] };
    dataset = await createFromFile(world, owner, jsonl(FIRST), {
      file_format: 'jsonl',
      file_name: 'rows.jsonl',
      processing_mode: 'raw',
      configured_column_mapping: own,
    });
    await adaptVersion(world, owner, dataset, (row) => answered(row), {
      request: { column_mapping: { prompt: 'q' } },
    });

    for (const version of [3, 4]) {
      const { body } = await ask({ rows });
      await land(body.append_id);

      expect(await reload()).toMatchObject({
        configured_column_mapping: own,
        result: { version, configured_column_mapping: own },
      });
    }
  });
});

test('an append whose start is not heard leaves its key to the rows that have landed by then', async () => {
  const key = { 'Idempotency-Key': 'once' };
  vi.spyOn(world.executions, 'start').mockImplementationOnce(async (_, { run_id }) => {
    await ingestDataset(world, { dataset_id: dataset.dataset_id, run_id, now: NOW });
    throw new Error('the answer is lost');
  });

  expect((await ask({ rows: [{ q: 'Who?' }] }, key)).problem.code).toBe('service_unavailable');
  const { body } = await ask({ rows: [{ q: 'Who?' }] }, key);
  await land(body.append_id);

  expect(await rowsOf()).toHaveLength(FIRST.length + 1);
});
