import { type IdempotencyRecord, NEW_DATASET } from '#shared/access/decide/idempotency/record.ts';
import type {
  IdempotencyRepository,
  IdempotencyScope,
} from '#shared/access/decide/idempotency/repository.ts';
import type { DatasetChanges, DatasetRecord } from '#shared/datasets/decide/record.ts';
import { latestVersion, rowsVersion, type VersionRecord } from '#shared/datasets/decide/versions.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter, UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { canonicalJson, sha256Hex } from '#shared/platform/canonical-json.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { runNotStarted } from '#shared/platform/errors/to-failure.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Executions } from './decide/executions.ts';
import type { Ledger } from './decide/ledger/repository.ts';
import { DatasetBefore, type RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { kindOf, makesRows, type RunOperation, type RunPipeline } from './decide/run-kinds.ts';
import type { EndRun } from './end-run.ts';

export interface LaunchRunPorts {
  readonly ledger: Ledger;
  readonly runs: RunRepository;
  readonly idempotency: IdempotencyRepository;
  readonly objects: Pick<ObjectStore, 'head' | 'write'>;
  readonly executions: Pick<Executions, 'start'>;
  readonly endRun: EndRun;
  readonly unbilled: Pick<UnbilledAllowance, 'requireLeft'>;
  readonly freeUses: FreeUseLimiter;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

/** Price, rows and response of a launch, derived from dataset and request. */
interface LaunchDecision<Response> {
  readonly credits: number;
  /** Rows that the run processes; null if only the run can determine them. */
  readonly rows: number | null;
  /** What a capability above keeps of the run, such as its training. */
  readonly companion?: (runId: string) => unknown;
  /** Code of the voucher applied to the price. */
  readonly voucher?: string;
  /** The version that the one of the run is made of, if it is not that of the rows. */
  readonly parentVersion?: number;
  /** Changes of the dataset in the same transaction. */
  readonly changes?: DatasetChanges;
  /** The response to the caller, which a replay returns again. */
  readonly response: (runId: string) => Response;
}

/** The caller who launches a run. */
export type LaunchCaller = Pick<Caller, 'team_id' | 'organization_id' | 'user_id' | 'plan'>;

export interface LaunchRunInput<Response> {
  readonly caller: LaunchCaller;
  readonly dataset: DatasetRecord;
  /** Whether the launch creates the dataset. */
  readonly isNew?: boolean;
  readonly pipeline: RunPipeline;
  /** The pilot whose arm the run adapts with, and how many of its rows it takes over. */
  readonly pilot?: { readonly id: string; readonly rows: number };
  /** Whether batch jobs make its model calls. */
  readonly isBatched?: boolean;
  /** The validated request; null if the run has none. */
  readonly request: unknown;
  /**
   * Writes what the run reads besides its request, such as rows. Called once the run is launched, and so by no request that is
   * refused; before the request is stored, which then tells a repetition that both are there.
   */
  readonly store?: (() => Promise<void>) | undefined;
  /** `request` is what a repetition must send again: the caller's original values, without defaults. */
  readonly idempotency?: {
    readonly operation: RunOperation;
    readonly key: string;
    readonly request: unknown;
    /** The path of the key in the request. */
    readonly path?: string;
  };
  /** Not called for a replay, so that its checks cannot reject one. */
  readonly decide: () => LaunchDecision<Response> | Promise<LaunchDecision<Response>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type LaunchRun = <Response>(input: LaunchRunInput<Response>) => Promise<Response>;

/** No handler takes that long: a launch that has not stored its request by then has broken off, and is under way before. */
const LAUNCH_MILLISECONDS_MAX = 60_000;

const IDEMPOTENCY_MISMATCH =
  'This idempotency key belongs to another request. Repeat that request unchanged, or send a new key.';

/**
 * Starts a run: one transaction reserves the credits and moves the dataset, then the request becomes an object, so that a
 * refused one leaves nothing behind, and the execution starts under the run's id. A repeated request with the same idempotency key gets the first response; if a
 * crash came between the request's object and the start, the repetition starts the execution, and if it came before the object,
 * a repetition frees the key, and the next one launches anew. A start that fails ends the run, returns the credits and frees the key, unless a repetition was
 * answered with the run.
 *
 * Throws what `Ledger.launch` throws, `idempotency_mismatch`, `rate_limited` if the rows of the team that are not billed have
 * used up their tokens of the hour or if the plan allows no further launch of what costs nothing, and `service_unavailable` if the start failed.
 */
export function createLaunchRun(ports: LaunchRunPorts): LaunchRun {
  const { ledger, idempotency, newId } = ports;

  return async <Response>(input: LaunchRunInput<Response>): Promise<Response> => {
    const { caller, dataset, request, now, isNew = false } = input;
    const begunMs = ports.clock.now();
    const requestHash = sha256Hex(canonicalJson(input.idempotency?.request ?? null));
    const scope = scopeOf(input);
    const repeat = (record: IdempotencyRecord): Promise<Response> =>
      replay<Response>(ports, record, { requestHash, path: input.idempotency?.path, now });
    const earlier = scope === null ? null : await idempotency.find(scope);
    if (earlier !== null) return repeat(earlier);

    const decision = await input.decide();
    const { countsAgainstPlan, freeUse } = kindOf(input);
    if (countsAgainstPlan) await ports.unbilled.requireLeft(caller, now);
    if (freeUse !== null) await ports.freeUses.admit(caller, freeUse, now);
    const runId = newId();
    const response = decision.response(runId);
    const requestKey = request === null ? null : objectKeys.runRequest(runId);

    const run = runOf(runId, requestKey, input, decision);
    const record: IdempotencyRecord | null =
      scope === null
        ? null
        : {
            ...scope,
            ...(isNew ? { new_dataset_id: dataset.dataset_id } : {}),
            request_hash: requestHash,
            run_id: runId,
            response: JSON.stringify(response),
            created_at: timestamp(now),
          };
    const { replayed } = await ledger.launch({
      run,
      ...launchedVersion(run, dataset, decision),
      changes: decision.changes ?? {},
      runsAtOnce: caller.plan.runs_at_once,
      idempotency: record,
      ...(isNew ? { newDataset: dataset } : {}),
      ...(decision.companion === undefined ? {} : { companion: decision.companion(runId) }),
      ...(decision.voucher === undefined ? {} : { voucher: decision.voucher }),
    });
    if (replayed !== null) return repeat(replayed);
    await start(ports, { run, request, store: input.store, scope, now, begunMs });
    return response;
  };
}

/**
 * Returns the response of the first request, and starts its run if nothing has.
 * @throws ServiceError `service_unavailable`, with the key free again, if that request broke off before its run could be started
 */
async function replay<Response>(
  ports: LaunchRunPorts,
  record: IdempotencyRecord,
  {
    requestHash,
    path = 'job_specification.idempotency_key',
    now,
  }: { readonly requestHash: string; readonly path: string | undefined; readonly now: number },
): Promise<Response> {
  const { runs, executions, objects } = ports;
  if (record.request_hash !== requestHash) {
    throw new ServiceError('idempotency_mismatch', IDEMPOTENCY_MISMATCH, {
      details: [{ path, message: 'belongs to another request' }],
    });
  }
  const run = await runs.find(record.new_dataset_id ?? record.dataset_id, record.run_id);
  if (run?.error_data?.code === runNotStarted.code) {
    await ports.idempotency.forget(record, record.run_id);
    throw notStarted();
  }
  if (run?.status === 'running') {
    const isStored = run.request_key === null || (await objects.head(run.request_key)) !== null;
    const isYoung = now - Date.parse(run.started_at) < LAUNCH_MILLISECONDS_MAX;
    if (!isStored && !isYoung) {
      await abandon(ports, run, { scope: record, now });
      throw notStarted();
    }
    // From here on the first request cannot end the run as not started: its caller would be told of another one than this.
    if (!(await runs.markAnswered(run.dataset_id, run.run_id))) throw notStarted();
    if (isStored) {
      // The first request has probably started it: a failure here does not mean that the run failed.
      await begin(executions, run).catch((cause: unknown) => {
        throw notStarted(cause);
      });
    }
  }
  return JSON.parse(record.response) as Response;
}

/** Ends a run as not started, and frees its key; not if a repetition was answered with it, which has started it. */
async function abandon(
  { endRun, idempotency }: Pick<LaunchRunPorts, 'endRun' | 'idempotency'>,
  { dataset_id, run_id }: Pick<RunRecord, 'dataset_id' | 'run_id'>,
  { scope, now }: { readonly scope: IdempotencyScope | null; readonly now: number },
): Promise<void> {
  const { error_data } = await endRun({
    dataset_id,
    run_id,
    error: runNotStarted,
    billedCredits: 0,
    isUnstarted: true,
    now,
  });
  // A start that was not heard may have taken effect, and a run that a repetition was answered with may have ended by now.
  if (scope !== null && error_data?.code === runNotStarted.code) await idempotency.forget(scope, run_id);
}

/**
 * Stores the request of a run and starts its execution; if that fails, ends the run and frees its key. A process that Lambda has frozen
 * after its answer, and goes on with when it needs it again, starts nothing any more: a repetition or a sweep may be ending the run.
 */
async function start(
  ports: LaunchRunPorts,
  {
    run,
    request,
    store,
    scope,
    now,
    begunMs,
  }: {
    readonly run: RunRecord;
    readonly request: unknown;
    readonly store: LaunchRunInput<unknown>['store'];
    readonly scope: IdempotencyScope | null;
    readonly now: number;
    readonly begunMs: number;
  },
): Promise<void> {
  const { objects, executions, clock } = ports;
  const { request_key } = run;
  try {
    await store?.();
    if (request_key !== null) await objects.write(request_key, JSON.stringify(request), 'application/json');
    if (clock.now() - begunMs < LAUNCH_MILLISECONDS_MAX) return await begin(executions, run);
  } catch (cause) {
    await abandon(ports, run, { scope, now });
    throw notStarted(cause);
  }
  throw notStarted();
}

function begin(
  executions: LaunchRunPorts['executions'],
  { run_id, dataset_id, team_id, pipeline }: RunRecord,
): Promise<void> {
  return executions.start(pipeline, { run_id, dataset_id, team_id });
}

function notStarted(cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', 'The run could not be started. Try again in a moment.', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** What a repetition of the request is found by; null without a key. */
function scopeOf<Response>({
  idempotency,
  caller,
  dataset,
  isNew = false,
}: LaunchRunInput<Response>): IdempotencyScope | null {
  if (idempotency === undefined) return null;
  return {
    team_id: caller.team_id,
    operation: idempotency.operation,
    dataset_id: isNew ? NEW_DATASET : dataset.dataset_id,
    key_hash: sha256Hex(idempotency.key),
  };
}

function runOf<Response>(
  runId: string,
  requestKey: string | null,
  { caller, dataset, pipeline, pilot, isBatched, now }: LaunchRunInput<Response>,
  { credits, rows }: LaunchDecision<Response>,
): RunRecord {
  const makesVersion = kindOf({ pipeline }).makes === 'version';
  return {
    run_id: runId,
    dataset_id: dataset.dataset_id,
    team_id: caller.team_id,
    organization_id: caller.organization_id,
    user_id: caller.user_id,
    pipeline,
    status: 'running',
    reserved_credits: credits,
    settled_credits: null,
    request_key: requestKey,
    total_rows: rows,
    counts: null,
    models: {},
    prompt_versions: {},
    error_data: null,
    ...(isBatched === true ? { is_batched: true } : {}),
    ...(pilot === undefined ? {} : { pilot_id: pilot.id, pilot_rows: pilot.rows }),
    ...(!makesRows({ pipeline }) && dataset.manifest_key !== null
      ? { manifest_key: dataset.manifest_key }
      : {}),
    ...(makesVersion
      ? { version: latestVersion(dataset) + 1, dataset_before: DatasetBefore.parse(dataset) }
      : {}),
    started_at: timestamp(now),
    ended_at: null,
  };
}

/** The version that a launched adaptation makes; none for other runs. */
function launchedVersion(
  { run_id, dataset_id, pipeline, user_id, version, manifest_key, started_at }: RunRecord,
  source: DatasetRecord,
  { changes = {}, parentVersion }: Pick<LaunchDecision<unknown>, 'changes' | 'parentVersion'>,
): { version?: VersionRecord } {
  if (version === undefined || manifest_key === undefined) return {};
  return {
    version: {
      dataset_id,
      version,
      made_by: pipeline,
      parent_version: parentVersion ?? rowsVersion(source),
      run_id,
      manifest_key,
      row_count: source.row_count ?? 0,
      configured_column_mapping: changes.configured_column_mapping ?? null,
      created_by_user_id: user_id,
      created_at: started_at,
    },
  };
}
