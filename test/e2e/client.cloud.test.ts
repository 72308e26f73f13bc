import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tunesmith-client-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Teams that the Python tests act as. */
async function issueKeys(): Promise<Record<string, string>> {
  const admin = createCloudAdmin(cloud);
  await admin.run('pool', 'load');
  await admin.run('voucher', 'create', 'HALF', '--percent', '50');
  await admin.run('plan', 'set', 'slow', '--requests-per-second', '8');
  await admin.run('plan', 'set', 'small', '--runs-at-once', '1', '--rows-per-launch', '3');
  return {
    reader: await admin.createKey('local', '--scopes', 'datasets:read'),
    poor: await admin.createKey('client-poor'),
    hurried: await admin.createKey('client-hurried', '--plan', 'slow'),
    limited: await admin.createKey('client-limited', '--plan', 'small', '--credits', '10'),
    stranger: await admin.createKey('client-stranger'),
    pager: await admin.createKey('client-pager'),
  };
}

test('the public Python client, unmodified and strict, finds every operation as it expects it', async () => {
  await query(
    `COPY (SELECT n AS id, 'how do i do thing row-' || n AS question, 'do it' AS answer FROM range(5) t(n))
     TO '${folder}/pairs.parquet' (FORMAT parquet)`,
  );
  const args = ['-m', 'pytest', '-q', '--tb=short', '-p', 'no:cacheprovider', 'test/e2e/client'];
  const { code, output } = await runPython(args, {
    ...cloud.environment,
    E2E_FIXTURES: folder,
    E2E_MODEL_URL: cloud.modelUrl,
    E2E_HUB: JSON.stringify(cloud.hub),
    E2E_KEYS: JSON.stringify(await issueKeys()),
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ passed/);
  expect(output).not.toMatch(/skipped|xfailed/);

  const rows = JSON.parse(await readFile(join(folder, 'downloaded.json'), 'utf8')) as object[];
  expect(rows).toHaveLength(12);
  const none = { prompt_safety_issues: null, response_safety_issues: null };
  expect(await query(`SELECT * FROM '${folder}/downloaded.parquet'`)).toEqual(
    rows.map((row) => ({ ...row, ...none })),
  );
}, 600_000);
