import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { finishIndex as finish, type PlannedIndex, planIndex as plan } from '../build-index.ts';

/** Writes the searchable texts of a dataset, and plans the workers' shards. */
export const planIndex = /* @__PURE__ */ need<(context: RunContext) => Promise<PlannedIndex>>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  (use) => (context) =>
    plan(
      {
        datasets: createDatasetRepository(use(theTable)),
        runs: createRunRepository(use(theTable)),
        objects: use(theObjects),
        claims: createClaims(use(theTable)),
        modelConcurrency: use.env.modelConcurrency(),
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
export const finishIndex = /* @__PURE__ */ need<FinishIndex>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['datasets'], delete: ['datasets', 'runs'] },
  },
  (use) => (context, planned, error, now) =>
    finish(
      {
        datasets: createDatasetRepository(use(theTable)),
        runs: createRunRepository(use(theTable)),
        claims: createClaims(use(theTable)),
        objects: use(theObjects),
        onFailure: (failure) => logger.error('earlier index not removed', describeError(failure)),
      },
      context,
      planned,
      error,
      now,
    ),
);
