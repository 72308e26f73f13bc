import { readCells } from '#shared/adaptation/decide/row-program.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import { deliveredRowCount, openSource } from '#shared/growth/combine-rows.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import { columnsOfExamples, isText, readExample } from './decide/example.ts';
import { candidateThreshold, drawOf, heldOutCount, heldOutCut } from './decide/hold-out.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { modelOf } from './decide/resolve.ts';
import { requireTraining } from './require-training.ts';
import { TrainingExample } from './schema/training-job.ts';
import { TrainingData } from './schema/training-outcome.ts';

export interface PrepareTrainingPorts {
  readonly trainings: Pick<TrainingRepository, 'find' | 'recordProgress'>;
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/** Bytes of an examples object: what a trainer reads at once. */
const OBJECT_BYTES = 4_000_000;

/**
 * Writes the examples of a training and holds out some of the caller's own rows, drawn by hash and never trained on.
 * Rows are streamed. Idempotent: existing objects are kept.
 * @throws {ServiceError} `run_interrupted` if the training or its rows are gone, `dataset_untrainable` if too few rows
 * can be used
 */
export async function prepareTraining(
  ports: PrepareTrainingPorts,
  context: RunContext,
): Promise<{ train_rows: number; held_out_rows: number }> {
  const { objects } = ports;
  const training = await requireTraining(ports, context);
  await ports.trainings.recordProgress(training.experiment_id, { status: 'running' });
  const key = objectKeys.trainingData(training.experiment_id);
  let data = await findJson(objects, key, TrainingData);
  if (data === null) {
    data = await split(ports, context, training);
    await objects.write(key, JSON.stringify(data), 'application/json');
  }
  return { train_rows: data.train_rows, held_out_rows: data.held_out_rows };
}

async function split(
  ports: PrepareTrainingPorts,
  context: RunContext,
  training: TrainingRecord,
): Promise<TrainingData> {
  const { objects } = ports;
  const { experiment_id: id } = training;
  const train = new ExampleObjects(objects, (n) => objectKeys.trainingRows(id, n));
  const candidates = new ExampleObjects(objects, (n) => objectKeys.heldOutCandidates(id, n));
  const held = heldOutCount(training.source_rows);
  const threshold = candidateThreshold(training.source_rows, held);
  const skipped = new Map<string, number>();
  const draws = new Set<number>();
  const columns = columnsOfExamples(training.columns);
  let rows = 0;
  for await (const line of linesOf(ports, context, training)) {
    const row = rows;
    rows += 1;
    const example = readExample(training.columns, readCells(line, columns), row);
    if ('skip' in example) {
      skipped.set(example.skip, (skipped.get(example.skip) ?? 0) + 1);
      continue;
    }
    const draw = drawOf(example);
    const isCandidate = row < training.source_rows && draw < threshold && !isText(example);
    if (isCandidate) draws.add(draw);
    await (isCandidate ? candidates : train).add(example);
  }
  await candidates.close();

  const cut = heldOutCut(draws, held, threshold >= 1);
  const heldOut = new Map<number, TrainingExample>();
  for (const key of candidates.keys) {
    for (const line of await readLines(objects, key)) {
      const example = TrainingExample.parse(JSON.parse(line));
      const draw = drawOf(example);
      // Of identical rows one is evaluated; none of them is trained on.
      if (draw > cut) await train.add(example);
      else if (!heldOut.has(draw)) heldOut.set(draw, example);
    }
  }
  await train.close();
  requireRows(training, train.rows + heldOut.size, skipped);

  const heldOutKey = objectKeys.heldOutRows(id);
  const lines = [...heldOut.values()]
    .sort((a, b) => a.row - b.row)
    .map((each) => `${JSON.stringify(each)}\n`);
  await objects.write(heldOutKey, lines.join(''), 'application/jsonl');
  return {
    train_keys: train.keys,
    train_rows: train.rows,
    held_out_key: heldOutKey,
    held_out_rows: heldOut.size,
    rows,
    augmented_rows: Math.max(0, rows - training.source_rows),
    skipped: [...skipped].map(([reason, count]) => ({ reason, rows: count })),
    split:
      `${heldOut.size} of ${training.source_rows} rows are held out, those whose SHA-256 is lowest; they and identical ` +
      'rows are not trained on.',
  };
}

/** The rows of the dataset's download, or of its augmented version. */
async function* linesOf(
  ports: PrepareTrainingPorts,
  context: RunContext,
  training: TrainingRecord,
): AsyncGenerator<string> {
  const { dataset_id, source_run_id: run_id, augmented } = training;
  const source = await openSource(
    ports,
    context,
    augmented === null ? { dataset_id, run_id } : { dataset_id: augmented.dataset_id, run_id: null },
  );
  const wanted = new Set(columnsOfExamples(training.columns));
  const columns = source.shape.columns.filter(({ name }) => wanted.has(name));
  let count = 0;
  for await (const block of joinRows({
    columns,
    ...deliveredRows(ports.objects, source.manifest, source.run),
  })) {
    // A block contains complete lines.
    for (const line of block.toString('utf8').split('\n')) {
      if (line === '') continue;
      count += 1;
      yield line;
    }
  }
  const expected = deliveredRowCount(source.manifest.row_count, source.run);
  if (count !== expected) {
    throw new ServiceError('run_interrupted', `The dataset gave ${count} of its ${expected} rows.`);
  }
}

function requireRows(training: TrainingRecord, examples: number, skipped: ReadonlyMap<string, number>): void {
  const least = modelOf(training).rows_min;
  if (examples >= least) return;
  const why = [...skipped].map(([reason, rows]) => `${rows} have ${reason}`).join(', ');
  throw new ServiceError(
    'dataset_untrainable',
    `${training.model} needs at least ${least} rows, and ${examples} rows of the dataset can be used${why === '' ? '' : ` (${why})`}. Correct or add rows, or name other columns.`,
  );
}

/** Writes examples as a sequence of objects of a few megabytes. */
class ExampleObjects {
  readonly keys: string[] = [];
  rows = 0;
  readonly #objects: Pick<ObjectStore, 'write'>;
  readonly #keyOf: (n: number) => string;
  #lines: string[] = [];
  #bytes = 0;

  constructor(objects: Pick<ObjectStore, 'write'>, keyOf: (n: number) => string) {
    this.#objects = objects;
    this.#keyOf = keyOf;
  }

  async add(example: TrainingExample): Promise<void> {
    const line = `${JSON.stringify(example)}\n`;
    this.#lines.push(line);
    this.#bytes += line.length;
    this.rows += 1;
    if (this.#bytes >= OBJECT_BYTES) await this.close();
  }

  async close(): Promise<void> {
    if (this.#lines.length === 0) return;
    const key = this.#keyOf(this.keys.length);
    await this.#objects.write(key, this.#lines.join(''), 'application/jsonl');
    this.keys.push(key);
    this.#lines = [];
    this.#bytes = 0;
  }
}
