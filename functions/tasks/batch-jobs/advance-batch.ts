import { advanceBatchJobs } from '#shared/adaptation/advance-batch-jobs.ts';
import { batchJobs } from '#shared/adaptation/pipelines/batch-jobs.ts';
import type { RecordedJob } from '#shared/adaptation/record-job.ts';
import { onTrouble } from '#shared/adaptation/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { batchProvider } from '#shared/models/wire-providers.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

const onRecorded = ({ name, answered, left, inputTokens, outputTokens }: RecordedJob): void =>
  logger.info('batch job recorded', {
    job: name,
    answered,
    left,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  });

export const handler = runTask(
  batchJobs.tasks['advance-batch'],
  {
    objects: objects({ read: ['runs', 'batchOutputs'], write: ['runs'], delete: ['batchOutputs'] }),
    runs: runs('write'),
    provider: batchProvider('write'),
    clock,
  },
  async ({ collected, ...context }, { provider, ...ports }, { deadline }) =>
    advanceBatchJobs(
      { ...ports, provider: await provider(), onTrouble, onRecorded },
      context,
      collected,
      deadline,
    ),
);
