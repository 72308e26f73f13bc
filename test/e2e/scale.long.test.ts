import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import { executionHistories } from '#local/execution-histories.ts';
import type { Append } from '#shared/ingest/schema/append.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();

const ROWS = 100_000;
const APPENDED = 1000;
/** A column that is not adapted makes the dataset too large for a worker to hold unnoticed. */
const PADDING = 'p'.repeat(2000);
const PAYLOAD_BYTES_MAX = 32 * 1024;
/** Rows of a batch, at the least that the planner makes of this file. */
const BATCH_ROWS_MIN = 500;
/** Items that a dataset and its run have beside those of batches. */
const OTHER_ITEMS_MAX = 20;
/** What a Node process with 64 calls in flight and a chunk of 2.2 MB comes to; the whole dataset adds 220 MB. */
const WORKER_MEBIBYTES_MAX = 500;

const lineOf = (n: number): string =>
  `${n},how does thing row-${n} work in a house,thing row-${n} works as it does,${PADDING}\n`;
const HEADER = 'id,question,answer,padding\n';

function* blocks(): Generator<Buffer> {
  yield Buffer.from(HEADER);
  for (let n = 0; n < ROWS; n += 500) {
    yield Buffer.from(Array.from({ length: 500 }, (_, at) => lineOf(n + at)).join(''));
  }
}

async function put(url: string, bytes: number): Promise<void> {
  const sent = request(url, { method: 'PUT', headers: { 'content-length': bytes } });
  const answered = once(sent, 'response');
  await pipeline(Readable.from(blocks()), sent);
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(200);
}

/** The most memory that each process of a function in this emulator has had so far, in MiB, by process id. */
async function peaksOf(name: string): Promise<Map<string, number>> {
  const peaks = new Map<string, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '');
    const variables = environment.split('\0');
    if (!variables.includes(`AWS_LAMBDA_FUNCTION_NAME=${name}`)) continue;
    if (!variables.includes(`AWS_ENDPOINT_URL=${cloud.endpoint}`)) continue;
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
    if (peak !== undefined) peaks.set(entry, Number(peak) / 1024);
  }
  return peaks;
}

/** Items of the table: those of the batches of runs, and others but for the counters of requests. */
async function countItems(): Promise<{ batches: number; others: number }> {
  const client = new DynamoDBClient({ endpoint: cloud.endpoint, region: 'us-east-1' });
  const counts = { batches: 0, others: 0 };
  const pages = paginateScan(
    { client },
    { TableName: cloud.tableName, ProjectionExpression: 'pk, sk', ConsistentRead: true },
  );
  for await (const { Items = [] } of pages) {
    for (const { pk, sk } of Items) {
      if (sk?.S?.startsWith('CHUNK#')) counts.batches += 1;
      else if (pk?.S?.startsWith('RATE#') === false) counts.others += 1;
    }
  }
  client.destroy();
  return counts;
}

/** Every text that any execution of any state machine took or gave, with where it was. */
async function* payloads(client: SFNClient): AsyncGenerator<{ where: string; text: string }> {
  for await (const { machine, events } of executionHistories(client)) {
    for (const event of events) {
      for (const text of textsOf(event)) yield { where: `${machine}: ${event.type}`, text };
    }
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('100,000 rows are adapted with small payloads, small workers and few items, come back complete and in order, and 1,000 appended ones are asked about and billed alone', async () => {
  const admin = createCloudAdmin(cloud);
  const key = await admin.createKey('scale', '--credits', '1010');
  const api = createApiClient(cloud.apiUrl, key);
  const model = controlScriptedModel(cloud.modelUrl);
  await model.setScript({ judge: 'fair' });

  const created = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
    'POST',
    '/api/v1/datasets',
    { source: { name: 'scale.csv' } },
  );
  const { dataset_id: datasetId, upload_instructions: instructions } = created.body;
  const bytes = [...blocks()].reduce((sum, block) => sum + block.length, 0);
  await put(instructions.url, bytes);
  await api.send('POST', `/api/v1/datasets/${datasetId}/upload/complete`, { file_size_bytes: bytes });
  expect((await api.untilRead(datasetId)).row_count).toBe(ROWS);

  const before = await countItems();
  const started = performance.now();
  const quote = await api.adapt(datasetId, {
    column_mapping: { prompt: 'question', completion: 'answer' },
    recipe_specification: { recipes: { prompt_rephrase: false } },
  });
  expect(quote.estimatedCreditsConsumed).toBe(ROWS / 100);

  const peaks = new Map<string, number>();
  const watch = setInterval(async () => {
    for (const [id, peak] of await peaksOf(functionName('local', 'tasks/adapt/adapt-chunk')))
      peaks.set(id, peak);
  }, 1000);
  const ended = await api.untilEnded(datasetId, 1500).finally(() => clearInterval(watch));
  const seconds = (performance.now() - started) / 1000;
  expect(ended).toMatchObject({ status: 'succeeded', row_count: ROWS });

  const report = await api.report(datasetId);
  expect(report.rows).toMatchObject({ total: ROWS, failed: 0, dropped: 0, not_selected: 0 });
  expect(report.credits).toEqual({ reserved: ROWS / 100, settled: ROWS / 100 });
  const { byRow } = await model.stats();
  expect(Object.keys(byRow)).toHaveLength(ROWS);

  const after = await countItems();
  const batches = after.batches - before.batches;
  expect(batches).toBeGreaterThanOrEqual(4);
  expect(batches).toBeLessThanOrEqual(ROWS / BATCH_ROWS_MIN);
  expect(after.others - before.others).toBeLessThanOrEqual(OTHER_ITEMS_MAX);

  expect(peaks.size).toBeGreaterThanOrEqual(4);
  for (const [id, peak] of peaks) expect(peak, `worker ${id}`).toBeLessThan(WORKER_MEBIBYTES_MAX);

  const client = new SFNClient({ endpoint: cloud.endpoint, region: 'us-east-1' });
  let events = 0;
  let largest = 0;
  for await (const { where, text } of payloads(client)) {
    events += 1;
    largest = Math.max(largest, Buffer.byteLength(text));
    expect(Buffer.byteLength(text), where).toBeLessThanOrEqual(PAYLOAD_BYTES_MAX);
  }
  client.destroy();
  expect(events).toBeGreaterThan(20);

  const response = await fetch(`${cloud.apiUrl}/api/v1/datasets/${datasetId}/download?fileFormat=jsonl`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  let next = 0;
  for await (const line of createInterface({ input: Readable.fromWeb(response.body as never) })) {
    if (!line.includes(`"id":"${next}"`) || !line.includes(`row-${next} works`)) {
      throw new Error(`Line ${next} of the download is another row: ${line.slice(0, 300)}`);
    }
    next += 1;
  }
  expect(next).toBe(ROWS);

  await model.setScript({ judge: 'fair' });
  const appended = performance.now();
  const lines = Array.from({ length: APPENDED }, (_, n) => lineOf(ROWS + n));
  const settings = {
    column_mapping: { prompt: 'question', completion: 'answer' },
    recipe_specification: { recipes: { prompt_rephrase: false } },
  };
  const opened = await api.send<Append>('POST', `/api/v1/datasets/${datasetId}/rows`, {
    file: { name: 'more.csv' },
  });
  const { url = '', s3_key } = opened.body.upload_instructions ?? {};
  expect((await fetch(url, { method: 'PUT', body: `${HEADER}${lines.join('')}` })).ok).toBe(true);
  const { body: append } = await api.send<Append>('POST', `/api/v1/datasets/${datasetId}/rows`, { s3_key });
  const landed = async () =>
    (await api.send<Append>('GET', `/api/v1/datasets/${datasetId}/appends/${append.append_id}`)).body;
  for (const deadline = Date.now() + 60_000; (await landed()).status === 'pending'; await sleep(500)) {
    expect(Date.now()).toBeLessThan(deadline);
  }
  expect(await landed()).toMatchObject({ status: 'succeeded', version: 3, appended_rows: APPENDED });
  const again = await api.adapt(datasetId, settings);
  expect(again).toMatchObject({ estimatedCreditsConsumed: APPENDED / 100, reused_rows: ROWS });
  const endedAgain = await api.untilEnded(datasetId, 600);
  const secondsAgain = (performance.now() - appended) / 1000;
  expect(endedAgain).toMatchObject({ status: 'succeeded', row_count: ROWS + APPENDED });
  const second = await api.report(datasetId);
  expect(second.credits).toEqual({ reserved: APPENDED / 100, settled: APPENDED / 100 });
  expect(second).toMatchObject({ reused_rows: ROWS, rows: { total: ROWS + APPENDED, failed: 0 } });
  const asked = Object.keys((await model.stats()).byRow).map(Number);
  expect(asked.sort((a, b) => a - b)).toEqual(Array.from({ length: APPENDED }, (_, n) => ROWS + n));

  console.log(
    `${ROWS} rows in ${seconds.toFixed(0)} s (${Math.round(ROWS / seconds)} rows/s); ${batches} batches; workers up to ` +
      `${Math.round(Math.max(...peaks.values()))} MiB; largest payload ${largest} bytes of ${events}; ${APPENDED} appended rows in ${secondsAgain.toFixed(0)} s.`,
  );
});
