import { createCalibrationStore } from '#shared/adaptation/store/calibrations.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { models } from '#shared/models/wire/models.ts';
import { need } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import {
  type AttemptContext,
  type ComparePlan,
  QueueAttemptInput,
  type RunContext,
} from '#shared/runs/schema/run-context.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theModelWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import {
  compareAnswers as compare,
  concludeIteration as conclude,
  planComparison as plan,
} from '../compare-iteration.ts';
import { finishTraining as finish } from '../finish-training.ts';
import { prepareTraining as prepare } from '../prepare-training.ts';
import { proposeHyperparams as propose } from '../propose-hyperparams.ts';
import { queueAttempt as queue } from '../queue-attempt.ts';
import { removeLateOutputs as removeLate } from '../remove-late-outputs.ts';
import { watchTrainers as watch } from '../watch-trainers.ts';
import { theTaskTokens } from './task-tokens.ts';
import { theTrainerQueue } from './trainer-queue.ts';
import { theTrainings } from './trainings.ts';

const bucket = { read: ['trainings'], write: ['trainings'] } as const;

export const prepareTraining = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof prepare>>(
  { table: 'write', bucket: { read: ['datasets', 'runs', 'trainings'], write: ['trainings'] } },
  (use) => (context) =>
    prepare(
      {
        trainings: theTrainings(use),
        datasets: createDatasetRepository(use(theTable)),
        runs: createRunRepository(use(theTable)),
        objects: use(theObjects),
      },
      context,
    ),
);

export const proposeHyperparams = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof propose>>(
  { table: 'read', bucket },
  (use) => (context) => propose({ trainings: theTrainings(use), objects: use(theObjects) }, context),
);

/** Handles the message of a state machine that waits for the attempt. */
export const queueAttempt = /* @__PURE__ */ need<(message: string, now: number) => ReturnType<typeof queue>>(
  { table: 'write', bucket, trainerQueues: true, fails: ['train'] },
  (use) => (message, now) =>
    queue(
      {
        trainings: theTrainings(use),
        objects: use(theObjects),
        queue: use(theTrainerQueue),
        tokens: use(theTaskTokens),
        bucket: use.env.bucketName(),
        lender: use.env.functionName('tasks/attempts/lend-credentials'),
      },
      QueueAttemptInput.parse(JSON.parse(message)),
      now,
    ),
);

export const planComparison = /* @__PURE__ */ need<(context: AttemptContext) => ReturnType<typeof plan>>(
  { table: 'read', bucket, modelIds: ['judge'] },
  (use) => (context) =>
    plan(
      {
        trainings: theTrainings(use),
        objects: use(theObjects),
        calibrations: createCalibrationStore(use(theTable)),
        judgeId: use.env.optionalModelId('judge'),
        modelConcurrency: use.env.modelConcurrency(),
      },
      context,
    ),
);

const judging = /* @__PURE__ */ models(['judge'], callsPerWorker);

export const compareAnswers = /* @__PURE__ */ need<Worker<ComparePlan>>(
  [judging, { bucket }],
  (use) => async (part, invocation) => {
    const configured = await use(judging)();
    const ports = { ...theModelWorkerPorts(use), judge: configured.generator('judge') };
    return measureWorker('compare-answers', (watched) =>
      compare({ ...ports, watch: watched }, part, invocation),
    );
  },
);

type ConcludeIteration = (context: AttemptContext, error: ErrorData | null) => ReturnType<typeof conclude>;

export const concludeIteration = /* @__PURE__ */ need<ConcludeIteration>(
  { table: 'write', bucket, modelIds: ['judge'] },
  (use) => (context, error) =>
    conclude(
      { trainings: theTrainings(use), objects: use(theObjects), judgeId: use.env.optionalModelId('judge') },
      context,
      error,
    ),
);

type FinishTraining = (
  context: RunContext,
  error: ErrorData | null,
  now: number,
) => ReturnType<typeof finish>;

export const finishTraining = /* @__PURE__ */ need<FinishTraining>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs', 'trainings'], write: ['trainings'], delete: ['trainings'] },
  },
  (use) => (context, error, now) =>
    finish(
      {
        trainings: theTrainings(use),
        datasets: createDatasetRepository(use(theTable)),
        runs: createRunRepository(use(theTable)),
        objects: use(theObjects),
        settleRun: createSettleRun({ ledger: theLedger(use) }),
      },
      context,
      error,
      now,
    ),
);

export const watchTrainers = /* @__PURE__ */ need<(now: number) => ReturnType<typeof watch>>(
  { table: 'write', bucket: { read: ['trainings'] }, fails: ['train'] },
  (use) => (now) =>
    watch(
      {
        runs: createRunRepository(use(theTable)),
        trainings: theTrainings(use),
        objects: use(theObjects),
        tokens: use(theTaskTokens),
      },
      now,
    ),
);

export const removeLateOutputs = /* @__PURE__ */ need<(now: number) => ReturnType<typeof removeLate>>(
  { table: 'write', bucket: { read: ['trainings'], delete: ['trainings'] } },
  (use) => (now) => removeLate({ trainings: theTrainings(use), objects: use(theObjects) }, now),
);
