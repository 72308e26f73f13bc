import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createTrainerQueue } from '../../adapters/sqs/trainer-queue.ts';
import { createTaskTokens } from '../../adapters/stepfunctions/task-tokens.ts';
import {
  compareAnswers as compare,
  concludeIteration as conclude,
  planComparison as plan,
} from '../../operations/compare-iteration.ts';
import { finishTraining as finish } from '../../operations/finish-training.ts';
import { prepareTraining as prepare } from '../../operations/prepare-training.ts';
import { proposeIteration as propose } from '../../operations/propose-iteration.ts';
import { queueAttempt as queue } from '../../operations/queue-attempt.ts';
import { createSettleRun } from '../../operations/settle-run.ts';
import { watchTrainers as watch } from '../../operations/watch-trainers.ts';
import type { ErrorData } from '../../schema/common.ts';
import {
  type AttemptContext,
  type ComparePlan,
  QueueAttemptInput,
  type RunContext,
} from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { measureWorker } from '../measure-worker.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';
import { theTrainings } from './trainings.ts';
import { callsPerWorker, theModelWorkerPorts, type Worker } from './worker-ports.ts';

const bucket = { read: ['trainings'], write: ['trainings'] } as const;

export const prepareTraining = need<(context: RunContext) => ReturnType<typeof prepare>>(
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

export const proposeIteration = need<(context: RunContext) => ReturnType<typeof propose>>(
  { table: 'read', bucket },
  () => (context) => propose({ trainings: theTrainings(), objects: theObjects() }, context),
);

/** Handles the message of a state machine that waits for the attempt. */
export const queueAttempt = need<(message: string, now: number) => ReturnType<typeof queue>>(
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

export const planComparison = need<(context: AttemptContext) => ReturnType<typeof plan>>(
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

const judging = models(['judge'], callsPerWorker);

export const compareAnswers = need<Worker<ComparePlan>>(
  { ...judging.uses, bucket },
  () => async (part, invocation) => {
    const configured = await judging.get()();
    const ports = { ...theModelWorkerPorts(), judge: configured.generator('judge') };
    return measureWorker('compare-answers', (watched) =>
      compare({ ...ports, watch: watched }, part, invocation),
    );
  },
);

type ConcludeIteration = (context: AttemptContext, error: ErrorData | null) => ReturnType<typeof conclude>;

export const concludeIteration = need<ConcludeIteration>(
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

export const finishTraining = need<FinishTraining>(
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

export const watchTrainers = need<(now: number) => ReturnType<typeof watch>>(
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
