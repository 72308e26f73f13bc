import { readCells } from '#shared/answers/decide/read-cells.ts';
import { type MaterialReader, materialReader, splitCompletion } from '#shared/answers/decide/row-material.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newLimit } from '#shared/models/asking.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import { embedTexts } from '#shared/models/embed-texts.ts';
import { linesIn } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { sampleNested } from '#shared/runs/decide/sample-rows.ts';
import type { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { callSandbox } from '#shared/witnesses/call-sandbox.ts';
import { type ReadJob, readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import { FITTED_ROWS_MIN } from '#shared/witnesses/decide/neighbours/foreign-answers.ts';
import { createNeighboursWitness } from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';
import { weighRows } from '#shared/witnesses/decide/weigh-rows.ts';
import type { WitnessedRow, WitnessFinding } from '#shared/witnesses/decide/witness.ts';
import { judgeJobs } from '#shared/witnesses/execution-witness.ts';
import type { RunDoubts, SilentWitness } from '#shared/witnesses/schema/run-doubts.ts';
import { createCallWitness } from './decide/call-witness.ts';
import { createDryRun } from './decide/dry-run.ts';
import { programFinding } from './decide/program-finding.ts';
import type { AdaptationSpecification } from './decide/specification.ts';

export interface LookAtRowsPorts {
  readonly objects: Pick<ObjectStore, 'read'>;
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

/** Rows of one chunk that are looked at. */
export type RowsBatch = Pick<BatchPlan, 'chunk_key' | 'first_line' | 'first_row' | 'row_count' | 'selected'>;

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

/** What of some rows the witnesses look at. */
interface RowsToSee {
  /** What the checks of the program find, by row; null for a row without a defect. */
  readonly checked: ReadonlyMap<number, WitnessFinding | null>;
  readonly jobs: readonly { readonly row: number; readonly job: ReadJob }[];
  readonly compared: readonly WitnessedRow[];
  /** All rows that were to be looked at. */
  readonly selected: number;
}

/** A chunk that is open. */
interface Chunk {
  readonly key: string;
  readonly lines: readonly string[];
  /** Checks a row by the form that the chunk's rows share; null where the program is not asked. */
  readonly check: ReturnType<typeof createDryRun> | null;
}

export interface RowsToLookAt {
  readonly batches: readonly RowsBatch[];
  readonly specification: AdaptationSpecification;
  /** Names the dataset: the same rows are compared each time. */
  readonly seed: string;
  /** Of rows whose program is a witness, too; null for those of a run, which checks its rows itself. */
  readonly detectLanguage: LanguageDetector | null;
}

/**
 * Has the witnesses that ask no model look at rows, and weighs what they find. A witness that fails, or runs out of time, is
 * silent, and no text of a row makes this throw.
 */
export async function lookAtRows(
  ports: LookAtRowsPorts,
  rows: RowsToLookAt,
): Promise<Omit<RunDoubts, 'asked'>> {
  const missing: SilentWitness[] = [];
  const onFailure = (witness: SilentWitness['witness'], error: unknown): void => {
    if (!missing.some((each) => each.witness === witness)) missing.push({ witness, reason: 'failed' });
    ports.onFailure(witness, error);
  };
  const seen = await readRows(ports, rows);
  if (ports.embedder === null) missing.push({ witness: 'neighbours', reason: 'no_embedding_model' });
  else if (seen.compared.length < FITTED_ROWS_MIN) {
    missing.push({ witness: 'neighbours', reason: 'too_few_rows' });
  }
  const [executed, compared] = await Promise.all([
    execute(ports, seen.jobs, onFailure),
    compare(ports, seen.compared, onFailure),
  ]);
  const findings = new Map<number, WitnessFinding[]>();
  for (const found of [seen.checked, executed, compared]) {
    for (const [row, finding] of found) {
      findings.set(row, [...(findings.get(row) ?? []), ...(finding === null ? [] : [finding])]);
    }
  }
  const lookedAt = [...findings].sort(([a], [b]) => a - b).map(([row, some]) => ({ row, findings: some }));
  return {
    ...weighRows(lookedAt, rows.seed),
    row_count: seen.selected,
    looked_at: { program: seen.checked.size, execution: executed.size, neighbours: compared.size },
    not_looked_at: seen.selected - lookedAt.length,
    missing,
  };
}

/** The rows of batches, ascending. */
export function* rowsOf(batches: readonly RowsBatch[]): Generator<number> {
  for (const { first_row: first, row_count: count, selected } of batches) {
    if (selected !== null) for (const place of selected) yield first + place;
    else for (let place = 0; place < count; place += 1) yield first + place;
  }
}

/** Reads the code of all rows, and the texts of those that are compared, as far as time and memory suffice. */
async function readRows(
  { objects, clock }: Pick<LookAtRowsPorts, 'objects' | 'clock'>,
  { batches, specification, seed, detectLanguage }: RowsToLookAt,
): Promise<RowsToSee> {
  const reader = materialReader(specification);
  const seeCalls = createCallWitness(specification.mapping.chat);
  const endMs = clock.now() + READING_SECONDS * 1000;
  const sample = new Set(sampleNested(rowsOf(batches), COMPARED_ROWS_MAX, seed));
  const checked = new Map<number, WitnessFinding | null>();
  const jobs: { row: number; job: ReadJob }[] = [];
  const compared: WitnessedRow[] = [];
  let selected = 0;
  let [jobCharacters, comparedCharacters] = [0, 0];
  let chunk: Chunk = { key: '', lines: [], check: null };
  for (const batch of batches) {
    selected += batch.selected?.length ?? batch.row_count;
    if (clock.now() >= endMs) continue;
    if (chunk.key !== batch.chunk_key) {
      const lines = linesIn((await objects.read(batch.chunk_key)) ?? Buffer.alloc(0));
      const check = detectLanguage === null ? null : createDryRun(lines, specification, detectLanguage);
      chunk = { key: batch.chunk_key, lines, check };
    }
    for (const row of rowsOf([batch])) {
      if (clock.now() >= endMs) break;
      const line = chunk.lines[batch.first_line + row - batch.first_row] ?? '';
      if (line === '') continue;
      if (chunk.check !== null) {
        const result = await chunk.check(line);
        if (result.outcome !== 'skipped') checked.set(row, programFinding(result));
        const ofCalls = seeCalls(line);
        if (ofCalls !== undefined) checked.set(row, ofCalls ?? checked.get(row) ?? null);
      }
      const witnessed = witnessedRow(reader, row, line);
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
  return { checked, jobs, compared, selected };
}

const lengthOf = ({ prompt, completion, context }: WitnessedRow): number =>
  prompt.length + completion.length + context.length;

/** A row as witnesses see it; null for one that asks or answers nothing, or about an image, which they do not see. */
function witnessedRow(reader: MaterialReader, row: number, line: string): WitnessedRow | null {
  const material = reader.read(readCells(line, reader.columns));
  if ('skip' in material || material.image !== null || material.hasUnseenParts) return null;
  const { answer } = splitCompletion(material.completion);
  if (answer.trim() === '') return null;
  const around = [...material.history, ...material.context].map(({ text }) => text);
  return { row, prompt: material.prompt, completion: answer, context: around.join('\n\n') };
}

type OnFailure = (witness: SilentWitness['witness'], error: unknown) => void;

/** What running the code of rows shows, by row; rows whose code was not run are missing. */
async function execute(
  { runCode, clock, random }: LookAtRowsPorts,
  jobs: RowsToSee['jobs'],
  onFailure: OnFailure,
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
  { embedder, clock, random, callsMax }: LookAtRowsPorts,
  rows: readonly WitnessedRow[],
  onFailure: OnFailure,
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
