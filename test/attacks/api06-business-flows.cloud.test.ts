import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { storm } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const MAPPING = { column_mapping: { prompt: 'q', completion: 'a' } };
const PLAN = ['--plan', 'flows'];
const CSV = 'q,a\nwhy is it so row-1,because it is\n';

beforeAll(async () => {
  await admin.run('plan', 'set', 'flows', '--requests-per-second', '1000', '--runs-at-once', '2');
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair', latencyMilliseconds: 200 });
});

const connect = async (team: string, credits: string): Promise<ApiClient> =>
  createApiClient(cloud.apiUrl, await admin.createKey(team, ...PLAN, '--credits', credits));

async function datasets(api: ApiClient, count: number): Promise<string[]> {
  const ids = await storm(count, 4, (n) => api.upload(`${n}.csv`, CSV));
  await Promise.all(ids.map((id) => api.untilRead(id)));
  return ids;
}

test('one credit pays one of the launches that come at once', async () => {
  const api = await connect('spending', '1');
  const ids = await datasets(api, 2);

  const answers = await storm(12, 12, (n) =>
    api.send('POST', `/api/v1/datasets/${ids[n % ids.length]}/adapt`, MAPPING),
  );

  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  const codes = answers.flatMap((answer) => (answer.status < 300 ? [] : [answer.problem.code]));
  expect(
    codes.every((code) => ['credits_insufficient', 'dataset_running', 'runs_limit_reached'].includes(code)),
  ).toBe(true);
  await Promise.all(ids.map(async (id) => (await api.get(id)).status === 'running' && api.untilEnded(id)));
  expect(await admin.ledgerFaults('spending')).toEqual([]);
  expect((await admin.run('ledger', 'check', '--team', 'spending')).at(-1)).toMatch(/ 1 +1 +0 +0 +holds$/);
});

test('a key of idempotency launches once, however often it is sent at once', async () => {
  const api = await connect('repeating', '50');
  const [id = ''] = await datasets(api, 1);
  const idempotency_key = crypto.randomUUID();

  const answers = await storm(12, 12, () =>
    api.send<{ run_id: string }>('POST', `/api/v1/datasets/${id}/adapt`, {
      ...MAPPING,
      job_specification: { idempotency_key },
    }),
  );

  const launched = answers.filter(({ status }) => status < 300).map(({ body }) => body.run_id);
  expect(launched.length).toBeGreaterThan(0);
  expect(new Set(launched).size).toBe(1);
  await api.untilEnded(id);
  expect((await admin.run('ledger', 'check', '--team', 'repeating')).at(-1)).toMatch(/ 50 +1 +0 +49 +holds$/);
});

test('a plan’s runs at once hold for launches that come at once', async () => {
  const api = await connect('launching', '50');
  const ids = await datasets(api, 3);

  const answers = await storm(3, 3, (n) => api.send('POST', `/api/v1/datasets/${ids[n]}/adapt`, MAPPING));

  expect(answers.filter(({ status }) => status < 300).length).toBeLessThanOrEqual(2);
  expect(answers.some(({ status }) => status === 429)).toBe(true);
  await Promise.all(ids.map(async (id) => (await api.get(id)).status === 'running' && api.untilEnded(id)));
  expect(await admin.ledgerFaults('launching')).toEqual([]);
});
