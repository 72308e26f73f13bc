import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { formatApiKey } from '#shared/access/decide/api-key.ts';
import type { Account } from '#shared/access/schema/account.ts';
import type { CreditUsage, LedgerPage } from '#shared/access/schema/credits.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { createTable, updateItem } from '#shared/platform/store/table.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const connect = (key: string): ApiClient => createApiClient(cloud.apiUrl, key);

const CSV = 'q,a\nwhy is it so row-1,because it is\n';
const MAPPING = { column_mapping: { prompt: 'q', completion: 'a' } };

const closed = contracts.filter(({ scope }) => scope !== null);
const scoped = closed.filter(({ scope }) => scope !== 'any');
const ofOneDataset = closed.filter(({ path }) => path.includes('{dataset_id}'));

const ask = (client: ApiClient, { id, method, path }: (typeof contracts)[number], datasetId: string) =>
  client.send(
    method,
    path.replace('{dataset_id}', datasetId).replace('{row}', '0').replace('{version}', '1') +
      (id === 'datasets.diff' ? '?from=1&to=2' : ''),
    bodies[id],
  );

describe('the running API, for every route of the contracts', () => {
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const unknownKey = formatApiKey(randomBytes(32));
  let owned = '';
  let owner: ApiClient;
  let reader: ApiClient;
  let writer: ApiClient;
  let stranger: ApiClient;

  beforeAll(async () => {
    await admin.run('plan', 'set', 'open', '--requests-per-second', '1000');
    owner = connect(await admin.createKey('access-owner', '--plan', 'open', '--credits', '10'));
    owned = await owner.upload('owned.csv', CSV);
    await owner.untilRead(owned);
    reader = connect(await admin.createKey('access-owner', '--scopes', 'datasets:read'));
    writer = connect(await admin.createKey('access-owner', '--scopes', 'datasets:write'));
    stranger = connect(await admin.createKey('access-stranger', '--plan', 'open', '--credits', '10'));
  });

  test.concurrent.each(closed)(
    '$id answers a missing, a malformed and an unknown key with a 401 that says which and who issues keys',
    async (contract) => {
      const seen = await Promise.all(
        ['', 'pt_live_wrong', unknownKey].map(async (key) => {
          const { status, problem, headers } = await ask(connect(key), contract, owned);
          expect([status, problem.code, headers.get('www-authenticate')]).toEqual([
            401,
            'unauthorized',
            'Bearer',
          ]);
          expect(problem.message).toContain('npm run admin -- key create');
          return problem.message;
        }),
      );
      expect(seen[0]).toMatch(/missing or malformed/);
      expect(seen[1]).toBe(seen[0]);
      expect(seen[2]).toMatch(/unknown or has been revoked/);
    },
  );

  test('an unknown and a revoked key are answered alike', async () => {
    const revoked = await admin.createKey('access-owner');
    const listed = await admin.run('key', 'list', '--team', 'access-owner');
    const line = listed.find((each) => revoked.endsWith(each.split(/\s+/)[1] ?? '-')) ?? '';
    await admin.run('key', 'revoke', line.split(/\s+/)[0] ?? '', '--team', 'access-owner');
    const [first, second] = await Promise.all(
      [revoked, unknownKey].map(async (key) => {
        const { status, problem } = await connect(key).send('GET', '/api/v1/datasets');
        return { status, ...problem, request_id: '' };
      }),
    );
    expect(first).toEqual(second);
  });

  test.each(['PUT', 'PATCH'])(
    '%s on a known path is a 405 that lists the methods it takes',
    async (method) => {
      const answer = await owner.send(method, `/api/v1/datasets/${owned}`);
      expect([answer.status, answer.problem.code]).toEqual([405, 'method_not_allowed']);
      expect(answer.headers.get('allow')).toBe('DELETE, GET');
      expect(answer.headers.get('x-request-id')).toBe(answer.problem.request_id);
    },
  );

  test.each(['/chat/completions', '/v1/chat/completions'])(
    'POST %s is told of /api/v1/chat/completions',
    async (path) => {
      const answer = await owner.send('POST', path, { model: 'scripted', messages: [] });
      expect([answer.status, answer.problem.code]).toEqual([404, 'route_not_found']);
      expect(answer.problem.message).toContain('/api/v1/chat/completions');
    },
  );

  test('a path that is nothing, and the root, are a 404', async () => {
    for (const path of ['/nothing', '/api/v1', '/']) {
      const answer = await owner.send('GET', path);
      expect([path, answer.status, answer.problem.code]).toEqual([path, 404, 'route_not_found']);
    }
  });

  test('the running API, for every route of the contracts malformed JSON is refused with its line and column', async () => {
    const answer = await owner.send('POST', '/api/v1/datasets', '{\n  "source": {"name": "a.csv",}\n}');
    expect([answer.status, answer.problem.code]).toEqual([400, 'malformed_json']);
    expect(answer.problem.details).toMatchObject([{ path: 'body', line: 2, column: 30 }]);
  });

  test.concurrent.each(scoped)(
    '$id answers a key without its scope with a 403 that names the scope',
    async (contract) => {
      const answer = await ask(contract.scope === 'datasets:read' ? writer : reader, contract, owned);
      expect(answer.status).toBe(403);
      expect(answer.problem.code).toBe('scope_missing');
      expect(answer.problem.message).toContain(contract.scope);
    },
  );

  test.concurrent.each(ofOneDataset)(
    '$id hides another team’s dataset as if it were missing',
    async (contract) => {
      const seen: object[] = [];
      // One after the other, so that one process of the function answers them all.
      for (const id of [owned, UNKNOWN, 'no-uuid', 'a%20b']) {
        const { status, problem, headers } = await ask(stranger, contract, id);
        const { request_id, ...rest } = problem;
        expect(headers.get('x-request-id')).toBe(request_id);
        seen.push({ status, ...rest });
      }
      expect(seen[0]).toMatchObject({ status: 404, code: 'dataset_not_found' });
      for (const other of seen) expect(other).toEqual(seen[0]);
    },
  );

  test('the running API, for every route of the contracts lists hold nothing of another team', async () => {
    const { body } = await stranger.send<{ datasets: object[] }>('GET', '/api/v1/datasets');
    expect(body.datasets).toEqual([]);
  });

  test('another team’s upload cannot be completed', async () => {
    const { body } = await writer.send<{ s3_key: string }>(
      'POST',
      '/api/v1/datasets/upload/initiate',
      bodies['datasets.uploads.initiate'],
    );
    const answer = await stranger.send('POST', '/api/v1/datasets/upload/complete', {
      ...(bodies['datasets.uploads.complete'] as object),
      s3_key: body.s3_key,
    });
    expect(answer.status).toBe(400);
    expect(answer.problem.code).toBe('upload_missing');
  });
});

test('a run that costs more than there is gets a 402 with both sums and changes nothing', async () => {
  const team = connect(await admin.createKey('access-poor', '--plan', 'open', '--credits', '1'));
  const rows = Array.from({ length: 101 }, (_, n) => `question row-${n},answer`).join('\n');
  const datasetId = await team.upload('many.csv', `q,a\n${rows}\n`);
  await team.untilRead(datasetId);
  const { status, problem } = await team.send('POST', `/api/v1/datasets/${datasetId}/adapt`, MAPPING);
  expect(status).toBe(402);
  expect(problem).toMatchObject({ code: 'credits_insufficient', details: [{ needed: 2, available: 1 }] });
  expect(await admin.run('holds', 'list', '--team', 'access-poor', '--all')).toHaveLength(1);
  expect((await team.get(datasetId)).configured_column_mapping).toBeNull();
});

test('credits and plans are told by the account, the ledger and the usage of the team', async () => {
  const team = connect(await admin.createKey('access-books', '--plan', 'open', '--credits', '10'));
  const datasetId = await team.upload('few.csv', CSV);
  await team.untilRead(datasetId);
  await team.adapt(datasetId, MAPPING);
  await team.untilEnded(datasetId);

  const { body: account } = await team.send<Account>('GET', '/api/v1/me');
  const { body: first } = await team.send<LedgerPage>('GET', '/api/v1/credits/ledger?limit=2');
  const rest = `/api/v1/credits/ledger?cursor=${first.next_cursor}`;
  const { body: second } = await team.send<LedgerPage>('GET', rest);
  const { body: usage } = await team.send<CreditUsage>('GET', '/api/v1/credits/usage?days=2');

  expect(account.balance).toEqual({ granted: 10, settled: 1, held: 0, available: 9, active_runs: 0 });
  expect(first.entries.map(({ type, dataset_id }) => [type, dataset_id])).toEqual([
    ['settle', datasetId],
    ['reserve', datasetId],
  ]);
  expect(second).toMatchObject({ entries: [{ type: 'grant', credits: 10 }], next_cursor: null });
  expect(usage.total).toMatchObject({ runs: { runs: 1, credits: 1 }, answers: { answers: 0 } });
});

test('requests beyond the plan’s rate get a 429 that says when to come back, and then pass', async () => {
  await admin.run('plan', 'set', 'two', '--requests-per-second', '2');
  const team = connect(await admin.createKey('access-slow', '--plan', 'two'));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => team.send('GET', '/api/v1/datasets?limit=1')),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, problem } of refused) {
    expect(problem.code).toBe('rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
  await sleep(1100 * Number(refused[0]?.headers.get('retry-after')));
  expect((await team.send('GET', '/api/v1/datasets?limit=1')).status).toBe(200);
});

describe('the administrator’s commands, as they are typed', () => {
  interface Ended {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
  }
  const type = (...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const options = { cwd: repositoryRoot, env: { ...process.env, ...cloud.environment } };
      execFile('npm', ['run', '--silent', 'admin', '--', ...args], options, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });

  test('key create prints the key alone, which works at once and dies when it is revoked', async () => {
    const made = await type('key', 'create', '--team', 'access-typed', '--credits', '7');
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^pt_live_\S+\n$/);
    const key = made.stdout.trim();
    expect((await connect(key).send('GET', '/api/v1/datasets')).status).toBe(200);

    // The answer for this key is remembered for as long as the authorizer says, so a fresh one shows the effect.
    const second = await admin.createKey('access-typed');
    const listed = await admin.run('key', 'list', '--team', 'access-typed');
    const line = listed.find((each) => second.endsWith(each.split(/\s+/)[1] ?? '-')) ?? '';
    const revoked = await type('key', 'revoke', line.split(/\s+/)[0] ?? '', '--team', 'access-typed');
    expect(revoked).toMatchObject({ code: 0, stderr: '' });
    expect((await connect(second).send('GET', '/api/v1/datasets')).status).toBe(401);
    expect((await connect(key).send('GET', '/api/v1/datasets')).status).toBe(200);
  });

  test('ledger check ends with 0 while every sum is right, and with 1, naming the team, when one is not', async () => {
    await admin.createKey('access-audited', '--credits', '5');
    const good = await type('ledger', 'check', '--team', 'access-audited');
    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(/access-audited +5 +0 +0 +5 +holds/);

    const teamId = (await admin.run('team', 'create', 'access-audited'))[0] ?? '';
    const change = (credits: number) =>
      updateItem(createTable(cloud.tableName), {
        Key: keys.balance(teamId),
        UpdateExpression: 'ADD available :credits',
        ExpressionAttributeValues: { ':credits': credits },
      });
    await change(1);
    const bad = await type('ledger', 'check', '--team', 'access-audited');
    await change(-1);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('BROKEN');
    expect(bad.stdout).toContain(`Team "access-audited" (${teamId})`);
  });

  test('a command that cannot be done says what to do and ends with 1', async () => {
    const ended = await type('credits', 'grant', '--team', 'nobody', '--credits', '1', '--reason', 'x');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/There is no team "nobody". List them: team list/);
  });
});
