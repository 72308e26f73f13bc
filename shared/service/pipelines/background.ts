import { advanceDeployment } from '#shared/deployments/background.ts';
import { workEvalRun } from '#shared/evals/background.ts';
import { publishEvents, sweepEvents } from '#shared/events/background.ts';
import { buildDiff, buildExport, indexRows, lookAtRows } from '#shared/exports/background.ts';
import { embedShard, inferTopics } from '#shared/growth/background.ts';
import { readColumns, sweepUploads } from '#shared/ingest/background.ts';
import {
  cancelBatchJobs,
  cancelRun,
  endInterruptedRun,
  eraseDataset,
  eraseVersion,
  sweepRuns,
} from '#shared/lifecycle/background.ts';
import { workBatch } from '#shared/openai/background.ts';
import type { BackgroundFunction } from '#shared/platform/pipelines/background.ts';
import { probe } from '#shared/probe/background.ts';
import { publish } from '#shared/publishing/background.ts';
import { callToolServer, searchDatasets } from '#shared/responses/background.ts';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import {
  followTrainingJob,
  launchTrainingJob,
  lendCredentials,
  queueAttempt,
  stopTrainingJobs,
  watchTrainers,
} from '#shared/training/background.ts';
import { deliverWebhook } from '#shared/webhooks/background.ts';
import { runCode } from '#shared/witnesses/background.ts';

/** Every function outside of state machines, but for those below. */
export const backgroundFunctions: readonly BackgroundFunction[] = [
  buildExport,
  indexRows,
  lookAtRows,
  buildDiff,
  publish,
  advanceDeployment,
  eraseDataset,
  eraseVersion,
  cancelRun,
  cancelBatchJobs,
  embedShard,
  searchDatasets,
  inferTopics,
  runCode,
  callToolServer,
  readColumns,
  endInterruptedRun,
  sweepRuns,
  sweepUploads,
  publishEvents,
  sweepEvents,
  deliverWebhook,
  workEvalRun,
  workBatch,
  queueAttempt,
  lendCredentials,
  watchTrainers,
];

/** Deployed if SageMaker runs the jobs of the GPU trainer. */
export const trainingJobFunctions: readonly BackgroundFunction[] = [
  launchTrainingJob,
  followTrainingJob,
  stopTrainingJobs,
];

/** Deployed if telemetry leaves by OpenTelemetry. */
export const telemetryFunctions: readonly BackgroundFunction[] = [forwardTelemetry];

/** Deployed if the operator wants the probe. */
export const probeFunctions: readonly BackgroundFunction[] = [probe];

/** Every function outside of state machines, those of optional parts too. */
export const allBackgroundFunctions: readonly BackgroundFunction[] = [
  ...backgroundFunctions,
  ...trainingJobFunctions,
  ...telemetryFunctions,
  ...probeFunctions,
];
