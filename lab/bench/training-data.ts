import { randomUUID } from 'node:crypto';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { NO_BUDGET } from '#shared/runs/decide/budget.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { heldOutCount } from '#shared/training/decide/hold-out.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { recommendTraining } from '#shared/training/recommend-training.ts';
import { TrainingData } from '#shared/training/schema/training-outcome.ts';
import { type BenchResult, resultOf } from './result.ts';

const CHUNK_ROWS = 5000;
const TEAM = { team_id: 'bench', organization_id: 'bench', user_id: randomUUID() };

function lineOf(row: number): string {
  return JSON.stringify({
    prompt: `What is to be known of item ${row}, and why does it matter to those who ask for it?`,
    completion: `Item ${row} is the one after item ${row - 1}. It matters to those who count, since none may be left out.`,
  });
}

/** Chunks that are generated on read, so that memory is that of the function. */
function datasetOf(datasetId: string, rows: number) {
  const chunks = Array.from({ length: Math.ceil(rows / CHUNK_ROWS) }, (_, n) => ({
    key: objectKeys.rows(datasetId, n),
    first_row: n * CHUNK_ROWS,
    row_count: Math.min(CHUNK_ROWS, rows - n * CHUNK_ROWS),
    bytes: 230 * CHUNK_ROWS,
  }));
  const manifest: RowsManifest = {
    version: 1,
    row_count: rows,
    columns: ['prompt', 'completion'].map((name) => ({ name, type: 'VARCHAR' })),
    source_format: 'jsonl',
    chunks,
    warnings: [],
  };
  const made = new Map(chunks.map((chunk) => [chunk.key, chunk]));
  const written = new Map<string, string>([[objectKeys.manifest(datasetId), JSON.stringify(manifest)]]);
  const bodyOf = (key: string): string | undefined => {
    const chunk = made.get(key);
    if (chunk === undefined) return written.get(key);
    return Array.from({ length: chunk.row_count }, (_, n) => `${lineOf(chunk.first_row + n)}\n`).join('');
  };
  const counters = { trainBytes: 0, peakRss: 0 };
  return {
    chunks,
    bodyOf,
    counters,
    objects: {
      read: async (key: string) => {
        const body = bodyOf(key);
        return body === undefined ? null : Buffer.from(body);
      },
      write: async (key: string, body: Buffer | string) => {
        counters.peakRss = Math.max(counters.peakRss, process.memoryUsage().rss);
        // Training objects are not needed here, and would dominate the memory.
        if (key.includes('/data/train/')) counters.trainBytes += body.length;
        else written.set(key, body.toString());
      },
    },
    written,
  };
}

/** A dataset whose rows were uploaded and are ready to train on. */
function recordOf(datasetId: string): DatasetRecord {
  return {
    ...madeDataset(
      TEAM,
      {
        kind: 'uploaded',
        sourceDatasetId: null,
        sources: [],
        name: 'rows',
        description: '',
        format: 'jsonl',
      },
      datasetId,
      0,
    ),
    state: 'succeeded',
    configured_column_mapping: { prompt: 'prompt', completion: 'completion', context: [] },
  };
}

/** A training of that dataset which was just requested. Complete, so that the type checker finds a new field. */
function trainingOf(datasetId: string, rows: number): TrainingRecord {
  return {
    ...TEAM,
    experiment_id: randomUUID(),
    dataset_id: datasetId,
    source_run_id: null,
    source_rows: rows,
    model: 'HuggingFaceTB/SmolLM2-135M-Instruct',
    trainer: 'embedded',
    status: 'pending',
    training_method: 'instruction',
    data_format: 'chat',
    column_mapping: null,
    columns: {
      prompt: 'prompt',
      completion: 'completion',
      reasoning_trace: null,
      chosen: null,
      rejected: null,
      context: [],
    },
    overrides: {},
    recommended: [{ method: 'sft', hyperparams: { n_epochs: 1 } }],
    explanation: [],
    max_iterations: 1,
    target_win_rate: 1,
    augmentation_domain_rows: 0,
    augmentation_general_rows: 0,
    augmentation_budget: NO_BUDGET,
    augmented: null,
    voucher: null,
    discount_percent: 0,
    seed: 0,
    idempotency_key_hash: null,
    iterations_completed: 0,
    iterations_failed: 0,
    best: null,
    attempt: null,
    error: null,
    created_at: '2026-01-01T00:00:00.000Z',
    completed_at: null,
  };
}

/**
 * Rows a second of preparing a training, compared with reading and writing their JSON once; and the time of `recommend`
 * on a dataset of the same size.
 */
export async function benchTrainingData({ rows = 1_000_000 } = {}): Promise<{
  result: BenchResult;
  mebibytes: number;
  recommendMilliseconds: number;
}> {
  const datasetId = randomUUID();
  const dataset = datasetOf(datasetId, rows);
  const training = trainingOf(datasetId, rows);
  const experimentId = training.experiment_id;
  const found = recordOf(datasetId);
  const ports = {
    trainings: { find: async () => training, recordProgress: async () => true },
    datasets: { find: async () => found, require: async () => found },
    runs: { find: async () => null },
    objects: dataset.objects,
  };

  const boundStarted = performance.now();
  let bytes = 0;
  for (const { key } of dataset.chunks) {
    for (const line of (dataset.bodyOf(key) ?? '').split('\n')) {
      if (line !== '') bytes += JSON.stringify(JSON.parse(line)).length;
    }
  }
  const bound = rows / ((performance.now() - boundStarted) / 1000);
  if (bytes === 0) throw new Error('The rows of the bench are empty.');

  const context = { run_id: experimentId, dataset_id: datasetId, team_id: TEAM.team_id };
  const started = performance.now();
  const rss = process.memoryUsage().rss;
  const result = await prepareTraining(ports, context);
  const value = rows / ((performance.now() - started) / 1000);
  const data = TrainingData.parse(
    JSON.parse(dataset.written.get(objectKeys.trainingData(experimentId)) ?? ''),
  );
  if (result.train_rows + result.held_out_rows !== rows || data.held_out_rows !== heldOutCount(rows)) {
    throw new Error('The preparation lost rows.');
  }

  const asked = performance.now();
  await recommendTraining({ ...ports, trainers: ['embedded', 'gpu'] }, TEAM, { dataset_id: datasetId });
  return {
    result: resultOf({
      name: `Preparing a training of ${rows} rows`,
      unit: 'rows/s',
      bound: { name: 'reading and writing their JSON once', value: bound },
      runs: [value],
    }),
    mebibytes: Math.max(0, dataset.counters.peakRss - rss) / 2 ** 20,
    recommendMilliseconds: performance.now() - asked,
  };
}
