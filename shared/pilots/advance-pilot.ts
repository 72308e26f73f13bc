import { believedKinds, type CalibrationStore } from '#shared/judging/decide/calibration.ts';
import { isOpenPair } from '#shared/judging/decide/row-verdict.ts';
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
import type { SampledRow } from '#shared/runs/schema/row-score.ts';
import type { BatchPlan, RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';
import type { AssembledArm } from './decide/describe-arm.ts';
import { piloted } from './decide/plan-arms.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import type { PilotJudge } from './decide/state.ts';
import {
  batchOf,
  comparisonOf,
  type Look,
  partsOfFinal,
  partsOfLook,
  rowsOfLook,
  STEPS,
} from './decide/steps.ts';
import { drawSample } from './draw-sample.ts';
import { allArms, type PilotPorts, type PilotWork, readPilot, stoppedArms } from './pilot-work.ts';
import { finalRows, finalsOf, pairOf, writeState } from './write-state.ts';

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
  if (step === 'adapt first') await preparePilot(ports, run);
  const pilot = await readPilot(ports, context);
  // Workers that compare answers stop when the time is up, and leave the reason to the next step.
  const late = step === 'end' ? null : lateness(run, pilot.request.budget, ports.now());
  if (late !== null) throw stopped(late);
  switch (step) {
    case 'adapt first':
      return planAdapting(ports, pilot, number, 0, allArms(pilot));
    case 'adapt rest':
      return planAdapting(ports, pilot, number, 1, await armsInRace(ports, pilot));
    case 'compare first':
      return planComparing(ports, pilot, number, 0);
    case 'compare rest':
      return planComparing(ports, pilot, number, 1);
    case 'finals':
      return planFinals(ports, pilot, number);
    case 'end':
      await writeState(ports, pilot, 'finished');
      return next(ports, pilot, number, 'none', []);
  }
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

/** The arms that a look is about: all in the first, and those that can still win in the second. */
function inRace(arms: readonly AssembledArm[], pilot: PilotWork, look: Look): AssembledArm[] {
  const stopped = look === 0 ? [] : stoppedArms(arms, pilot);
  return arms.filter(({ arm }) => !stopped.includes(arm));
}

/** The arms that take the second look; the state says which were stopped. */
async function armsInRace(ports: PilotPorts, pilot: PilotWork): Promise<number[]> {
  const arms = await writeState(ports, pilot, 'running');
  const [first] = rowsOfLook(1, pilot.lines.length);
  requireAll(arms, pilot, first, { isCompared: true });
  return inRace(arms, pilot, 1).map(({ arm }) => arm);
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

/** Plans the rows of a look for some arms. The first row of the plan object tells whether a pilot has begun. */
function planAdapting(
  ports: AdvancePilotPorts,
  pilot: PilotWork,
  step: number,
  look: Look,
  arms: readonly number[],
): Promise<NextStep> {
  const { run_id: runId } = pilot.context;
  const plan = arms.flatMap((arm) =>
    partsOfLook(look, arm, pilot.lines.length).map((part) =>
      batchOf(pilot.context, part, {
        sample: objectKeys.pilotSample(runId),
        request: objectKeys.pilotArm(runId, arm),
      }),
    ),
  );
  return next(ports, pilot, step, 'adapt', plan);
}

/** Plans the comparison of the rows of a look with the originals, and stores what is known so far. */
async function planComparing(
  ports: AdvancePilotPorts,
  pilot: PilotWork,
  step: number,
  look: Look,
): Promise<NextStep> {
  const { run_id: runId } = pilot.context;
  const plan: ScorePlan[] = [];
  const collectedArms = await writeState(ports, pilot, 'running');
  const [, rows] = rowsOfLook(look, pilot.lines.length);
  requireAll(inRace(collectedArms, pilot, look), pilot, rows, { isCompared: false });
  for (const { arm, described } of collectedArms) {
    for (const part of partsOfLook(look, arm, pilot.lines.length)) {
      const rows = [...described.values()].filter(
        ({ dataset_row: row }) => row >= part.first && row < part.first + part.count,
      );
      if (rows.length === 0) continue;
      const sampleKey = objectKeys.evaluationSample(runId, part.n);
      await writeLines(ports.objects, sampleKey, rows);
      plan.push(
        comparisonOf(pilot.context, part, {
          sample_key: sampleKey,
          request_key: objectKeys.pilotArm(runId, arm),
          compares: 'original',
        }),
      );
    }
  }
  return next(ports, pilot, step, 'score', plan);
}

/**
 * The map tolerates workers that failed, so what they were to leave of the sample's first `rows` rows is counted.
 * @throws {ServiceError} `run_interrupted`
 */
function requireAll(
  arms: readonly AssembledArm[],
  { lines }: PilotWork,
  rows: number,
  { isCompared }: { readonly isCompared: boolean },
): void {
  const missing = arms.reduce((sum, { results, described, scores }) => {
    const compared = [...described.keys()].filter((row) => row < rows && !scores.has(row));
    return sum + Math.max(0, rows - results.size) + (isCompared ? compared.length : 0);
  }, 0);
  if (missing === 0) return;
  throw new ServiceError(
    'run_interrupted',
    `${missing} of ${lines.length * arms.length} rows were not processed. Start another pilot.`,
  );
}

/** The checks of a pair that only a judge can decide. */
const OPEN = { changed: true, has_original: true, before_defect: null, after_defect: null, harm: null };

/** Plans the finals: pairs of answers that the checks leave open go to the judge. */
async function planFinals(ports: AdvancePilotPorts, pilot: PilotWork, step: number): Promise<NextStep> {
  const { run_id: runId } = pilot.context;
  const arms = await writeState(ports, pilot, 'running');
  requireAll(inRace(arms, pilot, 1), pilot, pilot.lines.length, { isCompared: true });
  const plan: ScorePlan[] = [];
  for (const [n, [first, second]] of finalsOf(arms, pilot).entries()) {
    const open = finalRows(first, second).filter((row) => isOpenPair(pairOf(row)));
    for (const part of partsOfFinal(n, open.length)) {
      const sampleKey = objectKeys.evaluationSample(runId, part.n);
      const rows = open.slice(part.first, part.first + part.count).map(
        ({ row, first: mine, second: other }): SampledRow => ({
          dataset_row: row,
          request: mine.request,
          before: mine.after,
          after: other.after,
          checks: OPEN,
        }),
      );
      await writeLines(ports.objects, sampleKey, rows);
      plan.push(
        comparisonOf(pilot.context, part, {
          sample_key: sampleKey,
          request_key: objectKeys.pilotArm(runId, first.arm),
          compares: 'arms',
        }),
      );
    }
  }
  return next(ports, pilot, step, 'score', plan);
}
