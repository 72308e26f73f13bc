import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  inTurn,
  problem,
  type Routes,
  SERVICE_URL,
  STORAGE_URL,
  storedFile,
} from '#test/helpers/fake-service.ts';
import { type RunOptions, runTunesmith } from '#test/helpers/run-tunesmith.ts';

let folder: string;
let input: string;
let output: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  input = join(folder, 'rows.csv');
  output = join(folder, 'out.csv');
  await writeFile(input, 'q,a\nwhy,because\n');
});
afterEach(() => rm(folder, { recursive: true }));

const ENVIRONMENT = { ADAPTION_BASE_URL: SERVICE_URL, ADAPTION_API_KEY: 'pt_live_key' };

const status =
  (value: string, row_count: number | null, error_data: object | null = null) =>
  () =>
    Response.json({ dataset_id: 'd1', status: value, row_count, progress: null, error_data, error: null });

const CREATE = 'POST /api/v1/datasets';
const PUT = 'PUT /put/1';
const COMPLETE = 'POST /api/v1/datasets/d1/upload/complete';
const STATUS = 'GET /api/v1/datasets/d1/status';
const ADAPT = 'POST /api/v1/datasets/d1/adapt';

const RESULT = 'q,a,enhanced_completion\nwhy,because,since\n';
const quality = { grade_before: 'C', score_before: 6, grade_after: 'A', score_after: 9 };

const rows = {
  ...{ total: 3, changed: 2, kept: 1, dropped: 0, failed: 0 },
  ...{ not_selected: 0, expanded: 4, expansion_failed: 0 },
};
const report = (run_id: string) => () =>
  Response.json({ dataset_id: 'd1', run_id, rows, credits: { reserved: 3, settled: 1 } });

/** A service that does the main job. */
const mainJob: Routes = {
  [CREATE]: () =>
    Response.json({
      dataset_id: 'd1',
      status: 'pending',
      upload_instructions: { url: `${STORAGE_URL}/put/1`, method: 'PUT', s3_key: 'k1' },
    }),
  [PUT]: () => new Response(null),
  [COMPLETE]: () => Response.json({ dataset_id: 'd1', status: 'pending' }),
  [STATUS]: status('succeeded', 1),
  [ADAPT]: ({ body }) => {
    const { estimate = false } = JSON.parse(body);
    return Response.json({
      run_id: estimate ? null : 'r1',
      estimatedMinutes: 1,
      estimatedCreditsConsumed: 3,
      estimate,
      multimodalPricingApplied: false,
    });
  },
  'GET /api/v1/datasets/d1/evaluation': () =>
    Response.json({
      dataset_id: 'd1',
      status: 'succeeded',
      quality,
      raw_results: { score_interval_before: [4.5, 7], score_interval_after: null },
      history: [],
    }),
  'GET /api/v1/datasets/d1/report': report('r1'),
  'GET /api/v1/datasets/d1/download-link': () =>
    Response.json({ url: `${STORAGE_URL}/file`, file_name: 'rows.csv', expires_at: '2026-01-01T00:00:00Z' }),
  'GET /file': storedFile(RESULT, '"1"'),
  'DELETE /api/v1/datasets/d1': () => Response.json({ message: 'gone' }),
};

const run = (
  argv: readonly string[],
  routes: Routes = mainJob,
  { env = ENVIRONMENT, ...more }: Partial<RunOptions> = {},
) => runTunesmith(argv, routes, { env, stateFolder: join(folder, 'state'), ...more });

const adaptArguments = () => ['adapt', input, '--prompt', 'q', '--completion', 'a', '-o', output];
const keyOf = (body: unknown) =>
  (body as { job_specification: { idempotency_key: string } }).job_specification.idempotency_key;

test('tunesmith adapt uploads, maps, adapts, waits and downloads', async () => {
  const { code, out, service } = await run(adaptArguments());

  expect(code).toBe(0);
  expect(await readFile(output, 'utf8')).toBe(RESULT);
  expect(out.split('\n')).toEqual([
    `${output}: 1 rows of dataset d1`,
    'Rows: 2 changed, 1 kept, 0 failed, 4 added in other languages; 1 credit charged',
    'Grade before C (6 of 10, 95 % interval 4.5 to 7), after A (9 of 10)',
    `Look at the rows:  ${SERVICE_URL}/console#/datasets/d1`,
    'Download again:    npx tunesmith download d1 --format csv',
    '',
  ]);
  expect(service.bodiesOf(ADAPT)).toEqual([
    {
      column_mapping: { prompt: 'q', completion: 'a' },
      job_specification: { idempotency_key: expect.stringMatching(/^tunesmith-[0-9a-f]{40}$/) },
    },
  ]);
  expect(service.bodiesOf(COMPLETE)).toEqual([
    { file_size_bytes: 16, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});

test('tunesmith adapt says what is to be known of rows that came, such as a language that could not be made', async () => {
  const message = 'Only 0 of 5 rows in de were made.';
  const warned = status('succeeded', 1, { code: 'languages_incomplete', level: 'warning', message });

  const { code, out } = await run(adaptArguments(), {
    ...mainJob,
    [STATUS]: inTurn(status('awaiting_input', 1), warned),
  });

  expect(code).toBe(0);
  expect(out).toContain('Note: Only 0 of 5 rows in de were made.');
});

test('tunesmith upload sends the columns of conversations, and the share of rows that may be unreadable', async () => {
  const { code, service } = await run([
    'upload',
    input,
    '--raw',
    '--chat',
    'turns',
    '--redact-personal-data',
    '--max-unreadable',
    '0.01',
  ]);

  expect(code).toBe(0);
  expect(service.bodiesOf(CREATE)).toMatchObject([
    {
      source: {
        processing_mode: 'raw',
        column_mapping: { chat: 'turns' },
        max_unreadable_share: 0.01,
        redact_personal_data: true,
      },
    },
  ]);
});

test('tunesmith adapt and status say what is done before the first row', async () => {
  const progress = { percent: 0, processed_rows: 0, total_rows: 1, stage: 'measuring_judge' };
  const measuring = () =>
    Response.json({ dataset_id: 'd1', status: 'running', row_count: 1, progress, error_data: null });
  const routes = {
    ...mainJob,
    [STATUS]: inTurn(status('awaiting_input', 1), measuring, status('succeeded', 1)),
  };

  const { error } = await run(adaptArguments(), routes);
  const { out } = await run(['status', 'd1'], { ...mainJob, [STATUS]: measuring });

  expect(error).toMatch(/Adapting 1 rows.*\nMeasuring how far the judge model can be believed/);
  expect(out).toContain('Measuring how far the judge model can be believed');
});

describe('tunesmith review', () => {
  const REVIEW = 'GET /api/v1/datasets/d1/review';
  const look = (value: string, silent: object[] = []) => ({
    status: value,
    ...{ program: 1, execution: 0, neighbours: 0, not_looked_at: 0, not_listed: 0 },
    silent,
  });
  const row = (fields: object) => ({
    row: 0,
    prompt: 'why',
    completion: 'because\u001b[31m',
    proposal: null,
    doubt: null,
    drawn_as: 'audit',
    ...fields,
  });
  const doubt = {
    probability: 0.94,
    reasons: [{ witness: 'program', kind: 'doubtful', message: 'The answer calculates wrongly: 1 + 1 = 3.' }],
  };
  const answered = (value: string, rows: object[], silent: object[] = []) =>
    Response.json({ dataset_id: 'd1', looked_at: look(value, silent), rows });
  const doubted = row({ doubt, drawn_as: 'doubtful', proposal: 'since' });
  const argv = () => ['review', input, '--prompt', 'q', '--completion', 'a'];

  test('tunesmith review uploads raw rows, and prints the doubted ones with the words of the witnesses', async () => {
    const silent = [{ witness: 'neighbours', code: 'no_embedding_model', message: 'There is none.' }];
    const { code, out, service } = await run(argv(), {
      ...mainJob,
      [REVIEW]: () => answered('done', [doubted, row({ row: 7 })], silent),
    });

    expect(code).toBe(0);
    expect(service.bodiesOf(CREATE)).toMatchObject([
      { source: { processing_mode: 'raw', column_mapping: { prompt: 'q', completion: 'a' } } },
    ]);
    expect(out).toContain('1 checked, 0 run as code, 0 compared with the others, 0 looked at by nobody.');
    expect(out).toContain('Note: similar rows: There is none.');
    expect(out).toContain('Row 0, wrong with a probability of 94 %');
    expect(out).toContain('checks: The answer calculates wrongly: 1 + 1 = 3.');
    expect(out).toContain('proposal    since');
    expect(out).not.toContain('Row 7');
    expect(out).not.toContain('\u001b');
  });

  test('tunesmith review waits until the witnesses have looked, and takes a dataset that is there', async () => {
    const { code, out, service } = await run(['review', '--dataset', 'd1'], {
      ...mainJob,
      [REVIEW]: inTurn(
        () => answered('looking', [row({})]),
        () => answered('done', [row({})]),
      ),
    });

    expect(code).toBe(0);
    expect(out).toContain('No row is doubted.');
    expect(service.calls().filter((call) => call.startsWith(REVIEW))).toHaveLength(2);
    expect(service.calls()).not.toContain(CREATE);
  });

  test('tunesmith review says what it needs: columns, files or a dataset, and time', async () => {
    const mapping = await run(['review', input], {
      ...mainJob,
      [REVIEW]: () => problem(400, 'column_mapping_required'),
    });
    const late = await run(['review', '--dataset', 'd1', '--timeout', '0'], {
      ...mainJob,
      [REVIEW]: () => answered('looking', []),
    });

    expect(mapping).toMatchObject({ code: 2, error: expect.stringContaining('--completion COLUMN') });
    // With the columns and the mapping that the service names.
    expect(mapping.error).toContain('or --chat COLUMN. It is column_mapping_required.');
    expect(late).toMatchObject({ code: 6, error: expect.stringContaining('still looking') });
    expect(await run(['review'])).toMatchObject({ code: 2, error: expect.stringContaining('file') });
    expect(await run([...argv(), '--dataset', 'd1'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('not both'),
    });
  });

  test('tunesmith review prints one document with --json, and says that nobody could look', async () => {
    const routes: Routes = { ...mainJob, [REVIEW]: () => answered('failed', []) };

    const { out } = await run(['--json', ...argv()], routes);

    expect(JSON.parse(out)).toMatchObject({ dataset_id: 'd1', looked_at: { status: 'failed' } });
    expect((await run(argv(), routes)).out).toContain('could not look');
  });
});

test('tunesmith adapt takes the mapping of a form that the service recognises, and asks for one where it does not', async () => {
  const dataset = (detected_format: object | null) => ({
    ...mainJob,
    'GET /api/v1/datasets/d1': () => Response.json({ dataset_id: 'd1', detected_format }),
  });
  const alpaca = { prompt: 'instruction', completion: 'output', context: ['input'] };
  const argv = ['adapt', input, '-o', output];

  const { code, service } = await run(argv, dataset({ name: 'alpaca', column_mapping: alpaca }));
  expect(code).toBe(0);
  expect(service.bodiesOf(ADAPT)).toMatchObject([{ column_mapping: alpaca }]);
  const pairs = { name: 'trl', column_mapping: { prompt: 'p', chosen: 'c', rejected: 'r', context: [] } };
  for (const found of [null, pairs]) {
    const refused = await run(argv, {
      ...dataset(found),
      [ADAPT]: () => problem(400, 'column_mapping_required'),
    });
    expect(refused.code).toBe(2);
    expect(refused.error).toContain('or --chat COLUMN. It is column_mapping_required.');
    expect(refused.service.bodiesOf(ADAPT)[0]).not.toHaveProperty('column_mapping');
  }
});

test('tunesmith adapt prints one JSON document and nothing else with --json', async () => {
  const { out, error } = await run([...adaptArguments(), '--json']);

  expect(JSON.parse(out)).toEqual({
    dataset_id: 'd1',
    run_id: 'r1',
    rows: 1,
    outcomes: rows,
    estimated_credits: 3,
    credits: 1,
    quality,
    console: `${SERVICE_URL}/console#/datasets/d1`,
    output,
    bytes: RESULT.length,
  });
  expect(error).toContain('Uploading\n');
});

test('tunesmith adapt tells no outcomes of a run that somebody else has started since', async () => {
  const { code, out } = await run(adaptArguments(), {
    ...mainJob,
    'GET /api/v1/datasets/d1/report': report('r2'),
  });

  expect(code).toBe(0);
  expect(out).not.toMatch(/changed|charged/);
  expect(out).toContain('Grade before');
});

test('repeated asks for the same run of the same dataset, and pays once', async () => {
  const first = await run(adaptArguments());
  const second = await run(adaptArguments());

  expect(second.code).toBe(0);
  expect(second.service.calls()).not.toContain(CREATE);
  expect(second.service.calls()).not.toContain(PUT);
  expect(keyOf(second.service.bodiesOf(ADAPT)[0])).toBe(keyOf(first.service.bodiesOf(ADAPT)[0]));
});

test('tunesmith adapt with other options or --new is another run', async () => {
  const key = async (...more: string[]) => {
    const { service } = await run([...adaptArguments(), ...more]);
    return { key: keyOf(service.bodiesOf(ADAPT)[0]), isNew: service.calls().includes(CREATE) };
  };
  const first = await key();
  const shorter = await key('--length', 'concise');

  expect(shorter).toEqual({ key: expect.not.stringMatching(first.key), isNew: false });
  expect((await key('--new')).isNew).toBe(true);
});

test('uploads again for another key, another file and a dataset that is gone', async () => {
  await run(adaptArguments());

  const otherKey = await run(adaptArguments(), mainJob, {
    env: { ...ENVIRONMENT, ADAPTION_API_KEY: 'pt_live_other' },
  });
  expect(otherKey.service.calls()).toContain(CREATE);
  const gone = await run(adaptArguments(), {
    ...mainJob,
    [STATUS]: inTurn(() => problem(404, 'dataset_not_found'), status('succeeded', 1)),
  });
  expect(gone.service.calls()).toContain(CREATE);
  await writeFile(input, 'q,a\nhow,so\n');
  expect((await run(adaptArguments())).service.calls()).toContain(CREATE);
});

test('tunesmith adapt after a run that failed starts another one', async () => {
  const failed = await run(adaptArguments(), {
    ...mainJob,
    [STATUS]: inTurn(
      status('awaiting_input', 1),
      status('failed', 1, {
        code: 'model_unavailable',
        message: 'The model does not answer.',
        level: 'error',
      }),
    ),
  });
  expect(failed).toMatchObject({ code: 5, error: expect.stringContaining('The model does not answer.') });

  const again = await run(adaptArguments(), { ...mainJob, [STATUS]: status('succeeded', 1) });

  expect(again.code).toBe(0);
  expect(again.service.calls()).not.toContain(CREATE);
  expect(keyOf(again.service.bodiesOf(ADAPT)[0])).not.toBe(keyOf(failed.service.bodiesOf(ADAPT)[0]));
});

test('tunesmith adapt that was interrupted while uploading goes on with the same dataset', async () => {
  const stop = new AbortController();
  const interrupted = await run(
    adaptArguments(),
    {
      ...mainJob,
      [PUT]: () => {
        stop.abort();
        throw new TypeError('terminated');
      },
    },
    { stop },
  );
  expect(interrupted).toMatchObject({ code: 130, error: expect.stringContaining('repeat the command') });
  expect(interrupted.service.calls()).not.toContain('DELETE /api/v1/datasets/d1');

  const again = await run(adaptArguments());

  expect(again.code).toBe(0);
  expect(again.service.calls()).not.toContain(CREATE);
  expect(again.service.calls()).toContain(PUT);
});

test('tunesmith adapt whose address for the upload has expired begins the upload anew', async () => {
  const stop = new AbortController();
  await run(adaptArguments(), { ...mainJob, [COMPLETE]: () => problem(400, 'upload_missing') }, { stop });
  const [name = ''] = await readdir(join(folder, 'state', 'uploads'));
  const path = join(folder, 'state', 'uploads', name);
  expect((await stat(path)).mode & 0o077).toBe(0);
  const kept = JSON.parse(await readFile(path, 'utf8'));
  kept.session.files[0].is_sent = false;
  await writeFile(path, JSON.stringify(kept));

  const { code, service } = await run(adaptArguments(), {
    ...mainJob,
    [PUT]: inTurn(
      () => new Response(null, { status: 403 }),
      () => new Response(null),
    ),
  });

  expect(code).toBe(0);
  expect(
    service.calls().filter((call) => [CREATE, PUT, 'DELETE /api/v1/datasets/d1'].includes(call)),
  ).toEqual([PUT, 'DELETE /api/v1/datasets/d1', CREATE, PUT]);
});

test('tunesmith adapt starts nothing that may cost more than --max-credits', async () => {
  const { code, service, error } = await run([...adaptArguments(), '--max-credits', '2']);

  expect(code).toBe(4);
  expect(error).toContain('--max-credits allows 2');
  expect(service.bodiesOf(ADAPT)).toEqual([expect.objectContaining({ estimate: true })]);
  expect((await run([...adaptArguments(), '--max-credits', '3'])).code).toBe(0);
});

test('tunesmith adapt sends the fields of --settings, with what options say instead', async () => {
  const settings = join(folder, 'settings.json');
  await writeFile(
    settings,
    JSON.stringify({
      column_mapping: { prompt: 'x', context: ['c'] },
      recipe_specification: { recipes: { deduplication: true } },
    }),
  );

  const { service } = await run([
    ...adaptArguments(),
    '--settings',
    settings,
    '--max-rows',
    '5',
    '--length',
    'detailed',
  ]);

  expect(service.bodiesOf(ADAPT)[0]).toMatchObject({
    column_mapping: { prompt: 'q', completion: 'a', context: ['c'] },
    recipe_specification: { recipes: { deduplication: true } },
    job_specification: { max_rows: 5 },
    brand_controls: { length: 'detailed' },
  });
});

test('tunesmith adapt never writes over its input', async () => {
  const { code, service } = await run(['adapt', input, '--prompt', 'q', '-o', input]);

  expect(code).toBe(2);
  expect(service.calls()).toEqual([]);
});

test('tunesmith adapt says that there is no file where it is given a dataset', async () => {
  const { code, error } = await run(['adapt', '2282c7f7-0000', '--prompt', 'q']);

  expect(code).toBe(1);
  expect(error).toContain('There is no file 2282c7f7-0000.');
});

test('tunesmith evaluate waits for no evaluation of a dataset without a run', async () => {
  const { code, error, service } = await run(['evaluate', 'd1'], {
    ...mainJob,
    [STATUS]: status('awaiting_input', 1),
  });

  expect(code).toBe(5);
  expect(error).toContain('No run of the dataset has rows to evaluate: adapt it first.');
  expect(service.calls()).toEqual([STATUS]);
});

test.each([
  ['rows.jsonl', 'jsonl'],
  ['rows.json', 'json'],
  ['rows', 'csv'],
])('tunesmith download writes %s as %s', async (name, format) => {
  const asked: string[] = [];
  const { code } = await run(['download', 'd1', '-o', join(folder, name)], {
    ...mainJob,
    'GET /api/v1/datasets/d1/download-link': (call) => {
      asked.push(call.query.get('fileFormat') ?? '');
      return Response.json({
        url: `${STORAGE_URL}/file`,
        file_name: name,
        expires_at: '2026-01-01T00:00:00Z',
      });
    },
  });

  expect(code).toBe(0);
  expect(asked).toEqual([format]);
});

test('tunesmith download writes no table into the file of a workbook', async () => {
  const { code, error, service } = await run(['download', 'd1', '-o', join(folder, 'rows.xlsx')]);

  expect(code).toBe(2);
  expect(error).toContain('Nothing is downloaded as .xlsx: name a .csv');
  expect(service.calls()).toEqual([]);
});

test('tunesmith adapt needs a file, and says where it stands beside --context', async () => {
  const { code, error } = await run(['adapt', '--prompt', 'q', '--context', 'text', 'rows.csv']);

  expect(code).toBe(2);
  expect(error).toContain('There is no file: name the files before --context, or put -- between them.');
});

describe('exit codes', () => {
  const datasets = 'GET /api/v1/datasets';
  /** What Amazon API Gateway answers before the service at this address. */
  const gateway = (base: string) => () =>
    Object.defineProperty(Response.json({ message: 'Forbidden' }, { status: 403 }), 'url', {
      value: `${base}/api/v1/datasets`,
    });
  test.each([
    [1, () => problem(400, 'invalid_request')],
    [3, () => problem(401, 'unauthorized')],
    [3, () => problem(403, 'scope_missing')],
    [4, () => problem(402, 'credits_insufficient')],
    [7, () => problem(503, 'service_unavailable', { 'retry-after': '0' })],
  ])('exit codes are %i for such a refusal, which --json prints as a document', async (code, respond) => {
    const refused = await run(['datasets', '--json'], { [datasets]: respond });

    expect(refused.code).toBe(code);
    const { status: answered } = respond();
    expect(JSON.parse(refused.out).error).toMatchObject({ status: answered, request_id: 'request-1' });
    expect(refused.error).toContain('(request request-1)');
  });

  test('exit codes are 3 for a key that is refused, before an agent is served', async () => {
    const { code, error } = await run(['mcp'], { 'GET /api/v1/me': () => problem(401, 'unauthorized') });

    expect(code).toBe(3);
    expect(error).toContain('request-1');
  });

  test.each([
    [['unknown']],
    [['adapt']],
    [['adapt', 'rows.csv', '--length', 'endless']],
    [['datasets', '--limit', 'many']],
    [['answer', 'm']],
    [['upload', 'rows.csv', '--raw']],
  ])('exit codes are 2 for the wrong usage %j', async (argv) => {
    const { code, service, error } = await run(argv);

    expect({ code, calls: service.calls() }).toEqual({ code: 2, calls: [] });
    expect(error.trim()).not.toBe('');
  });

  test('exit codes are 2 without a key or an address, and 0 for help', async () => {
    expect(
      (await run(['datasets'], mainJob, { env: { ...ENVIRONMENT, ADAPTION_API_KEY: '' } })).error,
    ).toContain('ADAPTION_API_KEY');
    expect((await run(['datasets'], mainJob, { env: { ...ENVIRONMENT, ADAPTION_BASE_URL: '' } })).code).toBe(
      2,
    );
    expect((await run(['--help'])).out).toContain('Exit codes:');
    expect((await run(['adapt', '--help'])).code).toBe(0);
  });

  test('exit codes are 2 for a column that is not there, which is told once, and for a base URL without its stage', async () => {
    const said = 'column_mapping.prompt: there is no column "qq" (did you mean "q"?)';
    const details = [
      { path: 'column_mapping.prompt', message: 'there is no column "qq" (did you mean "q"?)' },
    ];
    const unknown = () =>
      Response.json(
        { message: `${said}.`, code: 'column_unknown', details, request_id: 'r' },
        { status: 400 },
      );

    const refused = await run(adaptArguments(), { ...mainJob, [ADAPT]: unknown });

    expect(refused.code).toBe(2);
    expect(refused.error.split(said)).toHaveLength(2);
    expect(
      await run(['datasets'], { [datasets]: gateway('https://a1.execute-api.eu-west-1.amazonaws.com') }),
    ).toMatchObject({
      code: 2,
      error: expect.stringContaining('Check that the base URL ends with its stage'),
    });
  });

  test.each(['https://a1.execute-api.eu-west-1.amazonaws.com/prod', 'https://tunesmith.example.com'])(
    'exit codes are 3 where a policy or a firewall before %s does not allow a request',
    async (base) => {
      const refused = await run(['datasets', '--json'], { [datasets]: gateway(base) });

      expect(refused.code).toBe(3);
      expect(JSON.parse(refused.out).error).toMatchObject({ status: 403, code: 'not_allowed' });
      expect(refused.error).toContain('not allowed: a policy or a firewall before the service');
      expect((await run(['--help'])).out).toContain('3 not allowed');
    },
  );

  test('exit codes are 6 when the wait is over before the run', async () => {
    const running = { [STATUS]: status('running', 1) };

    expect(await run(['wait', 'd1', '--timeout', '0'], running)).toMatchObject({
      code: 6,
      error: expect.stringContaining('Wait again'),
    });
  });

  test('exit codes are 1 when a file cannot be read', async () => {
    expect((await run(['upload', join(folder, 'nothing.csv')])).code).toBe(1);
  });
});

test('download goes on where it was interrupted', async () => {
  const stop = new AbortController();
  const broken = { ...mainJob, 'GET /file': storedFile(RESULT, '"1"', 10, () => stop.abort()) };
  expect((await run(['download', 'd1', '-o', output], broken, { stop })).code).toBe(130);

  const { out } = await run(['download', 'd1', '-o', output, '--json']);

  expect(JSON.parse(out)).toEqual({ output, bytes: RESULT.length, resumed_bytes: 9 });
  expect(await readFile(output, 'utf8')).toBe(RESULT);
});

test('other commands answer prints the words as they come, or the response with --json', async () => {
  const events = [
    { type: 'response.output_text.delta', delta: 'Good ' },
    { type: 'response.output_text.delta', delta: 'day' },
    { type: 'response.completed', response: { id: 'resp_1' } },
  ];
  const stream = () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const routes = { 'POST /api/v1/responses': stream };

  const { out, service } = await run(['answer', 'm', '--dataset', 'd1', 'd2', '--', 'Say', 'hello'], routes);

  expect(out).toBe('Good day\n');
  expect(service.bodiesOf('POST /api/v1/responses')).toEqual([
    {
      model: 'm',
      input: 'Say hello',
      tools: [{ type: 'file_search', dataset_ids: ['d1', 'd2'] }],
      stream: true,
    },
  ]);
  const json = await run(['answer', 'm', '--json'], routes, { stdin: 'From a pipe' });
  expect(JSON.parse(json.out)).toEqual({ id: 'resp_1' });
  expect(json.service.bodiesOf('POST /api/v1/responses')).toEqual([
    { model: 'm', input: 'From a pipe', stream: true },
  ]);
});

test('other commands train waits, downloads the model, and is started once while it is active', async () => {
  const training = {
    id: 't1',
    status: 'succeeded',
    iterations_completed: 1,
    max_iterations: 3,
    best_win_rate: 0.8,
  };
  const routes = {
    'POST /api/v1/autoscientist': () => Response.json({ ...training, status: 'pending' }, { status: 202 }),
    'GET /api/v1/autoscientist/t1': () => Response.json(training),
    'GET /api/v1/autoscientist/t1/download-link': () =>
      Response.json({
        url: `${STORAGE_URL}/file`,
        file_name: 'model.tar.gz',
        expires_at: '2026-01-01T00:00:00Z',
      }),
    'GET /file': storedFile('weights', '"1"'),
  };

  const { code, out, service } = await run(['train', 'd1', '--model', 'base', '-o', output], routes);

  expect({ code, out }).toEqual({
    code: 0,
    out: [
      't1 succeeded, iteration 1 of at most 3, best win rate 0.8',
      `Look at the training:  ${SERVICE_URL}/console#/trainings/t1`,
      `The model:             ${output}`,
      '',
    ].join('\n'),
  });
  expect(await readFile(output, 'utf8')).toBe('weights');
  expect((await run(['wait', 't1', '--training'], routes)).out).toContain(
    'Download the model:    npx tunesmith download t1 --training\n',
  );
  const again = await run(['train', 'd1', '--model', 'base', '--no-wait', '--json'], routes);
  expect(again.service.bodiesOf('POST /api/v1/autoscientist')).toEqual(
    service.bodiesOf('POST /api/v1/autoscientist'),
  );
  expect(JSON.parse(again.out)).toMatchObject({ status: 'pending' });
  const augmented = await run(
    ['train', 'd1', '--no-wait', '--domain-rows', '200', '--general-rows', '50'],
    routes,
  );
  expect(augmented.service.bodiesOf('POST /api/v1/autoscientist')).toMatchObject([
    { augmentation_domain_rows: 200, augmentation_general_rows: 50 },
  ]);
});

test('other commands models lists one model a line, and the document with --json', async () => {
  const data = [
    { id: 'small', object: 'model', created: 0, owned_by: 'hosted', shutdown_date: '2027-01-31' },
    { id: 'stack:support', object: 'model', created: 1, owned_by: 'team', display_name: 'Support' },
  ];
  const asked: (string | null)[] = [];
  const routes: Routes = {
    'GET /api/v1/models': ({ query }) => {
      asked.push(query.get('type'));
      return Response.json({ object: 'list', data });
    },
  };

  expect((await run(['models'], routes)).out).toBe(
    'small          hosted  answers until 2027-01-31\nstack:support  team    Support\n',
  );
  expect(JSON.parse((await run(['models', '--hosted', '--json'], routes)).out).data).toEqual(data);
  expect(asked).toEqual([null, 'hosted']);
});

test('other commands estimate starts nothing', async () => {
  const { out, service } = await run(['estimate', 'd1', '--prompt', 'q']);

  expect(out).toBe('3 credits, about 1 minutes\n');
  expect(service.bodiesOf(ADAPT)).toEqual([{ column_mapping: { prompt: 'q' }, estimate: true }]);
});

describe('completion', () => {
  /** What bash proposes for the last of the words. */
  async function proposed(...words: string[]): Promise<string[]> {
    const { out } = await run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(tunesmith ${words.join(' ')})\nCOMP_CWORD=${words.length}\n_tunesmith\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' })
      .split('\n')
      .filter((word) => word !== '');
  }

  test('completion in bash proposes commands, their options and shells', async () => {
    expect(await proposed('da')).toEqual(['datasets']);
    expect(await proposed('adapt', '--comp')).toEqual(['--completion']);
    expect(await proposed('datasets', '--')).toEqual(['--limit', '--search', '--base-url', '--json']);
    expect(await proposed('completion', 'z')).toEqual(['zsh']);
    expect(await proposed('adapt', 'row')).toEqual([]);
  });

  test.each(['zsh', 'fish'])('completion in %s knows every command', async (shell) => {
    const { out } = await run(['completion', shell]);

    for (const command of [
      'adapt',
      'upload',
      'check',
      'status',
      'wait',
      'download',
      'evaluate',
      'estimate',
      'datasets',
      'answer',
      'train',
    ])
      expect(out).toContain(command);
    expect(out).toContain('max-credits');
  });
});

describe('tunesmith events', () => {
  const eventAt = (position: number, dataset_id: string | null) => ({
    id: `evt_${position}`,
    type: 'run.ended',
    schema_version: 1,
    created_at: '2026-03-01T12:00:00.000Z',
    dataset_id,
    sequence: position,
    position,
    data: { run_id: 'r1', status: 'succeeded', error_code: null },
  });
  const routesUntil = (stop: AbortController): Routes => ({
    'GET /api/v1/events': ({ headers }) => {
      expect(headers.get('last-event-id')).toBe('3');
      const messages = [eventAt(4, 'd1'), eventAt(5, 'd2')].map(
        (each) => `data: ${JSON.stringify(each)}\n\n`,
      );
      let sent = 0;
      return new Response(
        new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull(controller) {
              const message = messages[sent];
              sent += 1;
              if (message !== undefined) return controller.enqueue(new TextEncoder().encode(message));
              stop.abort();
              controller.error(new TypeError('terminated'));
            },
          },
          { highWaterMark: 0 },
        ),
      );
    },
  });

  test.each([
    [[], '4 2026-03-01T12:00:00.000Z run.ended d1 run_id=r1 status=succeeded\n', 2],
    [['--dataset', 'd2'], '5 2026-03-01T12:00:00.000Z run.ended d2 run_id=r1 status=succeeded\n', 1],
    [['--json'], `${JSON.stringify(eventAt(4, 'd1'))}\n`, 2],
  ])(
    'tunesmith events prints what comes, a line each, until it is interrupted (%j)',
    async (options, first, lines) => {
      const stop = new AbortController();
      const { out, code } = await run(['events', '--after', '3', ...options], routesUntil(stop), { stop });

      expect(out.slice(0, first.length)).toBe(first);
      expect(out.split('\n')).toHaveLength(lines + 1);
      expect(code).toBe(0);
    },
  );
});
