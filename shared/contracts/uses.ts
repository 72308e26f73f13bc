import type { ModelRole } from '../schema/model-role.ts';

/** Key prefixes of the data bucket, by content. */
export const bucketPrefixes = {
  uploads: 'uploads/',
  imports: 'imports/',
  converted: 'converted/',
  datasets: 'datasets/',
  runs: 'runs/',
  exports: 'exports/',
  pool: 'pool/',
  trainings: 'trainings/',
  responses: 'responses/',
} as const;
export type BucketPrefix = keyof typeof bucketPrefixes;

/** Prefixes of partition keys that a function may only access if its contract declares it. */
export const guardedPartitions = {
  credits: ['CREDITS#', 'METER#', 'USAGE#', 'VOUCHER#'],
  apiKeys: ['KEY#', 'TEAM_KEYS#'],
  /** Written only by operators, without a function: teams with their members and stacks, users, plans. */
  operators: ['ORG#', 'ORG_NAME#', 'USER#', 'USER_NAME#', 'TEAM#', 'TEAM_NAME#', 'PLAN#'],
} as const;

/** Queues that a function of the service consumes. */
export type QueueName = 'attempts';

export type SecretName = 'cursor_signing' | 'model_api_key';

/**
 * The resources that a function may access. Its IAM role and its environment are derived from this and contain nothing
 * else, so an undeclared need fails on the first call, on the local cloud too.
 */
export interface Uses {
  /** Items of the table, except those of `credits` and `apiKeys`. `write` includes `read`. */
  readonly table?: 'read' | 'write';
  /** Balances, holds, ledger entries and meters. */
  readonly credits?: 'read' | 'write';
  /** API keys, by their hash. */
  readonly apiKeys?: 'read';
  readonly bucket?: {
    readonly read?: readonly BucketPrefix[];
    readonly write?: readonly BucketPrefix[];
    readonly delete?: readonly BucketPrefix[];
  };
  /** State machines that it starts. */
  readonly starts?: readonly string[];
  /** State machines whose executions it reads. */
  readonly observes?: readonly string[];
  /** State machines whose executions it stops. */
  readonly stops?: readonly string[];
  /** Functions that it invokes, by function id (`tasks/exports/build-export`). */
  readonly invokes?: readonly string[];
  readonly secrets?: readonly SecretName[];
  readonly models?: readonly ModelRole[];
  /** Roles whose model ids it records, without calling a model. */
  readonly modelIds?: readonly ModelRole[];
  /** Whether it gets the list of models for responses and their endpoints, without calling one. */
  readonly listsModels?: boolean;
  /** Whether it gets the settings of imports. */
  readonly imports?: boolean;
  /** Whether it connects to addresses that callers name, and so gets the allowed targets. */
  readonly egress?: boolean;
  /** Whether it gets the operator's tool servers. */
  readonly toolCatalog?: boolean;
  /** Whether it reads teams' stored credentials for providers. */
  readonly connections?: boolean;
  /** Whether it searches the web, or needs to know whether the installation can. */
  readonly search?: boolean;
  /** Whether it gets the list of deployed trainers. */
  readonly trainers?: boolean;
  /** Whether it puts jobs into the queues of the trainers that are deployed, and so tells them who lends credentials. */
  readonly trainerQueues?: boolean;
  /** Whether it lends trainers credentials for their attempts. */
  readonly lendsCredentials?: boolean;
  /** Whether it ends training jobs of SageMaker, or launches them too. */
  readonly trainingJobs?: 'stop' | 'launch';
  /** State machines whose waiting tasks it can fail. */
  readonly fails?: readonly string[];
}

/** The union of several uses. */
export function mergeUses(parts: readonly Uses[]): Uses {
  const unique = <T>(lists: readonly (readonly T[] | undefined)[]): T[] => [
    ...new Set(lists.flatMap((list) => list ?? [])),
  ];
  const widest = (name: 'table' | 'credits'): 'read' | 'write' | undefined =>
    parts.some((part) => part[name] === 'write') ? 'write' : parts.find((part) => part[name])?.[name];
  const [table, credits] = [widest('table'), widest('credits')];
  const trainingJobs = parts.some((part) => part.trainingJobs === 'launch')
    ? 'launch'
    : parts.find((part) => part.trainingJobs !== undefined)?.trainingJobs;
  return {
    ...(table === undefined ? {} : { table }),
    ...(credits === undefined ? {} : { credits }),
    ...(parts.some((part) => part.apiKeys) ? { apiKeys: 'read' as const } : {}),
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
    ...(parts.some((part) => part.lendsCredentials) ? { lendsCredentials: true } : {}),
    ...(trainingJobs === undefined ? {} : { trainingJobs }),
    fails: unique(parts.map((part) => part.fails)),
  };
}
