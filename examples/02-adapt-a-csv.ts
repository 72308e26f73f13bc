/**
 * Adapts a CSV file with nothing but fetch, and reads the report of every row.
 *
 *     source .local/env                  # npm run local wrote it
 *     npx tsx examples/02-adapt-a-csv.ts
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const { ADAPTION_BASE_URL: baseUrl, ADAPTION_API_KEY: key } = process.env;
assert(baseUrl && key, 'Set ADAPTION_BASE_URL and ADAPTION_API_KEY: source .local/env');

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

interface Status {
  status: string;
  row_count: number | null;
  error_data: { message: string } | null;
}

async function waitFor(datasetId: string, isDone: (status: Status) => boolean): Promise<Status> {
  for (;;) {
    const status = await call<Status>('GET', `/datasets/${datasetId}/status`);
    if (status.status === 'failed') throw new Error(status.error_data?.message);
    if (isDone(status)) return status;
    await sleep(1000);
  }
}

const file = await readFile(new URL('data/careless-answers.csv', import.meta.url));
const created = await call<{ dataset_id: string; upload_instructions: { url: string } }>(
  'POST',
  '/datasets',
  {
    source: { name: 'careless-answers.csv' },
  },
);
const { dataset_id: id } = created;
await fetch(created.upload_instructions.url, { method: 'PUT', body: file });
await call('POST', `/datasets/${id}/upload/complete`, { file_size_bytes: file.length });
const { row_count: rows } = await waitFor(id, ({ row_count }) => row_count !== null);

await call('POST', `/datasets/${id}/adapt`, {
  column_mapping: { prompt: 'question', completion: 'answer' },
  recipe_specification: { recipes: { prompt_rephrase: false } },
});
await waitFor(id, ({ status }) => status === 'succeeded');

const report = await call<{
  rows: Record<'total' | 'changed' | 'kept' | 'failed' | 'dropped' | 'not_selected', number>;
  credits: { reserved: number; settled: number };
  reported_rows: { row: number; outcome: string; message: string }[];
}>('GET', `/datasets/${id}/report`);
console.log(report.rows, report.credits);
for (const { row, outcome, message } of report.reported_rows)
  console.log(`row ${row} ${outcome}: ${message}`);

const { total, changed, kept, failed, dropped, not_selected } = report.rows;
assert.equal(total, rows);
assert.equal(changed + kept + failed + dropped + not_selected, total);
assert(report.credits.settled <= report.credits.reserved);

// The download is a redirect to the file, which fetch follows.
const download = await fetch(`${baseUrl}/api/v1/datasets/${id}/download?fileFormat=jsonl`, {
  headers: { authorization: `Bearer ${key}` },
});
const lines = (await download.text()).trim().split('\n');
assert.equal(lines.length, rows);
for (const line of lines) {
  const row = JSON.parse(line) as Record<string, string>;
  assert.equal(row.enhanced_prompt, row.question);
}
await call('DELETE', `/datasets/${id}`);
