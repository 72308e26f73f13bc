import { theBatchProvider } from '#shared/models/wire/batch-jobs.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import {
  advanceBatch as advance,
  type BatchJobPorts,
  cancelBatchJobs as cancel,
  type NextStep,
} from '../advance-batch.ts';
import type { RecordedJob } from '../record-job.ts';

const onTrouble: BatchJobPorts['onTrouble'] = (job, { kind, message }) =>
  logger.warn('the provider did not do what was asked for a batch job', { job, kind, message });

const onRecorded = ({ name, answered, left, inputTokens, outputTokens }: RecordedJob): void =>
  logger.info('batch job recorded', {
    job: name,
    answered,
    left,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  });

type AdvanceBatch = (context: RunContext, collected: number, deadlineMs: number) => Promise<NextStep>;

/** Takes the batch jobs of a run one step further. */
export const advanceBatch = /* @__PURE__ */ need<AdvanceBatch>(
  {
    table: 'write',
    bucket: { read: ['runs', 'batchOutputs'], write: ['runs'], delete: ['batchOutputs'] },
    models: ['rewrite', 'answer', 'judge'],
    secrets: ['model_api_key'],
    batchJobs: 'write',
  },
  (use) => {
    const provider = once(() => use(theBatchProvider)());
    return async (context, collected, deadlineMs) =>
      advance(
        {
          objects: use(theObjects),
          runs: createRunRepository(use(theTable)),
          provider: await provider(),
          clock: use(theClock),
          onTrouble,
          onRecorded,
        },
        context,
        collected,
        deadlineMs,
      );
  },
);

/** Ends the batch jobs of a run that has ended. */
export const cancelBatchJobs = /* @__PURE__ */ need<(runId: string) => ReturnType<typeof cancel>>(
  {
    bucket: { read: ['runs'] },
    models: ['rewrite', 'answer', 'judge'],
    secrets: ['model_api_key'],
    batchJobs: 'cancel',
  },
  (use) => {
    const provider = once(() => use(theBatchProvider)());
    return async (runId) =>
      cancel({ objects: use(theObjects), provider: await provider(), onTrouble }, runId);
  },
);
