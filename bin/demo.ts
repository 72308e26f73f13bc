import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { localDirectory } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import { type DemoClient, printTraining, respond, trainModel } from './demo-training.ts';

/**
 * `npm run demo`: starts the local cloud and carries a sample of careless rows through the service as a client does:
 * upload → adapt → evaluate → download. Then trains a small model on rows in another voice, and has it answer beside its
 * base. Prints what became of all that, and ends.
 */
// Whoever runs this on an older Node than the deployed one is not helped by being told at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const SAMPLE = fileURLToPath(new URL('../examples/data/careless-answers.csv', import.meta.url));
const VOICE = fileURLToPath(new URL('../examples/data/lighthouse-answers.csv', import.meta.url));
const RESULTS = join(localDirectory, 'demo');
const POLL_MS = 1000;

interface Status {
  readonly status: string;
  readonly row_count: number | null;
  readonly progress: {
    readonly percent: number;
    readonly processed_rows: number;
    readonly total_rows: number;
  } | null;
  readonly error_data: { readonly message: string } | null;
}

interface Quality {
  readonly grade_before: string | null;
  readonly grade_after: string | null;
  readonly score_before: number | null;
  readonly score_after: number | null;
  readonly improvement_percent: number | null;
}

type Bounds = readonly [number, number] | null;

interface Evaluation {
  readonly status: string;
  readonly quality: Quality | null;
  readonly raw_results: {
    readonly judge: {
      readonly mode: string;
      readonly model: string | null;
      readonly agreement: number | null;
      readonly pair_agreement: number | null;
      readonly position_bias: number | null;
      readonly believed_for: readonly string[];
    };
    readonly score_interval_before: Bounds;
    readonly score_interval_after: Bounds;
    readonly share_got_worse: number | null;
  } | null;
}

interface Report {
  readonly rows: { readonly changed: number; readonly kept: number; readonly failed: number } | null;
  readonly credits: { readonly reserved: number; readonly settled: number | null };
  readonly tokens: { readonly input: number; readonly output: number; readonly calls: number } | null;
  readonly reported_rows: readonly { readonly row: number; readonly message: string }[];
}

type Row = Readonly<Record<string, string>>;

function createClient(cloud: LocalCloud): Client {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${cloud.apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    json: async <T>(method: string, path: string, body?: unknown): Promise<T> =>
      (await call(method, path, body)).json() as Promise<T>,
    text: async (path: string): Promise<string> => (await call('GET', path)).text(),
    bytes: async (path: string): Promise<Uint8Array> =>
      new Uint8Array(await (await call('GET', path)).arrayBuffer()),
  };
}

interface Client extends DemoClient {
  text(path: string): Promise<string>;
}

/** Uploads a file as a dataset and waits until it has been read. */
async function upload(
  client: Client,
  path: string,
  source: object,
  detail: (text: string) => void,
): Promise<string> {
  const file = await readFile(path);
  const created = await client.json<{ dataset_id: string; upload_instructions: { url: string } }>(
    'POST',
    '/datasets',
    { source: { name: basename(path), ...source } },
  );
  const put = await fetch(created.upload_instructions.url, { method: 'PUT', body: file });
  if (!put.ok) throw new Error(`The upload was refused: ${put.status}`);
  await client.json('POST', `/datasets/${created.dataset_id}/upload/complete`, {
    file_size_bytes: file.length,
  });
  await settled(client, created.dataset_id, ['pending'], detail);
  return created.dataset_id;
}

/** Polls until the dataset is none of `busy`; tells `detail` how far it is. */
async function settled(
  client: Client,
  id: string,
  busy: readonly string[],
  detail: (text: string) => void,
): Promise<Status> {
  for (;;) {
    const status = await client.json<Status>('GET', `/datasets/${id}/status`);
    if (status.status === 'failed') throw new Error(`The dataset failed: ${status.error_data?.message}`);
    if (!busy.includes(status.status)) return status;
    if (status.progress !== null) {
      const { percent, processed_rows: done, total_rows: total } = status.progress;
      const filled = Math.round(percent / 5);
      detail(`${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${done} of ${total} rows`);
    }
    await sleep(POLL_MS);
  }
}

function printRows(rows: readonly Row[]): void {
  const clip = (text: string, width: number): string => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    return (line.length > width ? `${line.slice(0, width - 1)}…` : line).padEnd(width);
  };
  console.log(`\n  ${'Question'.padEnd(36)}  ${'Answer before'.padEnd(18)}  Answer after`);
  console.log(`  ${'─'.repeat(36)}  ${'─'.repeat(18)}  ${'─'.repeat(72)}`);
  for (const row of rows) {
    const question = clip(row.enhanced_prompt ?? '', 36);
    console.log(`  ${question}  ${clip(row.answer ?? '', 18)}  ${clip(row.enhanced_completion ?? '', 72)}`);
  }
}

function printEvaluation({ quality, raw_results: raw }: Evaluation): void {
  if (quality === null || raw === null) {
    console.log('\n  The rows could not be scored.');
    return;
  }
  const shown = (grade: string | null, score: number | null, bounds: Bounds): string => {
    if (score === null) return '–';
    const interval = bounds === null ? '' : ` (95 %: ${bounds[0]}–${bounds[1]})`;
    return `${grade} ${score} of 10${interval}`;
  };
  const { score_interval_before: before, score_interval_after: after } = raw;
  console.log(`\n  Grade before   ${shown(quality.grade_before, quality.score_before, before)}`);
  console.log(`  Grade after    ${shown(quality.grade_after, quality.score_after, after)}`);
  if (quality.improvement_percent !== null) console.log(`  Improvement    ${quality.improvement_percent} %`);
  if (raw.share_got_worse !== null)
    console.log(`  Got worse      ${percent(raw.share_got_worse)} of the rows`);
  const { judge } = raw;
  console.log(
    judge.mode === 'calibrated_judge'
      ? `  Judge          ${judge.model}: graded the better answer higher in ${percent(judge.agreement)} of the calibration pairs,\n` +
          `                 chose it in ${percent(judge.pair_agreement)} of the comparisons (position bias ${judge.position_bias})`
      : `  Scored by      reference-free metrics: ${judge.model} is no reliable judge (right in ${percent(judge.pair_agreement)} of the calibration pairs)`,
  );
  console.log(
    `  Compares       ${judge.believed_for.length === 0 ? 'nothing: it is believed in no kind of pair' : `pairs that differ in ${judge.believed_for.join(', ')}`}`,
  );
}

const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(share * 100)} %`);

const started = performance.now();
const progress = createProgress();
const cloud = await startLocalCloud({ model: 'real' });
const ready = performance.now();
try {
  const client = createClient(cloud);

  const id = await progress.step('Upload', (detail) => upload(client, SAMPLE, {}, detail));

  const adaptation = { column_mapping: { prompt: 'question', completion: 'answer' } };
  const quote = await client.json<{ estimatedCreditsConsumed: number }>('POST', `/datasets/${id}/adapt`, {
    ...adaptation,
    estimate: true,
  });
  await progress.step('Adapt and evaluate', async (detail) => {
    await client.json('POST', `/datasets/${id}/adapt`, adaptation);
    await settled(client, id, ['running'], detail);
  });
  const evaluation = await client.json<Evaluation>('GET', `/datasets/${id}/evaluation`);
  const report = await client.json<Report>('GET', `/datasets/${id}/report`);

  const files = await progress.step('Download', async () => {
    await mkdir(RESULTS, { recursive: true });
    const csv = join(RESULTS, 'adapted.csv');
    const jsonl = join(RESULTS, 'adapted.jsonl');
    await writeFile(csv, await client.text(`/datasets/${id}/download?fileFormat=csv`));
    await writeFile(jsonl, await client.text(`/datasets/${id}/download?fileFormat=jsonl`));
    return { csv, jsonl };
  });

  const rows = (await readFile(files.jsonl, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  printRows(rows);
  printEvaluation(evaluation);
  const { rows: counts, credits, tokens } = report;
  console.log(
    `  Rows           ${counts?.changed} changed, ${counts?.kept} kept as they were, ${counts?.failed} failed`,
  );
  for (const { row, message } of report.reported_rows) console.log(`                 row ${row}: ${message}`);
  console.log(
    `  Credits        ${quote.estimatedCreditsConsumed} quoted, ${credits.reserved} reserved, ${credits.settled} settled`,
  );
  console.log(`  Model          ${tokens?.calls} calls, ${tokens?.input} tokens in, ${tokens?.output} out`);

  const rawSource = {
    processing_mode: 'raw',
    column_mapping: { prompt: 'prompt', completion: 'completion' },
  };
  console.log('');
  const voice = await progress.step('Upload of 48 rows to train on', (detail) =>
    upload(client, VOICE, rawSource, detail),
  );
  const training = await trainModel(client, cloud, voice, { progress, folder: RESULTS });
  printTraining(training);
  if (cloud.environment.TUNESMITH_MODEL_URL === undefined) {
    console.log('\n  The trained model is not asked: MODEL_BASE_URL is served elsewhere.');
  } else {
    console.log('');
    await respond(cloud, training.run, progress);
  }

  const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(0);
  console.log(
    `\n  Altogether     ${seconds(started)} s, of which ${seconds(ready)} s with everything running`,
  );
  console.log(`
Where to look next

  ${relative(process.cwd(), files.csv)}   the adapted dataset
  ${relative(process.cwd(), training.artifact)}   the trained model, with its report and licence
  npm run local                the same service, kept running; its documentation is at /docs
  npm run bench                how fast it is, beside its peers
  docs/adr                     why it is built this way`);
} finally {
  await cloud.stop();
}
process.exit(0);
