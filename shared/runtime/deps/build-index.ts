import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { finishIndex as finish, type PlannedIndex, planIndex as plan } from '../../operations/build-index.ts';
import type { ErrorData } from '../../schema/common.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { describeError, logger } from '../logger.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

/** Writes the searchable texts of a dataset, and plans the workers' shards. */
export const planIndex = need<(context: RunContext) => Promise<PlannedIndex>>(
  { table: 'read', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  () => (context) =>
    plan(
      {
        datasets: createDatasetRepository(theTable()),
        runs: createRunRepository(theTable()),
        objects: theObjects(),
        modelConcurrency: env.modelConcurrency(),
      },
      context,
    ),
);

type FinishIndex = (
  context: RunContext,
  plan: PlannedIndex | null,
  error: ErrorData | null,
  now: number,
) => ReturnType<typeof finish>;

/** Makes a build the index of its dataset, or deletes it. */
export const finishIndex = need<FinishIndex>(
  {
    table: 'read',
    bucket: { read: ['datasets', 'runs'], write: ['datasets'], delete: ['datasets', 'runs'] },
  },
  () => (context, planned, error, now) =>
    finish(
      {
        datasets: createDatasetRepository(theTable()),
        objects: theObjects(),
        onFailure: (failure) => logger.error('earlier index not removed', describeError(failure)),
      },
      context,
      planned,
      error,
      now,
    ),
);
