import type { ModelRole } from '../schema/model-role.ts';

/** Key prefixes of the data bucket, by what lies there. */
export const bucketPrefixes = {
  uploads: 'uploads/',
  imports: 'imports/',
  datasets: 'datasets/',
  runs: 'runs/',
  exports: 'exports/',
  pool: 'pool/',
  trainings: 'trainings/',
  responses: 'responses/',
} as const;
export type BucketPrefix = keyof typeof bucketPrefixes;

/** Queues whose messages a function of the service takes. */
export type QueueName = 'attempts';

export type SecretName = 'cursor_signing' | 'model_api_key';

/**
 * What a function touches. Its IAM role and its environment are derived from this and hold nothing else, so a need
 * that is not declared here fails on the first call, also on the local cloud.
 */
export interface Uses {
  /** `write` includes `read`. */
  readonly table?: 'read' | 'write';
  readonly bucket?: {
    readonly read?: readonly BucketPrefix[];
    readonly write?: readonly BucketPrefix[];
    readonly delete?: readonly BucketPrefix[];
  };
  /** State machines that it starts. */
  readonly starts?: readonly string[];
  /** State machines whose executions it looks at. */
  readonly observes?: readonly string[];
  /** State machines whose executions it ends. */
  readonly stops?: readonly string[];
  /** Functions that it invokes, by function id (`tasks/exports/build-export`). */
  readonly invokes?: readonly string[];
  readonly secrets?: readonly SecretName[];
  readonly models?: readonly ModelRole[];
  /** Roles whose model ids it records, without calling a model. */
  readonly modelIds?: readonly ModelRole[];
  /** Whether it is told which models answer callers and where they are served, without calling one. */
  readonly listsModels?: boolean;
  /** Whether it is told where imports may come from. */
  readonly imports?: boolean;
  /** Whether it reaches addresses that callers name, and so is told which are allowed wherever they are. */
  readonly egress?: boolean;
  /** Whether it is told which tool servers the operator offers. */
  readonly toolCatalog?: boolean;
  /** Whether it reads what teams have stored to reach providers by. */
  readonly connections?: boolean;
  /** Whether it searches the web, or has to know whether the installation can. */
  readonly search?: boolean;
  /** Whether it is told which trainers are deployed. */
  readonly trainers?: boolean;
  /** Whether it puts jobs into the queues of the trainers that are deployed. */
  readonly trainerQueues?: boolean;
  /** Whether it ends training jobs of SageMaker, or launches them too. */
  readonly trainingJobs?: 'stop' | 'launch';
  /** State machines whose waiting tasks it fails. */
  readonly fails?: readonly string[];
}

/** The union of what several parts touch. */
export function mergeUses(parts: readonly Uses[]): Uses {
  const unique = <T>(lists: readonly (readonly T[] | undefined)[]): T[] => [
    ...new Set(lists.flatMap((list) => list ?? [])),
  ];
  const table = parts.some((part) => part.table === 'write')
    ? 'write'
    : parts.some((part) => part.table === 'read')
      ? 'read'
      : undefined;
  const trainingJobs = parts.some((part) => part.trainingJobs === 'launch')
    ? 'launch'
    : parts.find((part) => part.trainingJobs !== undefined)?.trainingJobs;
  return {
    ...(table === undefined ? {} : { table }),
    bucket: {
      read: unique(parts.map((part) => part.bucket?.read)),
      write: unique(parts.map((part) => part.bucket?.write)),
      delete: unique(parts.map((part) => part.bucket?.delete)),
    },
    starts: unique(parts.map((part) => part.starts)),
    observes: unique(parts.map((part) => part.observes)),
    stops: unique(parts.map((part) => part.stops)),
    invokes: unique(parts.map((part) => part.invokes)),
    secrets: unique(parts.map((part) => part.secrets)),
    models: unique(parts.map((part) => part.models)),
    modelIds: unique(parts.map((part) => part.modelIds)),
    ...(parts.some((part) => part.listsModels) ? { listsModels: true } : {}),
    ...(parts.some((part) => part.imports) ? { imports: true } : {}),
    ...(parts.some((part) => part.egress) ? { egress: true } : {}),
    ...(parts.some((part) => part.toolCatalog) ? { toolCatalog: true } : {}),
    ...(parts.some((part) => part.connections) ? { connections: true } : {}),
    ...(parts.some((part) => part.search) ? { search: true } : {}),
    ...(parts.some((part) => part.trainers) ? { trainers: true } : {}),
    ...(parts.some((part) => part.trainerQueues) ? { trainerQueues: true } : {}),
    ...(trainingJobs === undefined ? {} : { trainingJobs }),
    fails: unique(parts.map((part) => part.fails)),
  };
}
