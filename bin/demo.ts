import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { localDirectory } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { startLocalCloud } from '#local/up.ts';
import {
  bar,
  describeRow,
  describeRun,
  type Evaluation,
  list,
  type Report,
  type Sample,
  timeLeft,
} from './demo/show.ts';
import { describeTraining, respond, trainModel } from './demo/training.ts';
import { watchRows } from './demo/watch-rows.ts';
import { createServiceClient, settled, uploadFile } from './service-client.ts';

/**
 * `npm run demo`: starts the local cloud and runs sample rows through the service as a client does: upload → adapt →
 * evaluate → download. Then trains a small model on rows in another style, and compares its answers with those of its
 * base model. Shows each row as soon as it is done, and a summary on one screen at the end.
 */
// The warning about an older Node than the deployed one is not useful at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const SAMPLE = fileURLToPath(new URL('../examples/data/careless-answers.csv', import.meta.url));
const VOICE = fileURLToPath(new URL('../examples/data/lighthouse-answers.csv', import.meta.url));
const RESULTS = join(localDirectory, 'demo');

const started = performance.now();
const secondsSince = (from: number, to = performance.now()): number => (to - from) / 1000;
const progress = createProgress();

console.log(`Tunesmith on this machine: twelve careless rows are adapted and scored, a model of 135 M parameters is
trained. About six minutes on two cores, after what is missing has been installed.\n`);
const cloud = await startLocalCloud({ model: 'real' });
const ready = performance.now();
let firstRow: number | null = null;

async function adaptSample() {
  const client = createServiceClient(cloud);
  const samples = Papa.parse<Sample>(await readFile(SAMPLE, 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data;
  const id = await progress.step(`Upload of ${samples.length} rows`, () => uploadFile(client, SAMPLE));
  const adaptation = { column_mapping: { prompt: 'question', completion: 'answer' } };
  const quote = await client.json<{ estimatedCreditsConsumed: number }>('POST', `/datasets/${id}/adapt`, {
    ...adaptation,
    estimate: true,
  });
  const { run_id } = await client.json<{ run_id: string }>('POST', `/datasets/${id}/adapt`, adaptation);
  const newRows = watchRows(cloud, run_id);
  const launched = performance.now();
  let shown = 0;
  const showRows = async () => {
    for (const result of await newRows()) {
      const sample = samples[result.row];
      if (sample === undefined) continue;
      firstRow ??= performance.now();
      shown += 1;
      progress.note(`\n${describeRow(sample, result)}`);
    }
  };
  await progress.step('Adapt and evaluate', async (detail) => {
    await settled(client, id, ['running'], async () => {
      await showRows();
      detail(
        shown < samples.length
          ? `${bar(shown, samples.length)} ${shown} of ${samples.length} rows${timeLeft(shown, samples.length, secondsSince(launched))}`
          : 'all rows are done; scoring them before and after',
      );
    });
    await showRows();
  });
  const evaluation = await client.json<Evaluation>('GET', `/datasets/${id}/evaluation`);
  const report = await client.json<Report>('GET', `/datasets/${id}/report`);
  await mkdir(RESULTS, { recursive: true });
  const file = join(RESULTS, 'adapted.csv');
  await writeFile(file, await client.text(`/datasets/${id}/download?fileFormat=csv`));
  return { client, file, lines: describeRun(evaluation, report, quote.estimatedCreditsConsumed) };
}

async function run(): Promise<void> {
  const { client, file, lines } = await adaptSample();
  const voice = await progress.step('Upload of the rows to train on', () =>
    uploadFile(client, VOICE, {
      processing_mode: 'raw',
      column_mapping: { prompt: 'prompt', completion: 'completion' },
    }),
  );
  const training = await trainModel(client, cloud, voice, { progress, folder: RESULTS });
  const answers =
    cloud.environment.TUNESMITH_MODEL_URL === undefined
      ? [
          '  The trained model is not asked: the local model server, which would serve it, does not run with MODEL_BASE_URL.',
        ]
      : await respond(cloud, training.run, progress);

  const seconds = (from: number, to?: number): string => secondsSince(from, to).toFixed(0);
  const time =
    `${seconds(started)} s: ${seconds(started, ready)} s to start, ` +
    `first row ${firstRow === null ? '–' : `${seconds(ready, firstRow)} s`} later`;
  console.log(`
Adapted
${lines.join('\n')}

Trained
${describeTraining(training).join('\n')}

Answered
${answers.join('\n')}

${list([['Time', time]]).join('\n')}

  ${relative(process.cwd(), file)}      the adapted rows
  ${relative(process.cwd(), training.artifact)}     the trained model, with its report and licence
  npm run local               the same service, kept running, with its API reference`);
}

let status = 0;
try {
  await Promise.race([
    run(),
    cloud.failed.then((what) => {
      throw new Error(what);
    }),
  ]);
} catch (error) {
  status = 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  await cloud.stop();
}
process.exit(status);
