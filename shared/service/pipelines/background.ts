import * as z from 'zod';
import { ReadColumnsAnswer, ReadColumnsRequest } from '#shared/ingest/schema/read-columns.ts';
import type { QueueName, TaskContract } from '#shared/platform/pipelines/pipeline.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { SearchAnswer, SearchRequest } from '#shared/responses/schema/dataset-search.ts';
import { ToolServerAnswer, ToolServerRequest } from '#shared/responses/schema/tool-server-call.ts';
import { Inference } from '#shared/runs/schema/invention.ts';
import type { Trainer } from '#shared/training/schema/training.ts';
import {
  LendCredentialsAnswer,
  LendCredentialsInput,
  TrainingJobState,
} from '#shared/training/schema/training-job.ts';

/** The trigger of a function outside of any state machine. */
export type Trigger =
  | { readonly kind: 'invoke' }
  | { readonly kind: 'schedule'; readonly everyMinutes: number }
  /** One message at a time; a failed one is redelivered, at most five times. */
  | { readonly kind: 'queue'; readonly queue: QueueName }
  /** The jobs of a trainer, one at a time; the function returns the messages to redeliver. */
  | { readonly kind: 'trainer-queue'; readonly trainer: Trainer }
  | { readonly kind: 'training-jobs' }
  | { readonly kind: 'ended-executions'; readonly pipelines: readonly string[] };

export interface BackgroundFunction<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends TaskContract<Input, Output> {
  readonly id: string;
  readonly trigger: Trigger;
}

function background<Input extends z.ZodType, Output extends z.ZodType>(
  contract: BackgroundFunction<Input, Output>,
): BackgroundFunction<Input, Output> {
  return contract;
}

/** Builds one export file; the download handler invokes it and waits. */
export const buildExport = background({
  id: 'tasks/exports/build-export',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({
      dataset_id: z.string(),
      team_id: z.string(),
      format: z.enum(['csv', 'json', 'jsonl', 'parquet']),
      run_id: z.string().optional(),
    }),
    output: z.object({ key: z.string() }),
    memoryMb: 2048,
    timeoutSeconds: 900,
    ephemeralStorageMb: 10_240,
    layers: ['duckdb'],
  }),
});

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

/** Cancels a run; an operator invokes it. */
export const cancelRun = background({
  id: 'tasks/runs/cancel-run',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ dataset_id: z.string(), run_id: z.string() }),
    output: z.object({ status: z.string() }),
    memoryMb: 256,
    timeoutSeconds: 240,
  }),
});

/** Embeds a shard of the curated pool; an operator who loads rows invokes it. */
export const embedShard = background({
  id: 'tasks/pool/embed-shard',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ load_id: z.string().regex(/^[0-9a-f]{16}$/), n: z.int().min(0) }),
    output: z.object({ row_count: z.int(), model: z.string(), dimensions: z.int() }),
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});

/** Searches datasets; the function for `POST /responses` invokes it and waits. */
export const searchDatasets = background({
  id: 'tasks/search/search-datasets',
  trigger: { kind: 'invoke' },
  ...task({
    input: SearchRequest,
    output: SearchAnswer,
    // Caches indexes between searches: see the cache's size in `shared/responses/wire/search-datasets.ts`.
    memoryMb: 3008,
    timeoutSeconds: 60,
    answerBytesMax: 4 * 1024 * 1024,
  }),
});

/** Infers the topics of a dataset to invent; the handler of `invent` invokes it and waits. */
export const inferTopics = background({
  id: 'tasks/topics/infer-topics',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ prompt: z.string() }),
    output: Inference,
    memoryMb: 1024,
    timeoutSeconds: 18,
  }),
});

/**
 * Calls remote tool servers, whose addresses callers name: it has no table, bucket, secret or model. It is only
 * invoked synchronously, because its input contains credentials, and Lambda stores the input of asynchronous
 * invocations.
 */
export const callToolServer = background({
  id: 'tasks/tools/call-tool-server',
  trigger: { kind: 'invoke' },
  ...task({
    input: ToolServerRequest,
    output: ToolServerAnswer,
    memoryMb: 512,
    timeoutSeconds: 150,
    answerBytesMax: 5 * 1024 * 1024,
  }),
});

/**
 * Reads the columns of uploaded files; the endpoints that complete uploads invoke it and wait, since they hold the table
 * and this function parses files of strangers.
 */
export const readColumns = background({
  id: 'tasks/uploads/read-columns',
  trigger: { kind: 'invoke' },
  ...task({
    input: ReadColumnsRequest,
    output: ReadColumnsAnswer,
    memoryMb: 1024,
    timeoutSeconds: 20,
    answerBytesMax: 5 * 1024 * 1024,
  }),
});

/** Settles runs whose execution ended in a way that its own Catch cannot see. */
export const settleEndedExecution = background({
  id: 'consumers/settle-ended-execution',
  trigger: {
    kind: 'ended-executions',
    pipelines: ['ingest', 'import', 'adapt', 'combine', 'expand', 'augment', 'invent', 'train'],
  },
  ...task({
    input: z.looseObject({
      detail: z.looseObject({
        name: z.string(),
        status: z.string(),
        stateMachineArn: z.string(),
        input: z.string(),
      }),
    }),
    output: z.object({ status: z.string() }),
    memoryMb: 256,
    timeoutSeconds: 60,
  }),
});

/**
 * Every five minutes: settles active runs whose execution is missing or ended, and returns credits of lost responses
 * and idle meters.
 */
export const sweepRuns = background({
  id: 'consumers/sweep-runs',
  trigger: { kind: 'schedule', everyMinutes: 5 },
  ...task({
    input: z.looseObject({}),
    output: z.object({
      examined: z.int(),
      settled: z.int(),
      answers_lost: z.int(),
      credits_returned: z.int(),
    }),
    memoryMb: 256,
    timeoutSeconds: 240,
  }),
});

/** Every five minutes: deletes uploads beyond a team's limit of uncompleted bytes. */
export const sweepUploads = background({
  id: 'consumers/sweep-uploads',
  trigger: { kind: 'schedule', everyMinutes: 5 },
  ...task({
    input: z.looseObject({}),
    output: z.object({ examined: z.int(), deleted: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 240,
  }),
});

/** Queues the trainer attempts that state machines wait for. */
export const queueAttempt = background({
  id: 'consumers/queue-attempt',
  trigger: { kind: 'queue', queue: 'attempts' },
  ...task({
    input: z.looseObject({ Records: z.array(z.looseObject({ body: z.string() })).length(1) }),
    output: z.object({ is_queued: z.boolean() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/**
 * Lends a trainer credentials for its attempt; trainers invoke it. It is only invoked synchronously, because Lambda
 * stores the input of asynchronous invocations, and its input contains the attempt's secret.
 */
export const lendCredentials = background({
  id: 'tasks/attempts/lend-credentials',
  trigger: { kind: 'invoke' },
  ...task({
    input: LendCredentialsInput,
    output: LendCredentialsAnswer,
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Every minute: gives up the attempts of trainers that are silent. */
export const watchTrainers = background({
  id: 'consumers/watch-trainers',
  trigger: { kind: 'schedule', everyMinutes: 1 },
  ...task({
    input: z.looseObject({}),
    output: z.object({ examined: z.int(), given_up: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 60,
  }),
});

export const backgroundFunctions: readonly BackgroundFunction[] = [
  buildExport,
  eraseDataset,
  cancelRun,
  embedShard,
  searchDatasets,
  inferTopics,
  callToolServer,
  readColumns,
  settleEndedExecution,
  sweepRuns,
  sweepUploads,
  queueAttempt,
  lendCredentials,
  watchTrainers,
];

/** Launches a SageMaker training job for each job of the GPU trainer. */
export const launchTrainingJob = background({
  id: 'consumers/launch-training-job',
  trigger: { kind: 'trainer-queue', trainer: 'gpu' },
  ...task({
    input: z.looseObject({
      Records: z.array(z.looseObject({ messageId: z.string(), body: z.string() })).length(1),
    }),
    output: z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Follows the state changes of SageMaker training jobs. */
export const followTrainingJob = background({
  id: 'consumers/follow-training-job',
  trigger: { kind: 'training-jobs' },
  ...task({
    input: z.looseObject({ detail: TrainingJobState }),
    output: z.object({ outcome: z.string() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Stops the SageMaker jobs of trainings that were ended from outside. */
export const stopTrainingJobs = background({
  id: 'consumers/stop-training-jobs',
  trigger: { kind: 'ended-executions', pipelines: ['train'] },
  ...task({
    input: z.looseObject({ detail: z.looseObject({ input: z.string() }) }),
    output: z.object({ stopped: z.int() }),
    memoryMb: 256,
    timeoutSeconds: 20,
  }),
});

/** Deployed if SageMaker runs the jobs of the GPU trainer. */
export const trainingJobFunctions: readonly BackgroundFunction[] = [
  launchTrainingJob,
  followTrainingJob,
  stopTrainingJobs,
];
