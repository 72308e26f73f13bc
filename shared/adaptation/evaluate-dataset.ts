import { lengthTargetOf } from '#shared/answers/decide/length.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import { assembleEvaluation } from '#shared/judging/decide/assemble-evaluation.ts';
import type { CalibrationStore } from '#shared/judging/decide/calibration.ts';
import { type DrawnRow, describeRow, readingOf } from '#shared/judging/decide/describe-row.ts';
import { createScorer, scoringModeOf } from '#shared/judging/decide/scorer.ts';
import { findCalibration } from '#shared/judging/find-judge.ts';
import { rowsToScore, type ScoreMemos } from '#shared/judging/score-rows.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson, readJsonLines, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunBudget } from '#shared/runs/decide/budget.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { sampleNested } from '#shared/runs/decide/sample-rows.ts';
import { type Invocation, runSample, type WorkerPorts, type WorkStatus } from '#shared/runs/run-worker.ts';
import { RowScore, type SampledRow, type ScoredRow } from '#shared/runs/schema/row-score.ts';
import { BatchPlan, type RunContext, type ScorePlan } from '#shared/runs/schema/run-context.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import { superviseBatch } from '#shared/runs/supervise-batch.ts';
import { type RowReuse, reuseRow } from './decide/reuse.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { openScoreReuse } from './record-calls.ts';

/** Rows of a sample that one worker scores. */
const SAMPLE_BATCH_ROWS = 25;

export interface PlanEvaluationPorts {
  readonly datasets: Pick<DatasetRepository, 'recordEvaluation'>;
  readonly objects: ObjectStore;
  readonly sampleRowsMax: number;
  readonly modelConcurrency: number;
}

/** Samples of a dataset are nearly the same from run to run, so that their scores are reused. */
const seedOf = (datasetId: string): string => `evaluation ${datasetId}`;

/**
 * Draws the sample of a run's evaluation from the delivered rows, with the texts before and after and the results
 * of the checks (rows without anything to score are left out), and marks the evaluation as running.
 */
export async function planEvaluation(
  ports: PlanEvaluationPorts,
  context: RunContext,
  now: number,
): Promise<{ plan_key: string; chunk_count: number; max_concurrency: number }> {
  const { run_id: runId } = context;
  const at = new Date(now).toISOString();
  await ports.datasets.recordEvaluation(context.team_id, {
    dataset_id: context.dataset_id,
    run_id: runId,
    status: 'running',
    quality: null,
    results_key: null,
    started_at: at,
    updated_at: at,
  });
  const { specification } = await readJson(ports.objects, objectKeys.runRequest(runId), RunRequestObject);
  const drawn = await drawSample(ports, context);
  const detectLanguage = await loadLanguageDetector();
  const reading = readingOf(
    drawn.map(({ line }) => line),
    specification,
    detectLanguage,
  );
  const sample = drawn.flatMap((row) => describeRow(row, reading) ?? []);

  const batches: SampledRow[][] = [];
  for (let at = 0; at < sample.length; at += SAMPLE_BATCH_ROWS)
    batches.push(sample.slice(at, at + SAMPLE_BATCH_ROWS));
  const plan: ScorePlan[] = [];
  for (const [n, batch] of batches.entries()) {
    const key = objectKeys.evaluationSample(runId, n);
    await writeLines(ports.objects, key, batch);
    plan.push({ ...context, n, first_row: n * SAMPLE_BATCH_ROWS, sample_key: key });
  }
  const planKey = objectKeys.evaluationPlan(runId);
  await writeLines(ports.objects, planKey, plan);
  return {
    plan_key: planKey,
    chunk_count: plan.length,
    max_concurrency: workforceOf(ports.modelConcurrency).workers,
  };
}

/** Reads the batches with sampled rows, one at a time; dropped and failed rows are not sampled. */
async function drawSample(
  ports: Pick<PlanEvaluationPorts, 'objects' | 'sampleRowsMax'>,
  { dataset_id: datasetId, run_id: runId }: RunContext,
): Promise<DrawnRow[]> {
  const batches = await readJsonLines(ports.objects, objectKeys.plan(runId), BatchPlan);
  const rows = sampleNested(selectedRows(batches), ports.sampleRowsMax, seedOf(datasetId));
  const sample: DrawnRow[] = [];
  for (const batch of batches) {
    const wanted = rows.filter((row) => row >= batch.first_row && row < batch.first_row + batch.row_count);
    if (wanted.length === 0) continue;
    const lines = (await readLines(ports.objects, batch.chunk_key)).slice(batch.first_line);
    const found = await readJsonLines(ports.objects, objectKeys.result(runId, batch.n), RunResult);
    const results = new Map(found.map((result) => [result.row, result]));
    for (const row of wanted) {
      const line = lines[row - batch.first_row];
      const result = results.get(row);
      if (line === undefined || result === undefined) continue;
      if (!isDelivered(result)) continue;
      sample.push({ line, result });
    }
  }
  return sample;
}

/** The dataset's rows that a run processes. */
function* selectedRows(batches: readonly BatchPlan[]): Generator<number> {
  for (const { first_row: first, row_count: count, selected } of batches) {
    if (selected === null) for (let place = 0; place < count; place += 1) yield first + place;
    else for (const place of selected) yield first + place;
  }
}

export interface ScoreSamplePorts extends Omit<WorkerPorts, 'unbilled'> {
  readonly calibrations: Pick<CalibrationStore, 'findCalibration'>;
  readonly models: { readonly judge: ModelClient | null; readonly embedder: EmbeddingClient | null };
  /** Called with the key of a malformed object of recorded calls. */
  readonly onMalformed?: (key: string) => void;
}

/** Scores one piece of the sample. */
export const scoreSample = (
  ports: ScoreSamplePorts,
  plan: ScorePlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> => runSample(ports, plan, invocation, (own) => openSample(ports, own));

async function openSample(ports: ScoreSamplePorts, plan: ScorePlan) {
  const { objects } = ports;
  const { judge, embedder } = ports.models;
  const { run_id: runId, n } = plan;
  const {
    specification,
    budget,
    anew = false,
  } = await readJson(objects, plan.request_key ?? objectKeys.runRequest(runId), RunRequestObject);
  const calibration = await findCalibration(judge?.modelId ?? null, ports.calibrations);
  const detectLanguage = await loadLanguageDetector();
  const length = lengthTargetOf(specification.length);
  const isPiloted = plan.request_key !== undefined;
  const scoring = {
    reuse: isPiloted ? undefined : memosOf(await openScoreReuse(ports, plan, anew)),
    scorer: isPiloted ? null : createScorer({ judge, calibration, embedder, detectLanguage, length }),
    arbiter: createArbiter({ judge, calibration, detectLanguage }),
  };
  return {
    ...rowsToScore(await readLines(objects, plan.sample_key), scoring),
    ...(isPiloted ? untilStopped(ports, plan, budget) : {}),
    resultKey: objectKeys.evaluationScores(runId, n),
    checkpointPrefix: objectKeys.evaluationCheckpoints(runId, n),
  };
}

/** The recorded calls of earlier evaluations, as the scoring of rows takes them. */
const memosOf = (reuse: RowReuse): ScoreMemos => ({
  memoOf: (row) => reuseRow(reuse, row).memo,
  write: reuse.write,
});

/** Pairs of a pilot are compared while its run goes on: not after a cancellation, nor beyond its minutes. */
function untilStopped(ports: ScoreSamplePorts, plan: ScorePlan, budget: RunBudget) {
  const { shouldStop, mayFinish } = superviseBatch(ports, plan, budget, 0);
  return { shouldStop, mayFinish };
}

export interface AssembleEvaluationPorts {
  readonly datasets: Pick<DatasetRepository, 'findEvaluation' | 'recordEvaluation' | 'listGradedScores'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: ObjectStore;
  readonly calibrations: Pick<CalibrationStore, 'findCalibration'>;
}

/** Concludes an evaluation, or records why it failed. */
export async function assembleDatasetEvaluation(
  ports: AssembleEvaluationPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<{ status: string }> {
  const { dataset_id: datasetId, run_id: runId } = context;
  const at = new Date(now).toISOString();
  const started = await ports.datasets.findEvaluation(datasetId, runId);
  const record = {
    dataset_id: datasetId,
    run_id: runId,
    results_key: objectKeys.evaluation(runId),
    started_at: started?.started_at ?? at,
    updated_at: at,
  };
  if (error !== null) {
    await ports.objects.write(record.results_key, JSON.stringify({ error }), 'application/json');
    await ports.datasets.recordEvaluation(context.team_id, { ...record, status: 'failed', quality: null });
    return { status: 'failed' };
  }

  const run = await ports.runs.find(datasetId, runId);
  const calibration = await findCalibration(run?.models.judge ?? null, ports.calibrations);
  const scores: RowScore[] = [];
  const plan = await readLines(ports.objects, objectKeys.evaluationPlan(runId));
  const batches = await readJsonLines(ports.objects, objectKeys.plan(runId), BatchPlan);
  for (let n = 0; n < plan.length; n += 1) {
    scores.push(...(await readJsonLines(ports.objects, objectKeys.evaluationScores(runId, n), RowScore)));
  }
  const { status, quality, rawResults } = assembleEvaluation({
    scores,
    mode: scoringModeOf(calibration),
    calibration,
    judgeErrors:
      calibration === null
        ? null
        : {
            accuracy: calibration.pairs.accuracy,
            false_acceptance: calibration.pairs.false_acceptance,
            n: calibration.pairs.original_better,
          },
    models: { judge: run?.models.judge ?? null, answer: run?.models.answer ?? null },
    embeddingModelId: run?.models.embed ?? null,
    // Rows in other languages are not sampled.
    population: batches.reduce(
      (rows, { selected, row_count: count }) => rows + (selected?.length ?? count),
      0,
    ),
    seed: seedOf(datasetId),
    otherScores: await ports.datasets.listGradedScores(datasetId),
  });
  await ports.objects.write(record.results_key, JSON.stringify(rawResults), 'application/json');
  const rows = scores.map(toScoredRow);
  await ports.objects.write(objectKeys.evaluationRows(runId), JSON.stringify(rows), 'application/json');
  await ports.datasets.recordEvaluation(context.team_id, { ...record, status, quality });
  return { status };
}

function toScoredRow({ dataset_row: row, before, after, comparison }: RowScore): ScoredRow {
  return {
    row,
    before: before?.score ?? null,
    after: after?.score ?? null,
    preferred: comparison?.winner ?? null,
  };
}
