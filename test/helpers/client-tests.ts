import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';
import { createCloudAdmin } from './cloud-admin.ts';
import type { TestCloud } from './cloud-setup.ts';
import { runPython } from './run-python.ts';

const FOLDER = 'test/e2e/client';

export async function queryFile(sql: string): Promise<Record<string, unknown>[]> {
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
async function issueKeys(cloud: TestCloud): Promise<Record<string, string>> {
  const admin = createCloudAdmin(cloud);
  await admin.run('pool', 'load');
  const vouchers = await admin.run('voucher', 'list');
  if (!vouchers.some((line) => line.includes('HALF'))) {
    await admin.run('voucher', 'create', 'HALF', '--percent', '50');
  }
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

/** A half of the tests with the public client: each half runs on a cloud of its own. */
export type Half = 'first' | 'second';

/** The files of the first half; all others are of the second. */
const FIRST = [
  'adaptation',
  'controls',
  'modes',
  'invent',
  'documents',
  'expand',
  'errors',
  'combine',
  'lint',
];

/** Runs a half of the tests with the public Python client, unmodified and strict; returns the folder that they leave files in. */
export async function runClientTests(
  cloud: TestCloud,
  half: Half,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-client-'));
  await queryFile(
    `COPY (SELECT n AS id, 'how do i do thing row-' || n AS question, 'do it' AS answer FROM range(5) t(n))
     TO '${folder}/pairs.parquet' (FORMAT parquet)`,
  );
  const files = (await readdir(join(repositoryRoot, FOLDER)))
    .filter((name) => name.startsWith('test_'))
    .filter((name) => FIRST.some((each) => name === `test_${each}.py`) === (half === 'first'))
    .map((name) => `${FOLDER}/${name}`);
  const args = ['-m', 'pytest', '-q', '--tb=short', '-p', 'no:cacheprovider', ...files];
  const { code, output } = await runPython(args, {
    ...cloud.environment,
    E2E_FIXTURES: folder,
    E2E_MODEL_URL: cloud.modelUrl,
    E2E_HUB: JSON.stringify(cloud.hub),
    E2E_KEYS: JSON.stringify(await issueKeys(cloud)),
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ passed/);
  expect(output).not.toMatch(/skipped|xfailed/);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
