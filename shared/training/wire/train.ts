import { createCalibrationStore } from '#shared/adaptation/store/calibrations.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { models } from '#shared/models/wire/models.ts';
import { env } from '#shared/platform/runtime/env.ts';
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
import { createTaskTokens } from '../adapters/task-tokens.ts';
import { createTrainerQueue } from '../adapters/trainer-queue.ts';
import {
  compareAnswers as compare,
  concludeIteration as conclude,
  planComparison as plan,
} from '../compare-iteration.ts';
import { finishTraining as finish } from '../finish-training.ts';
import { prepareTraining as prepare } from '../prepare-training.ts';
import { proposeIteration as propose } from '../propose-iteration.ts';
import { queueAttempt as queue } from '../queue-attempt.ts';
import { watchTrainers as watch } from '../watch-trainers.ts';
import { theTrainings } from './trainings.ts';

const bucket = { read: ['trainings'], write: ['trainings'] } as const;

export const prepareTraining = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof prepare>>(
  { table: 'write', bucket: { read: ['datasets', 'runs', 'trainings'], write: ['trainings'] } },
  () => (context) =>
    prepare(
      {
        trainings: theTrainings(),
        datasets: createDatasetRepository(theTable()),
        runs: createRunRepository(theTable()),
        objects: theObjects(),
      },
      context,
    ),
);

export const proposeIteration = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof propose>>(
  { table: 'read', bucket },
  () => (context) => propose({ trainings: theTrainings(), objects: theObjects() }, context),
);

/** Handles the message of a state machine that waits for the attempt. */
export const queueAttempt = /* @__PURE__ */ need<(message: string, now: number) => ReturnType<typeof queue>>(
  { table: 'write', bucket, trainerQueues: true, fails: ['train'] },
  () => (message, now) =>
    queue(
      {
        trainings: theTrainings(),
        objects: theObjects(),
        queue: createTrainerQueue((trainer) => env.trainerQueueUrl(trainer)),
        tokens: createTaskTokens(),
        bucket: env.bucketName(),
        lender: env.functionName('tasks/attempts/lend-credentials'),
      },
      QueueAttemptInput.parse(JSON.parse(message)),
      now,
    ),
);

export const planComparison = /* @__PURE__ */ need<(context: AttemptContext) => ReturnType<typeof plan>>(
  { table: 'read', bucket, modelIds: ['judge'] },
  () => (context) =>
    plan(
      {
        trainings: theTrainings(),
        objects: theObjects(),
        calibrations: createCalibrationStore(theTable()),
        judgeId: env.optionalModelId('judge'),
        modelConcurrency: env.modelConcurrency(),
      },
      context,
    ),
);

const judging = /* @__PURE__ */ models(['judge'], callsPerWorker);

export const compareAnswers = /* @__PURE__ */ need<Worker<ComparePlan>>(
  [judging, { bucket }],
  () => async (part, invocation) => {
    const configured = await judging.get()();
    const ports = { ...theModelWorkerPorts(), judge: configured.generator('judge') };
    return measureWorker('compare-answers', (watched) =>
      compare({ ...ports, watch: watched }, part, invocation),
    );
  },
);

type ConcludeIteration = (context: AttemptContext, error: ErrorData | null) => ReturnType<typeof conclude>;

export const concludeIteration = /* @__PURE__ */ need<ConcludeIteration>(
  { table: 'write', bucket, modelIds: ['judge'] },
  () => (context, error) =>
    conclude(
      { trainings: theTrainings(), objects: theObjects(), judgeId: env.optionalModelId('judge') },
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
  () => (context, error, now) =>
    finish(
      {
        trainings: theTrainings(),
        runs: createRunRepository(theTable()),
        objects: theObjects(),
        settleRun: createSettleRun({ ledger: theLedger() }),
      },
      context,
      error,
      now,
    ),
);

export const watchTrainers = /* @__PURE__ */ need<(now: number) => ReturnType<typeof watch>>(
  { table: 'write', bucket: { read: ['trainings'] }, fails: ['train'] },
  () => (now) =>
    watch(
      {
        runs: createRunRepository(theTable()),
        trainings: theTrainings(),
        objects: theObjects(),
        tokens: createTaskTokens(),
      },
      now,
    ),
);
