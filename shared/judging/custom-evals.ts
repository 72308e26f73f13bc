import { adaptedRunId, type DatasetRecord, hasResult } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJsonLines, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import {
  type Invocation,
  type ModelWorkerPorts,
  runSample,
  type WorkStatus,
} from '#shared/runs/run-worker.ts';
import { RowScore } from '#shared/runs/schema/row-score.ts';
import { type RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';
import { requireJudgePrompt } from './decide/custom-evals/judge-prompt.ts';
import type { CustomEvalEnd, CustomEvalRecord } from './decide/custom-evals/record.ts';
import { toCustomEval } from './decide/custom-evals/record.ts';
import type { CustomEvalRepository } from './decide/custom-evals/repository.ts';
import { createCustomScorer } from './decide/custom-scorer.ts';
import { improvementPercent } from './decide/grade.ts';
import type { CreateCustomEvalRequest, CustomEval } from './schema/custom-eval.ts';
import { rowsToScore } from './score-rows.ts';

/** Maximum open evaluations of one dataset: each asks the judge about the whole sample. */
const OPEN_MAX = 3;
/** The newest ones, among which those are that go on: an evaluation takes minutes. */
const LOOKED_AT_MAX = 40;

export interface CreateCustomEvalPorts {
  readonly datasets: Pick<DatasetRepository, 'require' | 'findEvaluation' | 'listEvaluations'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly customEvals: CustomEvalRepository;
  readonly freeUses: FreeUseLimiter;
  readonly executions: Pick<Executions, 'start'>;
  /** Whether the installation has a judge. */
  readonly hasJudge: boolean;
  readonly newId: () => string;
}

/**
 * Starts to score the sample of a dataset's evaluation by the caller's rubric. It costs no credits.
 * @throws {ServiceError} `invalid_judge_prompt`, `dataset_not_found`, `dataset_not_adapted`, `runs_limit_reached`,
 * `rate_limited`, `not_available_yet` without a judge, `service_unavailable` if it could not be started
 */
export async function createCustomEval(
  ports: CreateCustomEvalPorts,
  input: {
    readonly caller: Caller;
    readonly datasetId: string;
    readonly request: CreateCustomEvalRequest;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<CustomEval> {
  const { caller, request, now } = input;
  const dataset = await ports.datasets.require(caller, input.datasetId);
  requireJudgePrompt(request.judge_prompt);
  if (!ports.hasJudge) {
    throw new ServiceError(
      'not_available_yet',
      'This installation has no judge model. Ask your operator to configure one.',
    );
  }
  const { dataset_id } = dataset;
  const runId = await evaluatedRunId(ports, dataset);
  if (runId === null) {
    throw new ServiceError(
      'dataset_not_adapted',
      'A rubric scores rows before and after an adaptation. Adapt the dataset, and wait until it has succeeded.',
    );
  }
  const open = (await ports.customEvals.list(dataset_id, LOOKED_AT_MAX)).filter((each) =>
    ['pending', 'running'].includes(toCustomEval(each, now).status),
  );
  if (open.length >= OPEN_MAX) {
    throw new ServiceError(
      'runs_limit_reached',
      `${open.length} custom evaluations of this dataset are running, which is the limit. Wait until one has ended.`,
      { retryAfterSeconds: 60 },
    );
  }
  // This also limits concurrent requests that do not see each other's open evaluations.
  await ports.freeUses.admit(caller, 'custom_evals_per_hour', now);

  const record: CustomEvalRecord = {
    custom_eval_id: ports.newId(),
    dataset_id,
    team_id: dataset.team_id,
    run_id: runId,
    status: 'pending',
    judge_prompt: request.judge_prompt,
    name: request.name ?? null,
    score_before: null,
    score_after: null,
    improvement_percent: null,
    scored_rows: null,
    error_message: null,
    created_at: timestamp(now),
    completed_at: null,
  };
  await ports.customEvals.create(record);
  try {
    const { custom_eval_id: run_id, team_id } = record;
    await ports.executions.start('custom-eval', { run_id, dataset_id, team_id });
  } catch (cause) {
    const message = 'The evaluation could not be started. Try again in a moment.';
    await ports.customEvals.end(record, failedEnd(message, now));
    throw new ServiceError('service_unavailable', message, { retryAfterSeconds: 5, cause });
  }
  return toCustomEval(record, now);
}

/** The run of the last adaptation that succeeded and was evaluated; a review of its rows since has no evaluation. */
async function evaluatedRunId(
  { datasets, runs }: Pick<CreateCustomEvalPorts, 'datasets' | 'runs'>,
  dataset: DatasetRecord,
): Promise<string | null> {
  const runId = hasResult(dataset) ? adaptedRunId(dataset) : null;
  if (runId === null) return null;
  const { dataset_id } = dataset;
  if ((await datasets.findEvaluation(dataset_id, runId)) !== null) return runId;
  for (const { run_id } of await datasets.listEvaluations(dataset_id)) {
    const run = await runs.find(dataset_id, run_id);
    if (run?.status === 'succeeded') return run_id;
  }
  return null;
}

function failedEnd(message: string, now: number): CustomEvalEnd {
  return {
    status: 'failed',
    score_before: null,
    score_after: null,
    improvement_percent: null,
    scored_rows: null,
    error_message: message,
    completed_at: timestamp(now),
  };
}

async function requireRecord(
  customEvals: Pick<CustomEvalRepository, 'find'>,
  { dataset_id, run_id }: RunContext,
): Promise<CustomEvalRecord> {
  const record = await customEvals.find(dataset_id, run_id);
  if (record === null) throw new ServiceError('run_interrupted', 'The evaluation is gone.');
  return record;
}

export interface PlanCustomEvalPorts {
  readonly customEvals: Pick<CustomEvalRepository, 'find' | 'begin'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly modelConcurrency: number;
}

/**
 * Uses the sample of the run's own evaluation, so that the two are comparable.
 * @throws {ServiceError} `run_interrupted` if the sample is empty
 */
export async function planCustomEval(
  { customEvals, objects, modelConcurrency }: PlanCustomEvalPorts,
  context: RunContext,
): Promise<{ plan_key: string; max_concurrency: number; results_prefix: string }> {
  const { run_id: runId } = await requireRecord(customEvals, context);
  await customEvals.begin(context.dataset_id, context.run_id);
  const sample = await readLines(objects, objectKeys.evaluationPlan(runId));
  if (sample.length === 0) {
    throw new ServiceError('run_interrupted', 'The adaptation delivered no row that could be scored.');
  }
  const plan = sample.map((line): ScorePlan => ({ ...ScorePlan.parse(JSON.parse(line)), ...context }));
  const planKey = objectKeys.customEvalPlan(runId, context.run_id);
  await writeLines(objects, planKey, plan);
  return {
    plan_key: planKey,
    max_concurrency: workforceOf(modelConcurrency).workers,
    results_prefix: objectKeys.customEvalMap(runId, context.run_id),
  };
}

export interface JudgeSamplePorts extends ModelWorkerPorts {
  readonly customEvals: Pick<CustomEvalRepository, 'find'>;
  readonly judge: ModelClient | null;
}

/** Scores one piece of the sample by the caller's rubric. */
export const judgeSample = (
  ports: JudgeSamplePorts,
  plan: ScorePlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> =>
  runSample(ports, plan, invocation, async ({ sample_key: key, n, ...context }) => {
    const { objects, judge, customEvals } = ports;
    const { run_id: runId, custom_eval_id: id, judge_prompt } = await requireRecord(customEvals, context);
    if (judge === null) {
      throw new ServiceError('model_unavailable', 'The installation has no judge any more.');
    }
    return {
      ...rowsToScore(await readLines(objects, key), { scorer: createCustomScorer(judge, judge_prompt) }),
      resultKey: objectKeys.customEvalScores(runId, id, n),
      checkpointPrefix: objectKeys.customEvalCheckpoints(runId, id, n),
    };
  });

export interface AssembleCustomEvalPorts {
  readonly customEvals: Pick<CustomEvalRepository, 'find' | 'end'>;
  readonly objects: Pick<ObjectStore, 'read'>;
}

/** Concludes a custom evaluation, or records why it failed. Idempotent. */
export async function assembleCustomEval(
  { customEvals, objects }: AssembleCustomEvalPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<{ status: string }> {
  const record = await requireRecord(customEvals, context);
  const { run_id: runId, custom_eval_id: id } = record;
  let end: CustomEvalEnd;
  if (error !== null) end = failedEnd(error.message, now);
  else {
    const scores: RowScore[] = [];
    let lost = 0;
    const plan = await readLines(objects, objectKeys.customEvalPlan(runId, id));
    for (let n = 0; n < plan.length; n += 1) {
      const part = await readJsonLines(objects, objectKeys.customEvalScores(runId, id, n), RowScore);
      if (part.length === 0) lost += 1;
      scores.push(...part);
    }
    end =
      lost === 0
        ? endOf(scores, now)
        : failedEnd(
            `The judge model stopped answering: ${lost} of ${plan.length} parts of the sample were not scored. Start another evaluation.`,
            now,
          );
  }
  await customEvals.end(record, end);
  return { status: end.status };
}

/** Before and after are means over the same rows: those with an answer before, or all if none had one. */
function endOf(scores: readonly RowScore[], now: number): CustomEvalEnd {
  const scored = scores.flatMap(({ before, after }) => (after === null ? [] : [{ before, after }]));
  if (scored.length === 0) {
    const reason = scores.find((score) => score.reason !== undefined)?.reason?.message;
    return failedEnd(`No row could be scored${reason === undefined ? '' : `: ${reason}`}.`, now);
  }
  const paired = scored.filter(({ before }) => before !== null);
  const before = mean(paired.flatMap((row) => row.before?.score ?? []));
  const after = mean((paired.length > 0 ? paired : scored).map((row) => row.after.score));
  return {
    status: 'succeeded',
    score_before: before,
    score_after: after,
    improvement_percent: improvementPercent(before, after),
    scored_rows: scored.length,
    error_message: null,
    completed_at: timestamp(now),
  };
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
}
