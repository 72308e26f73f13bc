import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { batchJobs } from '#shared/adaptation/pipelines/batch-jobs.ts';
import { evaluate } from '#shared/adaptation/pipelines/evaluate.ts';
import { augment } from '#shared/growth/pipelines/augment.ts';
import { combine } from '#shared/growth/pipelines/combine.ts';
import { expand } from '#shared/growth/pipelines/expand.ts';
import { invent } from '#shared/growth/pipelines/invent.ts';
import { importFiles } from '#shared/ingest/pipelines/import.ts';
import { ingest } from '#shared/ingest/pipelines/ingest.ts';
import { customEval } from '#shared/judging/pipelines.ts';
import { pilot } from '#shared/pilots/pipelines.ts';
import type { PipelineContract } from '#shared/platform/pipelines/pipeline.ts';
import { buildIndex } from '#shared/responses/pipelines.ts';
import { review } from '#shared/review/pipelines.ts';
import { mapChunks } from '#shared/runs/pipelines.ts';
import { train } from '#shared/training/pipelines.ts';

/** Every state machine of the service; children come before the machines that start them. */
export const pipelines: readonly PipelineContract[] = [
  mapChunks,
  buildIndex,
  ingest,
  importFiles,
  combine,
  batchJobs,
  evaluate,
  customEval,
  adapt,
  review,
  pilot,
  expand,
  augment,
  invent,
  train,
];
