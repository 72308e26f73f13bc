import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ModelResponse } from '#shared/responses/schema/response.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { storm, watchLog } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const connect = async (team: string, ...args: string[]): Promise<ApiClient> =>
  createApiClient(cloud.apiUrl, await admin.createKey(team, ...args));
const RESPONSES = '/api/v1/responses';

beforeEach(() => model.setScript({ judge: 'fair' }));
afterEach(() => model.setScript({ judge: 'fair' }));

/** Numbers of `usage`: what all answers came to, and what was billed for them. */
async function usageOf(team: string): Promise<{ cost: number; billed: number; answers: number }> {
  const line = (await admin.run('usage', '--team', team)).at(-1) ?? '';
  const numbers = line.match(/[\d.]+/g)?.map(Number) ?? [];
  return { answers: numbers[0] ?? 0, cost: numbers.at(-2) ?? 0, billed: numbers.at(-1) ?? 0 };
}

describe('credits', () => {
  test('100 answers on one credit, each of which calls a tool for ever, leave nothing unbilled', async () => {
    const api = await connect('one-credit', '--credits', '1');
    const input = `again and again ${'x'.repeat(12_000)}\ncall echo {"message":"more"}`;
    const tools = [
      { type: 'mcp', server_label: 'own', server_url: cloud.toolServerUrl, require_approval: 'never' },
    ];

    const answers = await storm(100, 16, () =>
      api.send<ModelResponse>('POST', RESPONSES, {
        model: 'scripted',
        input,
        tools,
        max_output_tokens: 2000,
      }),
    );

    const { requests } = await model.stats();
    const { answers: billed, cost, billed: credits } = await usageOf('one-credit');
    const refused = answers.filter(({ status }) => status >= 400);
    // Some of them meet on the plan's tokens of the minute.
    const expected = ['credits_insufficient', 'rate_limited'];
    const others = refused.filter(({ problem }) => !expected.includes(problem.code));
    expect(others.map(({ text }) => text)).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    expect(billed).toBeGreaterThan(0);
    expect(requests).toBeGreaterThan(1);
    // A call reads the prompt of 12,000 characters, which are 3,000 tokens here, at 5 credits a million.
    expect(requests).toBeLessThanOrEqual(1 / 0.015);
    expect(cost).toBeLessThanOrEqual(1);
    expect(credits).toBe(cost);
    expect(await admin.ledgerFaults('one-credit')).toEqual([]);
    expect((await searchCloud(cloud, 'answer not billed')).found).toEqual([]);
  });

  test('without any, a prompt of 200 KB reaches no model', async () => {
    const api = await connect('no-credit');
    const answers = await storm(20, 10, () =>
      api.send('POST', RESPONSES, { model: 'scripted', input: 'x'.repeat(200_000) }),
    );

    // Some of them meet on the plan's tokens of the minute.
    const codes = answers.map(({ problem }) => problem.code);
    expect(codes).toContain('credits_insufficient');
    expect(codes.filter((code) => code !== 'credits_insufficient' && code !== 'rate_limited')).toEqual([]);
    expect((await model.stats()).requests).toBe(0);
  });
});

/** Hours of the clock that there are from now on: a storm that an hour ends in has two allowances. */
function hoursUntilNow(): () => number {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  const first = hour();
  return () => hour() - first + 1;
}

describe('what runs at once, and what costs nothing', () => {
  test('20 polls of a download start one build', async () => {
    const api = await connect('polling');
    const datasetId = await api.upload('polled.csv', 'q,a\nwhy,because\n');
    await api.untilRead(datasetId);
    const readLog = await watchLog(cloud);

    const answers = await storm(20, 20, () =>
      api.send('GET', `/api/v1/datasets/${datasetId}/download?fileFormat=parquet`),
    );

    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const builds = async () =>
      (await readLog())
        .split('\n')
        .filter(
          (line) =>
            line.includes(datasetId) && line.includes('"task":"tunesmith-local-tasks-exports-build-export"'),
        ).length;
    // A build that has begun may not be in the log yet.
    await expect.poll(builds, { timeout: 60_000 }).toBeGreaterThan(0);
    await api.download(datasetId, 'parquet');
    expect(await builds()).toBe(1);
  });

  test('a team has as many answers under way as its plan says', async () => {
    await admin.run('plan', 'set', 'three', '--responses-at-once', '3', '--requests-per-second', '1000');
    const api = await connect('crowding', '--plan', 'three', '--credits', '100');
    await model.setScript({ judge: 'fair', pauseMilliseconds: 100 });
    const ask = () => api.send('POST', RESPONSES, { model: 'scripted', input: 'count 900' });

    const held = [ask(), ask(), ask()];
    await expect.poll(async () => (await model.stats()).inFlight, { timeout: 60_000 }).toBe(3);
    const refused = await storm(12, 12, ask);
    const { inFlightMax } = await model.stats();
    await model.setScript({ judge: 'fair' });

    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(inFlightMax).toBe(3);
    for (const { status, problem } of refused) {
      expect([status, problem.code, problem.details[0]?.path]).toEqual([
        429,
        'rate_limited',
        'responses_at_once',
      ]);
    }
  });

  test('topics are inferred as often in an hour as the plan says, however little a team can pay', async () => {
    await admin.run(
      'plan',
      'set',
      'few',
      '--topic-inferences-per-hour',
      '2',
      '--requests-per-second',
      '1000',
    );
    const api = await connect('guessing', '--plan', 'few');
    const body = { rows: 10, dataset_prompt: 'Questions of patients about medicine and their symptoms' };

    const hours = hoursUntilNow();
    const answers = await storm(20, 10, (n) =>
      api.send('POST', '/api/v1/datasets/invent', { ...body, estimate: n % 2 === 0 }),
    );

    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeLessThanOrEqual(18);
    expect(limited.length).toBeGreaterThanOrEqual(20 - 2 * hours());
    expect(limited[0]?.problem.details[0]).toMatchObject({ path: 'topic_inferences_per_hour', limit: 2 });
  });

  test('custom evaluations are started as often in an hour as the plan says, all at once or not', async () => {
    await admin.run('plan', 'set', 'rare', '--custom-evals-per-hour', '2', '--requests-per-second', '1000');
    const api = await connect('judging', '--plan', 'rare', '--credits', '100');
    const rows = Array.from({ length: 4 }, (_, n) => ({ question: `how do i do row-${n}`, answer: 'do it' }));
    const datasetId = await api.upload('few.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    await api.untilRead(datasetId);
    await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
    expect(await api.untilEnded(datasetId)).toMatchObject({ status: 'succeeded' });
    const judge_prompt = 'Score from 0 to 10: ten for an answer in steps, zero for one that only says that.';

    const hours = hoursUntilNow();
    const answers = await storm(20, 20, () =>
      api.send('POST', `/api/v1/datasets/${datasetId}/custom-evals`, { judge_prompt }),
    );

    const allowed = 2 * hours();
    expect(answers.filter(({ status }) => status === 202).length).toBeLessThanOrEqual(allowed);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20 - allowed);
  });
});

describe('files made to exhaust', () => {
  let api: ApiClient;
  beforeAll(async () => {
    api = await connect('exhausting');
  });

  const brackets = '['.repeat(200_000);
  test.each([
    ['deep.json', brackets],
    ['deep.jsonl', `{"a":${'{"a":'.repeat(100_000)}`],
    ['quote.csv', `q,a\n"${'x\n'.repeat(500_000)}`],
    ['columns.csv', `${','.repeat(50_000)}\n`],
    ['footer.parquet', `PAR1${'\xff'.repeat(400_000)}\x80\x1a\x06\x00PAR1`],
    ['bomb.xlsx', 'PK\x03\x04not a zip at all'],
  ])('%s is refused, and says why, within seconds', async (name, content) => {
    const begun = performance.now();
    const created = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
      'POST',
      '/api/v1/datasets',
      { source: { name } },
    );
    const { dataset_id, upload_instructions: instructions } = created.body;
    const bytes = Buffer.from(content, 'latin1');
    await fetch(instructions.url, { method: 'PUT', body: bytes });
    const completed = await api.send('POST', `/api/v1/datasets/${dataset_id}/upload/complete`, {
      file_size_bytes: bytes.length,
    });

    const refusal =
      completed.status === 200 ? (await api.untilRead(dataset_id)).error_data?.code : completed.problem.code;
    expect(refusal).toMatch(/^[a-z_]+$/);
    expect(refusal).not.toMatch(/internal_error|service_unavailable|run_interrupted/);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

test('an upload URL takes a file of the size that was announced, and none that is larger', async () => {
  const api = await connect('overfilling');
  const { body } = await api.send<{ uploads: { upload_url: string }[] }>(
    'POST',
    '/api/v1/datasets/upload/initiate-batch',
    { name: 'small', files: [{ file_name: 'a.csv', file_format: 'csv', file_size_bytes: 8 }] },
  );
  const [{ upload_url: url = '' } = {}] = body.uploads;

  expect((await fetch(url, { method: 'PUT', body: 'x'.repeat(5_000_000) })).status).toBe(403);
  expect((await fetch(url, { method: 'PUT', body: 'a,b\n1,2\n' })).status).toBe(200);
});

test('lengths and numbers beyond every limit are refused and break nothing', async () => {
  const api = await connect('exceeding');
  const tries: [string, string, unknown, number][] = [
    ['POST', RESPONSES, { model: 'scripted', input: 'x'.repeat(5_000_000) }, 413],
    ['POST', RESPONSES, { model: 'scripted', input: 'Hi', max_output_tokens: 1e12 }, 400],
    ['POST', '/api/v1/datasets/invent', { rows: 1e15, domains: ['medical'], estimate: true }, 403],
    ['GET', '/api/v1/datasets?limit=1000000', undefined, 400],
    ['GET', `/api/v1/datasets?name_contains=${'%25'.repeat(500)}`, undefined, 400],
    ['POST', '/api/v1/datasets', `{"source":${'['.repeat(100_000)}`, 400],
  ];
  for (const [method, path, body, status] of tries) {
    expect([path.slice(0, 60), (await api.send(method, path, body)).status]).toEqual([
      path.slice(0, 60),
      status,
    ]);
  }
});
