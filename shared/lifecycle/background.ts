import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Deletes the objects of a deleted dataset. */
export const eraseDataset = background({
  id: 'tasks/datasets/erase-dataset',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ dataset_id: z.string() }),
    output: z.object({ objects: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 900,
  }),
});

/** Deletes the objects of a deleted version. */
export const eraseVersion = background({
  id: 'tasks/datasets/erase-version',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ dataset_id: z.string(), version: z.int().min(1) }),
    output: z.object({ objects: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 900,
  }),
});

/** Cancels a run: for its team (`POST /datasets/{dataset_id}/cancel`), and for an operator. */
export const cancelRun = background({
  id: 'tasks/runs/cancel-run',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ dataset_id: z.string(), run_id: z.string() }),
    output: z.object({ status: z.string() }),
    // What all arms of a pilot made of its sample.
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});

/** Ends the batch jobs of a run that ended before them. */
export const cancelBatchJobs = background({
  id: 'tasks/runs/cancel-batch-jobs',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ run_id: z.string() }),
    output: z.object({ cancelled: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 300,
  }),
});

/**
 * Ends runs whose execution ended in a way that its own Catch cannot see: as an event reports it, or the sweeper, which
 * finds ends without an event.
 */
export const endInterruptedRun = background({
  id: 'consumers/settle-ended-execution',
  trigger: {
    kind: 'ended-executions',
    pipelines: [
      'ingest',
      'import',
      'adapt',
      'review',
      'pilot',
      'combine',
      'expand',
      'augment',
      'invent',
      'train',
    ],
  },
  ...task({
    input: z.looseObject({
      detail: z.looseObject({
        name: z.string(),
        status: z.string(),
        input: z.string(),
      }),
    }),
    output: z.object({ status: z.string() }),
    // What all arms of a pilot made of its sample.
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});

/**
 * Every five minutes: has active runs ended whose execution is missing or ended, has deleted datasets erased for which that is
 * due, starts runs of evals that wait for a place which is free, and returns credits of lost responses and idle meters.
 */
export const sweepRuns = background({
  id: 'consumers/sweep-runs',
  trigger: { kind: 'schedule', everyMinutes: 5 },
  ...task({
    input: z.looseObject({}),
    output: z.object({
      examined: z.int(),
      handed_over: z.int(),
      erasures: z.int(),
      answers_lost: z.int(),
      credits_returned: z.int(),
    }),
    memoryMb: 256,
    timeoutSeconds: 240,
  }),
});
