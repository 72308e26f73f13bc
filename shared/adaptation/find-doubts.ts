import { readCells } from '#shared/answers/decide/read-cells.ts';
import { type MaterialReader, materialReader, splitCompletion } from '#shared/answers/decide/row-material.ts';
import { newLimit } from '#shared/models/asking.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import { embedTexts } from '#shared/models/embed-texts.ts';
import { linesIn, readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { sampleNested } from '#shared/runs/decide/sample-rows.ts';
import { BatchPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { callSandbox } from '#shared/witnesses/call-sandbox.ts';
import { type ReadJob, readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import { createNeighboursWitness } from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';
import { weighRows } from '#shared/witnesses/decide/weigh-rows.ts';
import type { WitnessedRow, WitnessFinding } from '#shared/witnesses/decide/witness.ts';
import { judgeJobs } from '#shared/witnesses/execution-witness.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { askedRows } from './decide/asked-rows.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { findsDoubts } from './decide/specification.ts';

export interface FindDoubtsPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  /** Null if the installation has no embedding model: then rows are not compared. */
  readonly embedder: EmbeddingClient | null;
  readonly callsMax: number;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Invokes the function that runs code of rows. */
  readonly runCode: (payload: unknown, signal?: AbortSignal) => Promise<unknown>;
  /** Called with what a witness lacks. */
  readonly onFailure: (witness: string, error: unknown) => void;
}

/**
 * Rows that are compared with each other; of more, a sample. Some models embed one text a call: at a tenth of a second each,
 * and 16 at once, the prompts and answers of so many rows take a minute.
 */
const COMPARED_ROWS_MAX = 5_000;
/** Characters of a row that is compared, and of all of them. */
const COMPARED_CHARACTERS_MAX = 20_000;
const COMPARED_TOGETHER_MAX = 100_000_000;
/** Code that is held until it is run. */
const JOBS_MAX = 50_000;
const JOBS_CHARACTERS_MAX = 100_000_000;
/** Seconds for reading rows, and then for each witness; both work at once. */
const READING_SECONDS = 120;
const EXECUTION_SECONDS = 240;
const NEIGHBOURS_SECONDS = 180;
/** Seconds without an answer after which the embedding model is given up: the run waits. */
const OUTAGE_SECONDS = 20;

/** What of the rows of a run the witnesses look at. */
interface RowsToSee {
  readonly jobs: readonly { readonly row: number; readonly job: ReadJob }[];
  readonly compared: readonly WitnessedRow[];
  /** Rows of the run. */
  readonly selected: number;
}

/**
 * Has the witnesses that ask no model look at the rows of a run, and writes what they doubt where its workers read it. A
 * witness that fails, or runs out of time, is silent, and no text of a row makes this throw. Writes nothing for a run that
 * wants no doubts. Idempotent but for time.
 */
export async function findDoubts(
  ports: FindDoubtsPorts,
  context: RunContext,
): Promise<{ doubted: number; not_looked_at: number }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  if (!findsDoubts(specification)) return { doubted: 0, not_looked_at: 0 };
  const batches = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  const seen = await readRows(ports, batches, materialReader(specification), datasetId);
  const [executed, compared] = await Promise.all([execute(ports, seen.jobs), compare(ports, seen.compared)]);

  const findings = new Map<number, WitnessFinding[]>();
  for (const found of [executed, compared]) {
    for (const [row, finding] of found) {
      findings.set(row, [...(findings.get(row) ?? []), ...(finding === null ? [] : [finding])]);
    }
  }
  const lookedAt = [...findings].sort(([a], [b]) => a - b).map(([row, some]) => ({ row, findings: some }));
  const weighed = weighRows(lookedAt);
  const doubts: RunDoubts = {
    ...weighed,
    looked_at: { execution: executed.size, neighbours: compared.size },
    not_looked_at: seen.selected - lookedAt.length,
    asked: askedRows(weighed.rows, () => rowsOf(batches), specification.verification_rows, datasetId),
  };
  await objects.write(objectKeys.doubts(runId), JSON.stringify(doubts), 'application/json');
  return { doubted: doubts.rows.length, not_looked_at: doubts.not_looked_at };
}

/** The rows of a run, ascending. */
function* rowsOf(batches: readonly BatchPlan[]): Generator<number> {
  for (const { first_row: first, row_count: count, selected } of batches) {
    if (selected !== null) for (const place of selected) yield first + place;
    else for (let place = 0; place < count; place += 1) yield first + place;
  }
}

/** Reads the code of all rows, and the texts of those that are compared, as far as time and memory suffice. */
async function readRows(
  { objects, clock }: Pick<FindDoubtsPorts, 'objects' | 'clock'>,
  batches: readonly BatchPlan[],
  reader: MaterialReader,
  seed: string,
): Promise<RowsToSee> {
  const endMs = clock.now() + READING_SECONDS * 1000;
  const sample = new Set(sampleNested(rowsOf(batches), COMPARED_ROWS_MAX, seed));
  const jobs: { row: number; job: ReadJob }[] = [];
  const compared: WitnessedRow[] = [];
  let selected = 0;
  let [jobCharacters, comparedCharacters] = [0, 0];
  let chunk: { readonly key: string; readonly lines: readonly string[] } = { key: '', lines: [] };
  for (const batch of batches) {
    selected += batch.selected?.length ?? batch.row_count;
    if (clock.now() >= endMs) continue;
    if (chunk.key !== batch.chunk_key) {
      chunk = {
        key: batch.chunk_key,
        lines: linesIn((await objects.read(batch.chunk_key)) ?? Buffer.alloc(0)),
      };
    }
    for (const row of rowsOf([batch])) {
      if (clock.now() >= endMs) break;
      const line = chunk.lines[batch.first_line + row - batch.first_row] ?? '';
      const witnessed = line === '' ? null : witnessedRow(reader, row, line);
      if (witnessed === null) continue;
      const characters = lengthOf(witnessed);
      if (
        sample.has(row) &&
        witnessed.prompt.trim() !== '' &&
        characters <= COMPARED_CHARACTERS_MAX &&
        comparedCharacters + characters <= COMPARED_TOGETHER_MAX
      ) {
        compared.push(witnessed);
        comparedCharacters += characters;
      }
      if (jobs.length >= JOBS_MAX || jobCharacters + characters > JOBS_CHARACTERS_MAX) continue;
      const job = readJob(witnessed);
      if (job === null) continue;
      jobs.push({ row, job });
      jobCharacters += characters;
    }
  }
  return { jobs, compared, selected };
}

const lengthOf = ({ prompt, completion, context }: WitnessedRow): number =>
  prompt.length + completion.length + context.length;

/** A row as witnesses see it; null for one that asks or answers nothing, or about an image, which they do not see. */
function witnessedRow(reader: MaterialReader, row: number, line: string): WitnessedRow | null {
  const material = reader.read(readCells(line, reader.columns));
  if ('skip' in material || material.image !== null) return null;
  const { answer } = splitCompletion(material.completion);
  if (answer.trim() === '') return null;
  const around = [...material.history, ...material.context].map(({ text }) => text);
  return { row, prompt: material.prompt, completion: answer, context: around.join('\n\n') };
}

/** What running the code of rows shows, by row; rows whose code was not run are missing. */
async function execute(
  { runCode, clock, random, onFailure }: FindDoubtsPorts,
  jobs: RowsToSee['jobs'],
): Promise<Map<number, WitnessFinding | null>> {
  if (jobs.length === 0) return new Map();
  const judged = await within(clock, EXECUTION_SECONDS, (signal, endMs) => {
    const failed = (error: unknown): void => onFailure('execution', error);
    const run = callSandbox({ call: runCode, clock, random, onFailure: failed }, endMs);
    return judgeJobs(
      run,
      jobs.map(({ job }) => job),
      signal,
    );
  });
  return new Map(
    jobs.flatMap(({ row }, n) => {
      const of = judged[n];
      return of?.isRun === true ? [[row, of.finding] as const] : [];
    }),
  );
}

/** What the comparison of rows with each other shows, by row; none where they cannot be compared. */
async function compare(
  { embedder, clock, random, callsMax, onFailure }: FindDoubtsPorts,
  rows: readonly WitnessedRow[],
): Promise<Map<number, WitnessFinding | null>> {
  if (embedder === null) return new Map();
  const limit = newLimit(clock, random, callsMax);
  const embedding = { embedder, callsMax, clock, random, limit, outageSecondsMax: OUTAGE_SECONDS };
  const witness = createNeighboursWitness({
    embed: async (texts, signal) => (await embedTexts(embedding, texts, signal)).vectors,
  });
  try {
    const findings = await within(clock, NEIGHBOURS_SECONDS, (signal) => witness(rows, signal));
    return new Map(rows.map(({ row = 0 }, n) => [row, findings[n] ?? null]));
  } catch (error) {
    onFailure('neighbours', error);
    return new Map();
  }
}

/** Does work that is aborted after so many seconds. */
async function within<T>(
  clock: Clock,
  seconds: number,
  work: (signal: AbortSignal, endMs: number) => Promise<T>,
): Promise<T> {
  const [late, done] = [new AbortController(), new AbortController()];
  const endMs = clock.now() + seconds * 1000;
  clock.sleep(seconds * 1000, done.signal).then(
    () => late.abort(new Error(`It took more than ${seconds} seconds.`)),
    // The work was done before.
    () => undefined,
  );
  try {
    return await work(late.signal, endMs);
  } finally {
    done.abort();
  }
}
