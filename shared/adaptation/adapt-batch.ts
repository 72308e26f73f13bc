import type * as z from 'zod';
import { codeFault } from '#shared/answers/decide/lint/code.ts';
import { createRowLinter } from '#shared/answers/decide/lint/row-linter.ts';
import { readCells, type SourceCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile } from '#shared/answers/decide/row-material.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import type { CalibrationStore } from '#shared/judging/decide/calibration.ts';
import type { SafetyCalibrationStore } from '#shared/judging/decide/safety/safety-calibration.ts';
import { createSafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { findCalibration, safetyJudge } from '#shared/judging/find-judge.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Asking } from '#shared/models/decide/ask-model.ts';
import { type BatchedAnswers, batchedByKey, type WantedCall } from '#shared/models/decide/call-memo.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import type { SearchProvider } from '#shared/models/decide/search/port.ts';
import { createSearcher, type Searcher } from '#shared/models/decide/searcher.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, linesIn, readJson, readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { SpentBudget } from '#shared/runs/decide/budget.ts';
import {
  type Invocation,
  type RunRows,
  runWorker,
  type WorkerPorts,
  type WorkStatus,
} from '#shared/runs/run-worker.ts';
import type { BatchPlan, BatchWork } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { IMAGE_BYTES_MAX } from '#shared/tabular/decide/images/image-cell.ts';
import type { FetchImage } from '#shared/tabular/decide/images/load-image.ts';
import {
  type BlindCalibrationStore,
  blindCalibrationKeyOf,
} from '#shared/witnesses/decide/blind-calibration.ts';
import { adaptRow, rowsToAdapt, withoutDoubtful } from './adapt-row.ts';
import { createRowProgram } from './decide/adapt-rows.ts';
import { BatchedCall, BatchState } from './decide/batch-jobs.ts';
import { RECIPE_PATHS } from './decide/lint-recipe.ts';
import { REUSE_OF_ARM, type RowReuse, type WorkedRow } from './decide/reuse.ts';
import { type KnownRows, withDoubt } from './decide/row-doubts.ts';
import { failingAlone, type RowProgram } from './decide/row-program.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { type AdaptationSpecification, asksModel } from './decide/specification.ts';
import type { AnswerVerifier } from './decide/verify-answer.ts';
import { withSafety } from './decide/with-safety.ts';
import { readDuplicates } from './find-duplicates.ts';
import { readKnownRows } from './read-doubts.ts';
import { openChunkReuse, type RecordCallsPorts } from './record-calls.ts';

/** The models of the installation by role; null if none is configured for one. */
interface Models {
  readonly rewrite: ModelClient | null;
  readonly answer: ModelClient | null;
  readonly judge: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
}

export interface AdaptBatchPorts extends WorkerPorts {
  readonly calibrations: Pick<CalibrationStore, 'findCalibration'> &
    Pick<SafetyCalibrationStore, 'findSafetyCalibration'> &
    Pick<BlindCalibrationStore, 'findBlindCalibration'>;
  /** Null if the installation has no search provider. */
  readonly search: { readonly provider: SearchProvider; readonly concurrencyMax: number } | null;
  readonly models: Models;
  readonly contextTokensMax: number;
  readonly fetchImage: FetchImage;
  /** Called with the key of a malformed object of recorded calls. */
  readonly onMalformed?: (key: string) => void;
}

/** What opens the batches of an invocation. They share the searcher, which holds the limit of concurrent searches. */
export interface OpenBatchPorts extends Omit<AdaptBatchPorts, 'callsPerWorker' | 'search'> {
  /** Null if the installation has no search provider. */
  readonly searcher: Searcher | null;
  readonly known: KnownRows;
}

/** The searcher of an invocation. */
export const searcherOf = ({
  search,
  clock,
  random,
}: Pick<AdaptBatchPorts, 'search' | 'clock' | 'random'>): Searcher | null =>
  search === null ? null : createSearcher({ ...search, clock, random });

/** Adapts a batch of rows, or several small ones of one run: one result a row, for any outcome. */
export async function adaptBatch(
  ports: AdaptBatchPorts,
  work: BatchWork,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> {
  const request = await readRequest(ports, work);
  const callsPerWorker = callsOf(ports, request.specification);
  const known = await readKnownRows(ports.objects, work, request);
  const opening = { ...ports, searcher: searcherOf(ports), known };
  return runWorker({ ...ports, callsPerWorker }, work, invocation, async (batch) => ({
    budget: await budgetOf(ports, batch, request),
    ...(await openBatch(opening, batch, request)),
  }));
}

export const readRequest = (
  { objects }: Pick<AdaptBatchPorts, 'objects'>,
  { run_id: runId, request_key: key }: BatchPlan,
): Promise<RunRequestObject> => readJson(objects, key ?? objectKeys.runRequest(runId), RunRequestObject);

/** The limits of a run. What its batch jobs have used counts before the rows that use it are done. */
async function budgetOf(
  { objects }: Pick<AdaptBatchPorts, 'objects'>,
  { run_id: runId }: BatchPlan,
  { budget, processing }: RunRequestObject,
): Promise<SpentBudget> {
  if (processing !== 'batch' || budget.tokens === null) return budget;
  const state = await findJson(objects, objectKeys.batchState(runId), BatchState);
  return { ...budget, spentTokens: state?.tokens ?? 0 };
}

/**
 * Reads the rows of a batch, and what decides about them.
 * @param collect is called with each call that waits for a batch job, where calls are collected
 */
export async function openBatch(
  ports: OpenBatchPorts,
  batch: BatchPlan,
  request: RunRequestObject,
  collect?: (call: WantedCall) => void,
): Promise<Omit<RunRows<WorkedRow>, 'budget'>> {
  const { objects, known } = ports;
  const { run_id: runId, n } = batch;
  const { specification } = request;
  const hasDoubtColumns = asksModel(specification);
  const dropsDoubtful = specification.verification === 'drop';
  const body = (await objects.read(batch.chunk_key)) ?? Buffer.alloc(0);
  const chunk = linesIn(body);
  const lines = chunk.slice(batch.first_line, batch.first_line + batch.row_count);
  if (lines.length !== batch.row_count) {
    throw new Error(`The chunk of batch ${n} has ${lines.length} of its ${batch.row_count} rows.`);
  }
  const selected = batch.selected === null ? null : new Set(batch.selected);
  const unselected = selected === null ? 0 : batch.row_count - selected.size;

  const repeated = specification.deduplication ? await readDuplicates(objects, runId, n) : null;

  const { lint } = specification;
  const linter =
    lint === null
      ? null
      : createRowLinter(specification, { ...lint, checks: lint.drop }, RECIPE_PATHS, codeFault);

  const reuse = await reuseOf(ports, batch, body, request);
  const batches =
    request.processing === 'batch'
      ? { answers: await readBatchedAnswers(objects, batch), collect }
      : undefined;
  const program = await programOf(ports, batch, specification, chunk);

  const columns = [...new Set([...program.columns, ...(linter?.columns ?? [])])];

  /** Why the run leaves a row out. */
  function leftOut(row: number, cells: SourceCells): Pick<RunResult, 'outcome' | 'reason'> | null {
    if (selected !== null && !selected.has(row - batch.first_row)) return NOT_SELECTED;
    const [finding] = linter?.row(cells) ?? [];
    const found = finding === undefined ? undefined : { code: finding.check, message: `${finding.message}.` };
    const reason = repeated?.get(row) ?? found;
    return reason === undefined ? null : { outcome: 'dropped', reason };
  }

  async function work(line: string, row: number, asking: Asking): Promise<WorkedRow> {
    const cells = readCells(line, columns);
    const left = leftOut(row, cells);
    if (left === null)
      return adaptRow({ program, reuse, batches, known, hasDoubtColumns, dropsDoubtful }, row, cells, asking);
    const text = left.outcome === 'dropped' ? {} : { cells: program.original(cells) };
    return { row, ...left, ...text, tokens: { input: 0, output: 0 }, calls: 0 };
  }

  // Rows that a pilot has left were worked on before anyone looked for doubts.
  const doubted = (result: WorkedRow): WorkedRow => {
    const told =
      result.doubt === undefined && result.outcome !== 'not_selected'
        ? withDoubt(result, known(result.row).doubt, hasDoubtColumns)
        : result;
    return dropsDoubtful ? withoutDoubtful(told) : told;
  };
  const rows = rowsToAdapt(lines, reuse, work);
  return {
    unselected,
    ...rows,
    complete: (results) => rows.complete(results.map(doubted)),
  };
}

/** The recorded calls of a batch; none with web sources, because what a search finds changes. */
async function reuseOf(
  ports: RecordCallsPorts,
  batch: BatchPlan,
  body: Buffer,
  request: RunRequestObject,
): Promise<RowReuse | undefined> {
  if (request.specification.grounding) return undefined;
  return batch.request_key === undefined ? openChunkReuse(ports, batch, body, request) : REUSE_OF_ARM;
}

/** What batch jobs of the run have answered of the calls of a batch. */
async function readBatchedAnswers(
  objects: Pick<ObjectStore, 'list' | 'read'>,
  { run_id: runId, n }: Pick<BatchPlan, 'run_id' | 'n'>,
): Promise<BatchedAnswers> {
  const answers: z.infer<typeof BatchedCall>[] = [];
  for await (const key of objects.list(objectKeys.batchedAnswersOf(runId, n))) {
    answers.push(...(await readJsonLines(objects, key, BatchedCall)));
  }
  return batchedByKey(answers);
}

const NOT_SELECTED = {
  outcome: 'not_selected',
  reason: { code: 'not_selected', message: 'The row is not in the sample of max_rows.' },
} as const;

/** Concurrent rows with image files: a worker's memory holds several copies of each. */
const FILE_IMAGES_AT_ONCE = 16;

function callsOf({ callsPerWorker }: AdaptBatchPorts, { image_format }: AdaptationSpecification): number {
  return image_format === 'file_reference' ? Math.min(callsPerWorker, FILE_IMAGES_AT_ONCE) : callsPerWorker;
}

/** The file; of an oversized one only enough bytes to detect that it is too large. */
async function readImageFile(objects: ObjectStore, key: string): Promise<Buffer | null> {
  return (await objects.head(key)) === null ? null : objects.readRange(key, 0, IMAGE_BYTES_MAX);
}

/** The judge as the one who says whether answers are true, as far as it was measured; null without one. */
async function findVerifier(
  judge: ModelClient | null,
  calibrations: Pick<BlindCalibrationStore, 'findBlindCalibration'>,
): Promise<AnswerVerifier | null> {
  if (judge === null) return null;
  return {
    model: judge,
    calibration: await calibrations.findBlindCalibration(blindCalibrationKeyOf(judge.modelId)),
  };
}

/** @throws {ServiceError} `model_unavailable` if the installation lacks a model that the run needs */
async function programOf(
  ports: OpenBatchPorts,
  batch: BatchPlan,
  specification: AdaptationSpecification,
  chunk: readonly string[],
): Promise<RowProgram> {
  const { objects } = ports;
  const { rewrite, answer, judge, embedder } = ports.models;
  if (rewrite === null || answer === null) {
    throw new ServiceError(
      'model_unavailable',
      'The installation has no model for rewriting: configure one.',
    );
  }
  const detectLanguage = await loadLanguageDetector();
  const calibration = await findCalibration(judge?.modelId ?? null, ports.calibrations);
  const isVerified = asksModel(specification);
  const rows = createRowProgram({
    specification,
    rewriteModel: rewrite,
    answerModel: answer,
    arbiter: createArbiter({ judge, calibration, detectLanguage }),
    detectLanguage,
    verifier: isVerified ? await findVerifier(judge, ports.calibrations) : null,
    profile: learnProfile(chunk, specification, detectLanguage),
    contextTokensMax: ports.contextTokensMax,
    readImageFile: (path) => readImageFile(objects, objectKeys.file(batch.dataset_id, path)),
    fetchImage: ports.fetchImage,
    searcher: ports.searcher,
  });
  const program = failingAlone(rows);
  const { safety } = specification;
  if (safety === null) return program;
  const scorer = createSafetyScorer({
    judge: await safetyJudge(judge, ports.calibrations),
    embedder,
    detectLanguage,
  });
  return withSafety(program, safety, scorer, specification);
}
