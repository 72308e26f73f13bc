import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import { deliveredRowCount, openSource } from '#shared/growth/combine-rows.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, linesIn, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, RunResult } from '#shared/runs/schema/run-result.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import { isDoubtful } from '#shared/witnesses/decide/doubtful.ts';
import { columnsOfExamples, isText, readExample } from './decide/example.ts';
import { drawOf, type Fraction, LowestDraws, LowestExamples } from './decide/hold-out.ts';
import { recommendStages } from './decide/recommend-hyperparams.ts';
import type { ExampleColumns, TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { explainStages, modelOf } from './decide/resolve.ts';
import { Examples, nothingToCompare, readSides, tooFewExamples } from './decide/sides.ts';
import { requireTraining } from './require-training.ts';
import type { TrainingExample } from './schema/training-job.ts';
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
  await deriveFrom(ports, training, data);
  return { train_rows: data.train_rows, held_out_rows: data.held_out_rows };
}

/** Derives the hyperparameters again where the rows that can be used are more or fewer than the launch knew. */
async function deriveFrom(
  { trainings }: Pick<PrepareTrainingPorts, 'trainings'>,
  training: TrainingRecord,
  { usable_rows: usable }: TrainingData,
): Promise<void> {
  const { effective_rows: known, training_method, overrides } = training;
  if (known === undefined || usable === undefined || usable === known) return;
  const model = modelOf(training);
  // A given alpha was held against the rank of the launch, which stays.
  const { lora_r } = training.recommended[0]?.hyperparams ?? {};
  const pinned =
    overrides.lora_alpha === undefined || lora_r === undefined ? overrides : { lora_r, ...overrides };
  const recommended = recommendStages(model, training_method, usable, pinned);
  await trainings.recordProgress(training.experiment_id, {
    effective_rows: usable,
    recommended,
    explanation: [
      ...training.explanation,
      `When all rows had been read, ${usable} could be used, where the launch counted on ${known}: hyperparameters were derived again.`,
      ...explainStages(model, usable, recommended),
    ],
  });
}

async function split(
  ports: PrepareTrainingPorts,
  context: RunContext,
  training: TrainingRecord,
): Promise<TrainingData> {
  const { objects } = ports;
  const { experiment_id: id, comparison } = training;
  const sides = columnsOfSides(training);
  const train = sides.map((_, side) => new ExampleObjects(objects, (n) => trainingRowsKey(id, side, n)));
  const trainOn = async (examples: Examples): Promise<void> => {
    for (const [n, example] of examples.entries()) await train[sides.length === 1 ? 0 : n]?.add(example);
  };
  const candidates = new ExampleObjects(objects, (n) => objectKeys.heldOutCandidates(id, n));
  const validation = await readValidation(ports, context, training);
  // A comparison holds out prompts, for its sides have other answers to the same ones.
  const draw = comparison === undefined ? drawOf : ({ messages }: TrainingExample) => drawOf({ messages });
  const skipped = new Map<string, number>();
  const skip = (why: string): void => void skipped.set(why, (skipped.get(why) ?? 0) + 1);
  const draws = new LowestDraws();
  let [usable, comparable] = [0, 0];
  const columns = [...new Set(sides.flatMap(columnsOfExamples))];
  let rows = 0;
  const opened = await openRows(ports, context, training);
  const leftOut = opened.doubtful.rows.size + opened.doubtful.added.size;
  const ownRows = training.source_rows - leftOut;
  if (leftOut > 0) skipped.set(DOUBTFUL, leftOut);
  for await (const line of linesOf(opened, training, columns)) {
    const row = rows;
    rows += 1;
    const examples = readSides(sides, readCells(line, columns), row);
    if ('skip' in examples) {
      skip(examples.skip);
      continue;
    }
    usable += sides.length > 1 ? 1 : examples.length;
    const [first, ...others] = examples.map(draw) as [Fraction, ...Fraction[]];
    if (validation !== null && [first, ...others].some((each) => validation.has(each))) {
      skip(VALIDATES);
      continue;
    }
    // With a validation dataset no row of the training's own is held out.
    if (validation === null && row < ownRows && !isText(examples[0])) {
      draws.add(first);
      comparable += 1;
    }
    const mayBeHeldOut = validation === null && [first, ...others].some((each) => draws.mayBeLowest(each));
    await (mayBeHeldOut ? candidates.add(examples) : trainOn(examples));
  }
  await candidates.close();

  const held = draws.heldOut();
  const heldOut = new Map<number, TrainingExample>(validation);
  let heldOutExamples = heldOut.size;
  for (const key of candidates.keys) {
    for (const line of await readLines(objects, key)) {
      const examples = Examples.parse(JSON.parse(line));
      const [first, ...others] = examples.map(draw) as [Fraction, ...Fraction[]];
      // Of identical rows one is evaluated; none of them is trained on.
      if (held.has(first)) {
        if (!heldOut.has(first)) heldOutExamples += sides.length > 1 ? 1 : examples.length;
        heldOut.set(first, heldOut.get(first) ?? examples[0]);
      } else if (others.some((each) => held.has(each)))
        skip(sides.length === 1 ? HELD_OUT_REPLY : HELD_OUT_PROMPT);
      else await trainOn(examples);
    }
  }
  for (const each of train) await each.close();
  const [own, adapted] = train as [ExampleObjects, ...ExampleObjects[]];
  const added = Math.max(0, rows - ownRows);
  requireRows(training, { examples: own.rows + heldOutExamples, heldOut: heldOut.size, added }, skipped);
  if (adapted !== undefined && adapted.rows !== own.rows) throw new Error('The sides differ in their rows.');

  const heldOutKey = objectKeys.heldOutRows(id);
  const lines = [...heldOut.values()]
    .sort((a, b) => a.row - b.row)
    .map((each) => `${JSON.stringify(each)}\n`);
  await objects.write(heldOutKey, lines.join(''), 'application/jsonl');
  return {
    train_keys: own.keys,
    train_rows: own.rows,
    ...(adapted === undefined ? {} : { adapted_keys: adapted.keys }),
    held_out_key: heldOutKey,
    held_out_rows: heldOut.size,
    rows,
    augmented_rows: added,
    usable_rows: usable,
    skipped: [...skipped].map(([reason, count]) => ({ reason, rows: count })),
    split:
      validation === null
        ? `${heldOut.size} of ${comparable} rows with a prompt that can be trained on are held out, those whose SHA-256 is ` +
          'lowest; they and identical rows are not trained on.'
        : `${heldOut.size} rows of the validation dataset are held out; identical rows are not trained on.`,
  };
}

/**
 * Some examples of the validation dataset, by their draws; null for a training without one.
 * @throws {ServiceError} `run_interrupted` if the dataset, or a part of its rows, is gone
 */
async function readValidation(
  ports: PrepareTrainingPorts,
  context: RunContext,
  {
    validation_dataset_id,
    validation_run_id = null,
    columns: own,
    validation_columns: columns = own,
  }: TrainingRecord,
): Promise<ReadonlyMap<Fraction, TrainingExample> | null> {
  if (validation_dataset_id === undefined) return null;
  const source = { dataset_id: validation_dataset_id, run_id: validation_run_id };
  const { shape, manifest, run } = await openSource(ports, context, source);
  const names = columnsOfExamples(columns);
  const rows = deliveredRows(ports.objects, manifest, run);
  const found = new LowestExamples<TrainingExample>();
  let row = 0;
  for await (const line of linesOfBlocks(
    joinRows({ columns: shape.columns.filter(({ name }) => names.includes(name)), ...rows }),
  )) {
    const example = readExample(columns, readCells(line, names), row);
    row += 1;
    if ('skip' in example || isText(example)) continue;
    found.add(drawOf(example), example);
  }
  const expected = deliveredRowCount(manifest.row_count, run);
  if (row !== expected) {
    throw new ServiceError(
      'run_interrupted',
      `The validation dataset ${validation_dataset_id} gave ${row} of its ${expected} rows: it, or its version, was deleted before they were read.`,
    );
  }
  return found.lowest();
}

const DOUBTFUL = 'an answer that is probably wrong';
const VALIDATES = 'the text of a row of the validation dataset';
const HELD_OUT_REPLY = 'a reply that is held out';
const HELD_OUT_PROMPT = 'an adapted prompt that is held out';

function columnsOfSides({ columns, comparison }: TrainingRecord): ExampleColumns[] {
  return comparison === undefined ? [columns] : [columns, comparison.adapted];
}

const trainingRowsKey = (id: string, side: number, n: number): string =>
  side === 0 ? objectKeys.trainingRows(id, n) : objectKeys.adaptedRows(id, n);

interface OpenedRows {
  readonly source: Awaited<ReturnType<typeof openSource>>;
  readonly delivered: ReturnType<typeof deliveredRows>;
  /** Numbers of the delivered source rows that are left out because they are probably wrong. */
  /** Rows that the training leaves out, and those of the added ones. */
  readonly doubtful: { readonly rows: ReadonlySet<number>; readonly added: ReadonlySet<number> };
}

async function openRows(
  ports: PrepareTrainingPorts,
  context: RunContext,
  { dataset_id, source_run_id: run_id, augmented, doubtful_rows }: TrainingRecord,
): Promise<OpenedRows> {
  const source = await openSource(
    ports,
    context,
    augmented === null ? { dataset_id, run_id } : { dataset_id: augmented.dataset_id, run_id: null },
  );
  const deliver = () => deliveredRows(ports.objects, source.manifest, source.run);
  if (doubtful_rows === undefined) {
    return { source, delivered: deliver(), doubtful: { rows: new Set(), added: new Set() } };
  }
  const { results, added } = deliver();
  const rows = await readDoubtful(results);
  return { source, delivered: deliver(), doubtful: { rows, added: await readMadeOf(rows, added?.results) } };
}

/** The rows with a result that was delivered, and whose doubt says that they are rather wrong than right. */
async function readDoubtful(results: AsyncIterable<Uint8Array> | undefined): Promise<Set<number>> {
  const rows = new Set<number>();
  for await (const body of results ?? []) {
    for (const line of linesIn(Buffer.from(body))) {
      if (!line.includes('"doubt"')) continue;
      const { row, outcome, doubt } = RunResult.parse(JSON.parse(line));
      if (outcome !== 'dropped' && isDoubtful(doubt)) rows.add(row);
    }
  }
  return rows;
}

/** The added rows, by their number among these, that were made of some rows: a translation is as wrong as its source. */
async function readMadeOf(
  rows: ReadonlySet<number>,
  results: AsyncIterable<Uint8Array> | undefined,
): Promise<Set<number>> {
  const made = new Set<number>();
  if (rows.size === 0) return made;
  for await (const body of results ?? []) {
    for (const line of linesIn(Buffer.from(body))) {
      const { row, source_row, outcome } = ExpansionResult.parse(JSON.parse(line));
      if (outcome === 'expanded' && rows.has(source_row)) made.add(row);
    }
  }
  return made;
}

/** The lines of blocks of rows, each of which contains complete lines. */
async function* linesOfBlocks(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const block of blocks) {
    for (const line of block.toString('utf8').split('\n')) if (line !== '') yield line;
  }
}

/** The rows of the dataset's download, or of its augmented version; of a comparison without those that its run added. */
async function* linesOf(
  { source, delivered, doubtful }: OpenedRows,
  training: TrainingRecord,
  names: readonly string[],
): AsyncGenerator<string> {
  const { comparison } = training;
  const columns = source.shape.columns.filter(({ name }) => names.includes(name));
  const { added, ...rows } = delivered;
  const isWhole = comparison === undefined && added !== undefined;
  let count = 0;
  const blocks = joinRows({
    columns,
    ...rows,
    leftOut: doubtful.rows,
    ...(isWhole ? { added: { ...added, leftOut: doubtful.added } } : {}),
  });
  for await (const line of linesOfBlocks(blocks)) {
    count += 1;
    yield line;
  }
  const expected =
    comparison === undefined
      ? deliveredRowCount(source.manifest.row_count, source.run)
      : training.source_rows;
  const left = expected - doubtful.rows.size - (isWhole ? doubtful.added.size : 0);
  if (count !== left) {
    throw new ServiceError('run_interrupted', `The dataset gave ${count} of its ${left} rows.`);
  }
}

function requireRows(
  training: TrainingRecord,
  { examples, heldOut, added }: Readonly<Record<'examples' | 'heldOut' | 'added', number>>,
  skipped: ReadonlyMap<string, number>,
): void {
  const least = modelOf(training).rows_min;
  if (examples >= least && heldOut === 0) throw nothingToCompare();
  if (examples >= least) return;
  const asked = training.augmentation_domain_rows + training.augmentation_general_rows;
  throw tooFewExamples({ model: training.model, least }, examples, skipped, { asked, added });
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

  async add(example: TrainingExample | Examples): Promise<void> {
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
