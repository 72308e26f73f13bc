import { believedKinds, type CalibrationStore } from '#shared/judging/decide/calibration.ts';
import { findCalibration } from '#shared/judging/find-judge.ts';
import type { ErrorCode } from '#shared/platform/errors/catalog.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { lateness } from '#shared/runs/decide/stop-reasons.ts';
import type { BatchPlan, RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';
import type { AssembledArm } from './decide/describe-arm.ts';
import { piloted } from './decide/plan-arms.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import type { PilotJudge } from './decide/state.ts';
import { batchOf, comparisonOf, partsOf, STEPS } from './decide/steps.ts';
import { drawSample } from './draw-sample.ts';
import { type PilotPorts, type PilotWork, readPilotWork } from './pilot-work.ts';
import { writeState } from './write-state.ts';

export interface AdvancePilotPorts extends PilotPorts {
  readonly objects: ObjectStore;
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly calibrations: Pick<CalibrationStore, 'findCalibration'>;
  readonly modelConcurrency: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Model id by role, as used in this run. */
  readonly models: Readonly<Record<string, string>>;
  /** Version by prompt, as used in this run. */
  readonly promptVersions: Readonly<Record<string, string>>;
}

/** What the state machine does next: it maps a worker over the plan, or ends. */
export interface NextStep {
  readonly worker: 'adapt' | 'score' | 'none';
  readonly plan_key: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
}

/**
 * Takes a pilot one step further. Each step reads what those before it have left and writes the plan of the workers that
 * follow; a repeated step writes the same. After the last step the state holds the recommendation.
 * @throws {ServiceError} the reason why the run was stopped; `run_interrupted` if it is no longer active
 */
export async function advancePilot(
  ports: AdvancePilotPorts,
  { step: number, ...context }: RunContext & { readonly step: number },
): Promise<NextStep> {
  const { run_id: runId } = context;
  const run = await ports.runs.find(context.dataset_id, runId);
  if (run?.status !== 'running') {
    throw new ServiceError('run_interrupted', 'The pilot has ended before it was done.');
  }
  if (run.stop_reason !== undefined) throw stopped(run.stop_reason);
  const step = STEPS[number];
  if (step === undefined) throw new RangeError(`A pilot has no step ${number}.`);
  if (step === 'adapt') await preparePilot(ports, run);
  const pilot = await readPilotWork(ports, context);
  // Workers that compare answers stop when the time is up, and leave the reason to the next step.
  const late = step === 'end' ? null : lateness(run, pilot.request.budget, ports.now());
  if (late !== null) throw stopped(late);
  if (step === 'adapt') return planAdapting(ports, pilot, number);
  if (step === 'compare') return planComparing(ports, pilot, number);
  requireAll(await writeState(ports, pilot, 'finished'), pilot, { isCompared: true });
  return next(ports, pilot, number, 'none', []);
}

const stopped = ({ code, message }: Pick<ErrorData, 'code' | 'message'>): ServiceError =>
  new ServiceError(code as ErrorCode, message);

/** Draws the sample, writes the request of each arm, and records how many rows there are to adapt. */
async function preparePilot(ports: AdvancePilotPorts, context: RunRecord): Promise<void> {
  const { objects } = ports;
  const { run_id: runId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), PilotRequestObject);
  const judge = await judgeOf(ports);
  await objects.write(objectKeys.pilotJudge(runId), JSON.stringify(judge), 'application/json');
  const { rows } = await drawSample(objects, context, request.sample_rows, request.specification);
  for (const [index, { specification }] of request.arms.entries()) {
    const asked = { request: {}, specification: piloted(specification), budget: request.budget };
    await objects.write(objectKeys.pilotArm(runId, index + 1), JSON.stringify(asked), 'application/json');
  }
  const isActive = await ports.runs.recordPlan(context.dataset_id, runId, {
    total_rows: rows.length * request.arms.length,
    models: { ...ports.models },
    prompt_versions: { ...ports.promptVersions },
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The pilot has ended before it was planned.');
}

async function judgeOf({ calibrations, models }: AdvancePilotPorts): Promise<PilotJudge> {
  const model = models.judge ?? null;
  const calibration = await findCalibration(model, calibrations);
  return {
    model,
    believed: believedKinds(calibration),
    errors:
      calibration === null
        ? null
        : {
            accuracy: calibration.pairs.accuracy,
            false_acceptance: calibration.pairs.false_acceptance,
            n: calibration.pairs.original_better,
          },
  };
}

async function next(
  { objects, modelConcurrency }: AdvancePilotPorts,
  { context }: PilotWork,
  step: number,
  worker: NextStep['worker'],
  plan: readonly (BatchPlan | ScorePlan)[],
): Promise<NextStep> {
  const planKey = objectKeys.pilotPlan(context.run_id, step);
  await writeLines(objects, planKey, plan);
  return {
    worker,
    plan_key: planKey,
    chunk_count: plan.length,
    max_concurrency: workforceOf(modelConcurrency).workers,
  };
}

/** Plans the rows of all arms. The first row of the plan object tells whether a pilot has begun. */
function planAdapting(ports: AdvancePilotPorts, pilot: PilotWork, step: number): Promise<NextStep> {
  const { run_id: runId } = pilot.context;
  const plan = pilot.request.arms.flatMap((_, index) => {
    const arm = index + 1;
    const keys = { sample: objectKeys.pilotSample(runId), request: objectKeys.pilotArm(runId, arm) };
    return partsOf(arm, pilot.lines.length).map((part) => batchOf(pilot.context, part, keys));
  });
  return next(ports, pilot, step, 'adapt', plan);
}

/** Plans the comparison of the answers with the originals, and stores what is known so far. */
async function planComparing(ports: AdvancePilotPorts, pilot: PilotWork, step: number): Promise<NextStep> {
  const { run_id: runId } = pilot.context;
  const plan: ScorePlan[] = [];
  const arms = await writeState(ports, pilot, 'running');
  requireAll(arms, pilot, { isCompared: false });
  for (const { arm, described } of arms) {
    for (const part of partsOf(arm, pilot.lines.length)) {
      const rows = [...described.values()].filter(
        ({ dataset_row: row }) => row >= part.first && row < part.first + part.count,
      );
      if (rows.length === 0) continue;
      const sampleKey = objectKeys.evaluationSample(runId, part.n);
      await writeLines(ports.objects, sampleKey, rows);
      const keys = { sample_key: sampleKey, request_key: objectKeys.pilotArm(runId, arm) };
      plan.push(comparisonOf(pilot.context, part, keys));
    }
  }
  return next(ports, pilot, step, 'score', plan);
}

/**
 * The map tolerates workers that failed, so what they were to leave of the sample is counted.
 * @throws {ServiceError} `run_interrupted`
 */
function requireAll(
  arms: readonly AssembledArm[],
  { lines }: PilotWork,
  { isCompared }: { readonly isCompared: boolean },
): void {
  const missing = arms.reduce((sum, { results, described, scores }) => {
    const compared = [...described.keys()].filter((row) => !scores.has(row));
    return sum + Math.max(0, lines.length - results.size) + (isCompared ? compared.length : 0);
  }, 0);
  if (missing === 0) return;
  throw new ServiceError(
    'run_interrupted',
    `${missing} of ${lines.length * arms.length} rows were not processed. Start another pilot.`,
  );
}
