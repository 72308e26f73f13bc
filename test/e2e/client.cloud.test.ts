import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { queryFile, runClientTests } from '#test/helpers/client-tests.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

test('the public Python client, unmodified and strict, finds adaptations and what grows datasets as it expects them', async () => {
  const left = await runClientTests(testCloud(), 'first');

  const rows = JSON.parse(await readFile(join(left.folder, 'downloaded.json'), 'utf8')) as object[];
  expect(rows).toHaveLength(12);
  const none = { prompt_safety_issues: null, response_safety_issues: null };
  expect(await queryFile(`SELECT * FROM '${left.folder}/downloaded.parquet'`)).toEqual(
    rows.map((row) => ({ ...row, ...none })),
  );
  await left[Symbol.asyncDispose]();
}, 900_000);
