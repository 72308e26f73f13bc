import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/datasets/rows/list.ts';
import { indexRows } from '#shared/exports/index-rows.ts';
import type { DatasetRow, RowsPage } from '#shared/exports/schema/rows.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import {
  type ActiveRun,
  adaptRows,
  answerOf,
  questionOf,
  resultOf,
  startRun,
} from '#test/helpers/active-run.ts';
import { makeCaller, seedDataset } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;

beforeEach(() => {
  world = createWorld();
});
afterEach(() => {
  vi.useRealTimers();
});

const OUTCOMES = ['changed', 'kept', 'dropped', 'failed'] as const;
const MEBIBYTE = 1024 * 1024;

const get = (query: Record<string, string> = {}, as = active.caller, { dataset } = active) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id }, query });
const numbers = ({ rows }: Pick<RowsPage, 'rows'>): number[] => rows.map(({ row }) => row);
const text = (cells: DatasetRow['before'] | null, column: string): string | undefined =>
  cells?.find((cell) => cell.column === column)?.text;

describe('the rows of an adaptation', () => {
  beforeEach(async () => {
    active = await adaptRows(world, { rows: 250 }, (row) => resultOf(row, OUTCOMES[row % 4]));
  });

  test('the rows of an adaptation have what came, what was made of it, and why', async () => {
    const { body } = await get({ limit: '4' });

    expect(body).toMatchObject({
      dataset_id: active.dataset.dataset_id,
      run_id: active.run.run_id,
      status: 'succeeded',
      columns_total: 3,
      total: 250,
      matching: 250,
      offset: 0,
      next_row: null,
    });
    expect(body.columns).toEqual([
      { name: 'question', side: 'before', role: 'prompt' },
      { name: 'answer', side: 'before', role: 'completion' },
      { name: 'note', side: 'before', role: 'other' },
      { name: 'enhanced_prompt', side: 'after', role: 'prompt' },
      { name: 'enhanced_completion', side: 'after', role: 'completion' },
      { name: 'prompt_safety_issues', side: 'after', role: 'safety' },
      { name: 'response_safety_issues', side: 'after', role: 'safety' },
    ]);
    expect(body.rows.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['changed', null],
      ['kept', 'a_reason'],
      ['dropped', 'a_reason'],
      ['failed', 'a_reason'],
    ]);
    expect(body.rows[0]?.before).toEqual([
      { column: 'question', text: questionOf(0), truncated: false },
      { column: 'answer', text: answerOf(0), truncated: false },
      { column: 'note', text: '0', truncated: false },
    ]);
    expect(text(body.rows[0]?.after ?? null, 'enhanced_completion')).toBe(`better ${answerOf(0)}`);
    expect(text(body.rows[1]?.after ?? null, 'enhanced_completion')).toBe(answerOf(1));
    expect(body.rows.slice(2).map(({ after }) => after)).toEqual([null, null]);
    expect(body.rows[0]?.length_change).toBe('longer');
    expect(body.rows[1]?.length_change).toBe('same');
    expect(body.rows[2]?.length_change).toBeNull();
  });

  test('the rows of an adaptation are reached at any place, and end where they end', async () => {
    expect(numbers((await get({ offset: '247' })).body)).toEqual([247, 248, 249]);
    expect((await get({ offset: '250' })).body).toMatchObject({ rows: [], matching: 250, offset: 250 });
    expect((await get({ offset: '999999' })).body.rows).toEqual([]);
    expect((await get()).body.rows).toHaveLength(50);
    expect((await get({ limit: '200' })).body.rows).toHaveLength(200);
  });

  test.each([
    [{ outcome: 'dropped' }, (row: number) => row % 4 === 2],
    [{ code: 'a_reason' }, (row: number) => row % 4 !== 0],
    [{ length_change: 'longer' }, (row: number) => row % 4 === 0],
    [{ length_change: 'shorter' }, () => false],
    [{ search: 'ANSWER 17' }, (row: number) => row === 17 || (row >= 170 && row < 180)],
    [{ search: 'better' }, (row: number) => row % 4 === 0],
    [{ search: 'better', outcome: 'kept' }, () => false],
    [{ outcome: 'changed', search: '4' }, (row: number) => row % 4 === 0 && String(row).includes('4')],
    [{ first_row: '200', outcome: 'kept' }, (row: number) => row >= 200 && row % 4 === 1],
    [{ code: 'no_such_code' }, () => false],
    [{ code: '__proto__' }, () => false],
    [{ language: 'constructor' }, () => false],
  ])(
    'the rows of an adaptation that pass %j are counted, and met in order by pages',
    async (query, passes) => {
      const expected = Array.from({ length: 250 }, (_, row) => row).filter((row) => passes(row));

      const met: number[] = [];
      for (let page = 0; page < 20; page += 1) {
        const { body } = await get({ ...query, offset: String(met.length), limit: '20' } as Record<
          string,
          string
        >);
        expect(body.matching).toBe(expected.length);
        if (body.rows.length === 0) break;
        met.push(...numbers(body));
      }

      expect(met).toEqual(expected);
    },
  );

  test('the rows of an adaptation are counted by property, each as the other filters leave it', async () => {
    const { body } = await get({ outcome: 'kept', search: 'answer 1', limit: '1' });

    const found = Array.from({ length: 250 }, (_, row) => row).filter((row) => /^1/.test(String(row)));
    const of = (rest: number) => found.filter((row) => row % 4 === rest).length;
    expect(body.matching).toBe(of(1));
    expect(body.facets.outcome).toEqual(
      OUTCOMES.map((value, rest) => ({ value, rows: of(rest) })).sort(
        (a, b) => b.rows - a.rows || (a.value < b.value ? -1 : 1),
      ),
    );
    expect(body.facets.code).toEqual([{ value: 'a_reason', rows: of(1) }]);
    expect(body.facets.length_change).toEqual([{ value: 'same', rows: of(1) }]);
  });

  test('the rows of an adaptation are another team’s never, nor is it told that they exist', async () => {
    for (const as of [makeCaller(), strangerTo(active.caller)]) {
      expect((await get({}, as)).problem).toMatchObject({ statusCode: 404, code: 'dataset_not_found' });
      expect((await get({ run_id: active.run.run_id }, as)).problem.code).toBe('dataset_not_found');
    }
  });

  test('the rows of an adaptation of a run that the dataset does not have are a 404', async () => {
    expect((await get({ run_id: 'run-of-nobody' })).problem).toMatchObject({
      statusCode: 404,
      code: 'run_not_found',
    });
  });

  test('the rows of an adaptation are refused for a page, a filter or a text that cannot be', async () => {
    const wrong: [Record<string, string>, string][] = [
      [{ limit: '0' }, 'query.limit'],
      [{ limit: '201' }, 'query.limit'],
      [{ offset: '-1' }, 'query.offset'],
      [{ outcome: 'improved' }, 'query.outcome'],
      [{ search: '' }, 'query.search'],
      [{ search: 'x'.repeat(201) }, 'query.search'],
      [{ search: 'a\0b' }, 'query.search'],
    ];
    for (const [query, path] of wrong) expect((await get(query)).problem.details[0]?.path).toBe(path);
  });

  test('the rows of an adaptation are found by an index that is built once, and again when a part of it has expired', async () => {
    await get();
    await get({ search: 'answer' });
    expect(world.invoked.map(({ functionId }) => functionId)).toEqual(['tasks/exports/index-rows']);
    await world.objects.remove([objectKeys.indexedRows(active.dataset.dataset_id, active.run.run_id)]);

    expect((await get({ search: 'answer' })).problem).toMatchObject({
      statusCode: 409,
      code: 'rows_pending',
    });
    expect((await get({ search: 'answer' })).body.matching).toBe(250);
    expect(world.invoked).toHaveLength(2);
  });

  test('the rows of an adaptation show the scores of the evaluation’s sample', async () => {
    const scored = [{ row: 4, before: 5.5, after: 8, preferred: 'after' }];
    await world.objects.write(
      objectKeys.evaluationRows(active.run.run_id),
      JSON.stringify(scored),
      'application/json',
    );

    const { body } = await get({ limit: '10' });

    expect(body.rows[4]?.score).toEqual({ before: 5.5, after: 8, preferred: 'after' });
    expect(body.rows[5]?.score).toBeNull();
  });

  describe('that are doubted', () => {
    const doubt = (row: number) => ({
      probability: row / 1000,
      reasons: [{ witness: 'execution' as const, kind: 'example_failed', message: `Seen in row ${row}.` }],
      proposal: `better ${row}`,
    });
    const doubtful = [1, 4, 100, 249];
    const others = Array.from({ length: 250 }, (_, row) => row).filter((row) => !doubtful.includes(row));

    beforeEach(async () => {
      world = createWorld();
      active = await adaptRows(world, { rows: 250 }, (row) => ({
        ...resultOf(row, OUTCOMES[row % 4]),
        ...(doubtful.includes(row) ? { doubt: doubt(row) } : {}),
      }));
    });

    test.each<[Record<string, string>, number[]]>([
      [{ doubted: 'true' }, doubtful],
      [{ doubted: 'false' }, others],
      [{ doubted: 'true', outcome: 'changed' }, [4, 100]],
      [{ doubted: 'true', search: 'answer 1' }, [1, 100]],
      [{ doubted: 'true', first_row: '5' }, [100, 249]],
      [{ doubted: 'true', scored: 'true' }, []],
    ])('the rows of an adaptation that are doubted are those that pass %j', async (query, expected) => {
      const { body } = await get({ limit: '200', ...query });

      expect(numbers(body)).toEqual(expected.slice(0, 200));
      expect(body.matching).toBe(expected.length);
      for (const { row, doubt: shown } of body.rows) {
        expect(shown).toEqual(query.doubted === 'true' ? doubt(row) : null);
      }
    });

    test('the rows of an adaptation that are doubted are none in an index of an earlier version', async () => {
      await get({ doubted: 'true' });
      const key = objectKeys.rowIndex(active.dataset.dataset_id, active.run.run_id);
      const { sections, ...index } = JSON.parse(world.objects.text(key));
      const { doubt: _, ...earlier } = sections;
      await world.objects.write(key, JSON.stringify({ ...index, sections: earlier }), 'application/json');

      expect((await get({ doubted: 'true' })).body).toMatchObject({ matching: 0, rows: [] });
      expect((await get({ doubted: 'false' })).body.matching).toBe(250);
      expect((await get({ outcome: 'kept' })).body.matching).toBe(63);
      expect(world.invoked).toHaveLength(1);
    });
  });

  describe('that the evaluation scored', () => {
    const sample = [3, 4, 12, 20, 249];
    const others = Array.from({ length: 250 }, (_, row) => row).filter((row) => !sample.includes(row));

    beforeEach(async () => {
      // The index is there before the evaluation has ended.
      expect((await get({ scored: 'true' })).body).toMatchObject({ total: 250, matching: 0, rows: [] });
      const scores = sample.map((row) => ({
        row,
        before: row === 12 ? null : 5,
        after: row === 12 ? null : 6,
        preferred: null,
      }));
      await world.objects.write(
        objectKeys.evaluationRows(active.run.run_id),
        JSON.stringify(scores),
        'application/json',
      );
    });

    test.each<[Record<string, string>, number[]]>([
      [{ scored: 'true' }, sample],
      [{ scored: 'false' }, others],
      [{ scored: 'true', outcome: 'changed' }, [4, 12, 20]],
      [{ scored: 'false', outcome: 'changed' }, others.filter((row) => row % 4 === 0)],
      [{ scored: 'true', search: 'answer 2' }, [20, 249]],
      [{ scored: 'true', search: 'answer 2', outcome: 'kept' }, [249]],
      [{ scored: 'true', first_row: '12' }, [12, 20, 249]],
      [{ scored: 'true', offset: '2', limit: '2' }, [12, 20]],
    ])(
      'the rows of an adaptation that the evaluation scored are those that pass %j',
      async (query, expected) => {
        const { body } = await get({ limit: '200', ...query });

        expect(numbers(body)).toEqual(expected.slice(0, 200));
        expect(body.matching).toBe(query.offset === undefined ? expected.length : sample.length);
        for (const { score } of body.rows) expect(score !== null).toBe(query.scored === 'true');
      },
    );

    test('the rows of an adaptation that the evaluation scored are those whose properties are counted', async () => {
      const { facets } = (await get({ scored: 'true' })).body;

      expect(facets.outcome).toEqual([
        { value: 'changed', rows: 3 },
        { value: 'failed', rows: 1 },
        { value: 'kept', rows: 1 },
      ]);
    });

    test('the rows of an adaptation that the evaluation scored are asked for with true or false alone', async () => {
      expect((await get({ scored: 'yes' })).problem.details[0]?.path).toBe('query.scored');
    });
  });
});

test('what a run knows of a row is told: edit, notes, sources, the row that it repeats', async () => {
  const edit = { kind: 'completed', evidence: 'checked', words_kept: 1 } as const;
  const note = { code: 'no_source_found', message: 'Nothing was found.' };
  const source = { title: 'A page', url: 'https://a.test/' };
  active = await adaptRows(world, { rows: 3 }, (row) =>
    row === 1
      ? {
          ...resultOf(row, 'dropped'),
          reason: { code: 'duplicate_exact', message: 'It repeats row 0.', similar_to_row: 0 },
        }
      : { ...resultOf(row), edit, notes: [note], sources: [source] },
  );

  const { body } = await get();

  expect(body.rows[0]).toMatchObject({ edit, notes: [note], sources: [source], similar_to_row: null });
  expect(body.rows[1]).toMatchObject({ edit: null, code: 'duplicate_exact', similar_to_row: 0 });
});

test('what a run knows of a row is bounded, whatever a model or a page of the web said', async () => {
  const long = 'x'.repeat(100_000);
  active = await adaptRows(world, { rows: 1 }, (row) => ({
    ...resultOf(row, 'kept'),
    reason: { code: long, message: long },
    notes: Array.from({ length: 50 }, () => ({ code: long, message: long })),
    sources: Array.from({ length: 50 }, () => ({ title: long, url: long })),
  }));

  const { body, text: sent } = await get();

  expect(sent.length).toBeLessThan(100_000);
  expect(body.rows[0]).toMatchObject({ code: long.slice(0, 200), message: long.slice(0, 1000) });
  expect(body.rows[0]?.notes).toHaveLength(10);
  expect(body.rows[0]?.sources).toHaveLength(10);
});

test('what a run knows of a row is told of codes and columns that are names of every object', async () => {
  const names = ['__proto__', 'constructor', 'toString'];
  active = await adaptRows(
    world,
    { rows: 3, line: (row) => `{"question":"q","answer":"a","note":${row}}` },
    (row) => ({ ...resultOf(row, 'kept'), reason: { code: names[row] ?? '', message: 'm' } }),
  );

  const { body } = await get();

  expect(body.rows.map(({ code }) => code)).toEqual(names);
  expect(body.facets.code).toEqual(names.toSorted().map((value) => ({ value, rows: 1 })));
  for (const code of names) expect((await get({ code })).body.matching).toBe(1);
});

test('the rows of a failed run are those that it finished, the others say that it ended before', async () => {
  active = await adaptRows(world, { rows: 10 }, (row) => (row < 6 ? resultOf(row) : null), 'failed');

  const { body } = await get();

  expect(body.status).toBe('failed');
  expect(body.rows.map(({ outcome }) => outcome)).toEqual([
    ...Array(6).fill('changed'),
    ...Array(4).fill('failed'),
  ]);
  expect(body.rows[9]).toMatchObject({ code: 'run_interrupted', after: null });
});

test('the rows of a failed run that max_rows left out were not to be worked on', async () => {
  const request = {
    column_mapping: { prompt: 'question', completion: 'answer' },
    job_specification: { max_rows: 3 },
  };
  active = await adaptRows(world, { rows: 30, request }, () => null, 'failed');

  const { body } = await get();

  expect(body.facets.outcome).toEqual([
    { value: 'not_selected', rows: 27 },
    { value: 'failed', rows: 3 },
  ]);
});

test('rows that no run has worked on are shown as they came', async () => {
  active = await startRun(world, { rows: 5 });

  const { body } = await get();

  expect(body).toMatchObject({ run_id: null, status: null, total: 5 });
  expect(body.columns.map(({ name, role }) => [name, role])).toEqual([
    ['question', 'prompt'],
    ['answer', 'completion'],
    ['note', 'other'],
  ]);
  expect(body.rows[3]).toMatchObject({ row: 3, outcome: null, code: null, after: null, score: null });
  expect(text(body.rows[3]?.before ?? null, 'question')).toBe(questionOf(3));
  expect((await get({ search: 'question 3' })).body.matching).toBe(1);
  expect((await get({ scored: 'true' })).body.matching).toBe(0);
});

test('rows that no run has worked on have the roles of the mapping that the dataset has by then', async () => {
  active = await startRun(world, { rows: 5 });
  await get();
  const { datasets } = world.store;
  const require: typeof datasets.require = async (...of) => ({
    ...(await datasets.require(...of)),
    configured_column_mapping: { prompt: 'question', completion: 'note', context: [] },
  });

  const { body } = await world.call(
    handler,
    { as: active.caller, params: { dataset_id: active.dataset.dataset_id } },
    { datasets: { ...datasets, require } },
  );

  expect(Object.fromEntries(body.columns.map(({ name, role }) => [name, role]))).toEqual({
    question: 'prompt',
    answer: 'other',
    note: 'completion',
  });
});

test('rows that no run has worked on are not there before the file is read', async () => {
  const started = await startRun(world, { rows: 1 });
  const dataset = await seedDataset(world.store, started.caller, { row_count: null, state: 'ingesting' });

  expect((await get({}, started.caller, { ...started, dataset })).problem).toMatchObject({
    statusCode: 422,
    code: 'no_data_yet',
  });
});

test('rows of a dataset whose file could not be read are refused with what to do', async () => {
  const started = await startRun(world, { rows: 1 });
  const dataset = await seedDataset(world.store, started.caller, { row_count: null, state: 'failed' });

  const { problem } = await get({}, started.caller, { ...started, dataset });

  expect(problem).toMatchObject({ statusCode: 422, code: 'no_data_yet' });
  expect(problem.message).toContain('upload it again');
});

test('rows that no run has worked on of an active run are not told before it ends', async () => {
  active = await startRun(world, { rows: 1 });

  expect((await get({ run_id: active.run.run_id })).problem.code).toBe('no_data_yet');
});

test.each([
  ['rows', { row_count: 20_000_001 }, 1],
  ['text', { row_count: 3 }, 2 ** 31 + 1],
])(
  'rows that are more than one function can index by their %s are refused, again and again, and no index is begun',
  async (_, changed, size) => {
    active = await startRun(world, { rows: 3 });
    const { dataset_id, team_id } = active.dataset;
    const key = objectKeys.manifest(dataset_id);
    const manifest = JSON.parse(world.objects.text(key));
    const write = (fields: object) =>
      world.objects.write(key, JSON.stringify({ ...manifest, ...fields }), 'application/json');
    const chunks = manifest.chunks.map((chunk: object) => ({ ...chunk, bytes: size }));
    await write({ ...changed, chunks });

    for (let time = 0; time < 2; time += 1) {
      expect((await get()).problem).toMatchObject({ statusCode: 422, code: 'dataset_too_large' });
    }
    expect(world.invoked).toEqual([]);
    const ports = { ...world.store, objects: world.objects, loadDetector: async () => () => 'en' };
    expect(await indexRows(ports, { dataset_id, team_id })).toEqual({ rows: 0 });
    expect(world.objects.keys().filter((each) => each.startsWith('exports/'))).toEqual([]);

    await write({});
    expect((await get()).body.total).toBe(3);
  },
);

test('an index that takes long is a 409 that says when to come back, and is begun once', async () => {
  active = await startRun(world, { rows: 2 });
  vi.useFakeTimers();
  let begun = 0;
  const startIndex = async (): Promise<void> => {
    begun += 1;
  };
  const ask = () =>
    world.call(
      handler,
      { as: active.caller, params: { dataset_id: active.dataset.dataset_id } },
      { startIndex },
    );

  const pending = Promise.all([ask(), ask(), ask()]);
  await vi.advanceTimersByTimeAsync(21_000);
  const answers = await pending;

  expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual(
    Array(3).fill([409, 'rows_pending']),
  );
  for (const { headers, problem } of answers) {
    expect(headers).toMatchObject({ 'retry-after': '10', 'x-should-retry': 'true' });
    expect(problem.message).toContain('Try again in 10 seconds');
  }
  expect(begun).toBe(1);
});

describe('a search', () => {
  const words = (row: number): string =>
    [
      'Straße in ÉCLAIR',
      'cafe\u0301 au lait',
      'ΟΔΟΣ Ἀθηνῶν',
      'ИЗВЕСТИЯ дня',
      '日本語の文章',
      'a 🦊 jumps',
      'tab\tand\nline',
      '"quoted" \\ back',
    ][row] ?? '';

  beforeEach(async () => {
    const line = (row: number) => JSON.stringify({ question: 'q', answer: words(row), note: row });
    active = await adaptRows(world, { rows: 8, line }, (row) => ({
      ...resultOf(row, 'kept'),
      cells: { enhanced_prompt: 'q', enhanced_completion: words(row) },
    }));
  });

  test.each([
    ['strasse', []],
    ['STRAßE', [0]],
    ['éclair', [0]],
    ['caf\u00e9', [1]],
    ['οδοσ', [2]],
    ['οδος', [2]],
    ['известия ДНЯ', [3]],
    ['語の文', [4]],
    ['🦊', [5]],
    ['TAB\tand\nLINE', [6]],
    ['"quoted" \\', [7]],
    ['.*', []],
    ['%', []],
    ['q', [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('a search for %j finds %j', async (search, rows) => {
    expect(numbers((await get({ search })).body)).toEqual(rows);
  });

  test('a search does not go from one cell into the next, nor from one row', async () => {
    expect((await get({ search: 'qStraße' })).body.matching).toBe(0);
    expect((await get({ search: 'éclairq' })).body.matching).toBe(0);
  });
});

describe('a page', () => {
  const emoji = '👩‍👩‍👧‍👦';
  const size = (sent: string): number => Buffer.byteLength(sent);

  test('a page with long cells has their beginnings, whole characters, and no more than a megabyte', async () => {
    const line = (row: number) =>
      JSON.stringify({ question: `x${'🦊'.repeat(5000)}`, answer: '\u0001'.repeat(20_000), note: row });
    active = await adaptRows(world, { rows: 200, line }, (row) => ({
      ...resultOf(row),
      cells: { enhanced_prompt: emoji.repeat(2000), enhanced_completion: '"'.repeat(20_000) },
    }));

    const { body, text: sent } = await get({ limit: '200' });

    expect(size(sent)).toBeLessThanOrEqual(MEBIBYTE);
    expect(body.rows).toHaveLength(200);
    for (const row of body.rows) {
      const [question] = row.before;
      expect(question).toMatchObject({ column: 'question', truncated: true });
      expect(() => encodeURIComponent(question?.text ?? '')).not.toThrow();
      expect(question?.text.length).toBeGreaterThan(50);
      expect(row.before.find(({ column }) => column === 'note')?.truncated).toBe(false);
    }
  });

  test('a page of 200 rows with 200 columns ends early, and the next begins there', async () => {
    const name = (n: number) => `column ${emoji} ${n}`;
    const columns = Array.from({ length: 200 }, (_, n) => ({ name: name(n), type: 'VARCHAR' }));
    const line = (row: number) =>
      JSON.stringify({
        ...Object.fromEntries(columns.map(({ name }, n) => [name, `${emoji.repeat(40)} ${row} ${n}`])),
        question: 'q',
        answer: 'a',
      });
    const all = [{ name: 'question', type: 'VARCHAR' }, { name: 'answer', type: 'VARCHAR' }, ...columns];
    active = await startRun(world, { rows: 200, line, dataset: { columns: all } });
    const key = objectKeys.manifest(active.dataset.dataset_id);
    const manifest = { ...JSON.parse(world.objects.text(key)), columns: all };
    await world.objects.write(key, JSON.stringify(manifest), 'application/json');

    const met: number[] = [];
    let pages = 0;
    while (met.length < 200) {
      const { body, text: sent } = await get({ limit: '200', offset: String(met.length) });
      expect(size(sent)).toBeLessThanOrEqual(MEBIBYTE);
      expect(body).toMatchObject({ columns_total: 202, matching: 200 });
      expect(body.columns).toHaveLength(100);
      expect(body.rows.length).toBeGreaterThan(0);
      met.push(...numbers(body));
      pages += 1;
    }

    expect(met).toEqual(Array.from({ length: 200 }, (_, row) => row));
    expect(pages).toBeGreaterThan(1);
    expect((await get({ search: ' 17 199' })).body.matching).toBe(1);
  });

  test('a page of the longest names and codes stays within a megabyte', async () => {
    const name = (n: number) => `${'\u0001'.repeat(5000)}${n}`;
    const columns = Array.from({ length: 300 }, (_, n) => ({ name: name(n), type: 'VARCHAR' }));
    const cells = Object.fromEntries(columns.map(({ name }) => [name, '\u0001'.repeat(3000)]));
    active = await startRun(world, {
      rows: 2,
      line: () => JSON.stringify({ ...cells, question: 'q', answer: 'a' }),
    });
    const key = objectKeys.manifest(active.dataset.dataset_id);
    const manifest = { ...JSON.parse(world.objects.text(key)), columns };
    await world.objects.write(key, JSON.stringify(manifest), 'application/json');

    const { body, text: sent } = await get();

    expect(size(sent)).toBeLessThanOrEqual(MEBIBYTE);
    expect(body.rows.length).toBeGreaterThan(0);
  });
});
