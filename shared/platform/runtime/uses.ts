import type { ModelRole } from '../schema/model-role.ts';

/** Key prefixes of the data bucket, by content. */
export const bucketPrefixes = {
  uploads: 'uploads/',
  imports: 'imports/',
  converted: 'converted/',
  datasets: 'datasets/',
  runs: 'runs/',
  batchOutputs: 'batch-outputs/',
  exports: 'exports/',
  pool: 'pool/',
  trainings: 'trainings/',
  responses: 'responses/',
  evals: 'evals/',
  batches: 'batches/',
  reuse: 'reuse/',
} as const;
export type BucketPrefix = keyof typeof bucketPrefixes;

export type SecretName =
  | 'cursor_signing'
  | 'model_api_key'
  | 'probe_access'
  | 'telemetry_headers'
  | 'webhook_signing';

/**
 * The resources that a need accesses, or a function with all of its needs. The function's IAM role and environment are
 * derived from this and contain nothing else, so an undeclared access fails on the first call, on the local cloud too.
 */
export interface Uses {
  /** Items of the table, except those of `credits`, `apiKeys` and `audit`. `write` includes `read`. */
  readonly table?: 'read' | 'write';
  /** Balances, holds, ledger entries and meters. */
  readonly credits?: 'read' | 'write';
  /** API keys, by their hash. */
  readonly apiKeys?: 'read';
  /** What operators did, to all teams. Without `table`, nothing else of the table. */
  readonly audit?: 'read';
  readonly bucket?: {
    readonly read?: readonly BucketPrefix[];
    readonly write?: readonly BucketPrefix[];
    readonly delete?: readonly BucketPrefix[];
  };
  /** Whether it names the bucket's address to browsers, without access to it. */
  readonly bucketOrigin?: true;
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
  readonly listsModels?: true;
  /** Whether it gets the settings of imports. */
  readonly imports?: true;
  /** Whether it connects to addresses that callers name, and so gets the allowed targets. */
  readonly egress?: true;
  /** Whether it gets the operator's tool servers. */
  readonly toolCatalog?: true;
  /** Whether it reads teams' stored credentials for providers. */
  readonly connections?: true;
  /** Whether it searches the web, or needs to know whether the installation can. */
  readonly search?: true;
  /**
   * Whether it makes batch jobs of the model provider (`write`), ends them (`cancel`), or needs to know whether the
   * installation can.
   */
  readonly batchJobs?: 'read' | 'cancel' | 'write';
  /** Whether it hands events to the bus that operators subscribe to. */
  readonly publishesEvents?: true;
  /** Whether it gets the list of deployed trainers. */
  readonly trainers?: true;
  /** Whether it puts jobs into the queues of the trainers that are deployed, and so tells them who lends credentials. */
  readonly trainerQueues?: true;
  /** Whether it lends trainers credentials for their attempts. */
  readonly lendsCredentials?: true;
  /** Whether it ends training jobs of SageMaker, or launches them too. */
  readonly trainingJobs?: 'stop' | 'launch';
  /** Whether it deploys trained models (`write`), or needs to know where the installation does. */
  readonly deploysModels?: 'read' | 'write';
  /** Whether it calls the API of the service, as one of its callers. */
  readonly probe?: true;
  /** Whether it sends telemetry to the operator's receiver. */
  readonly telemetry?: true;
  /** State machines whose waiting tasks it can fail. */
  readonly fails?: readonly string[];
}

/** The union of several uses. */
export function mergeUses(parts: readonly Uses[]): Uses {
  return parts.reduce<Uses>(merge, {});
}

function merge<T extends object>(one: T, other: T): T {
  const merged = new Map<string, unknown>(Object.entries(one));
  for (const [name, value] of Object.entries(other)) merged.set(name, union(merged.get(name), value));
  return Object.fromEntries(merged) as T;
}

/** Words of which each includes those before it that can stand in its place. */
const WIDER: readonly unknown[] = ['cancel', 'write', 'launch'];

function union(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  if (typeof one === 'object' && typeof other === 'object') return merge(one ?? {}, other ?? {});
  return one === undefined || WIDER.indexOf(other) > WIDER.indexOf(one) ? other : one;
}
