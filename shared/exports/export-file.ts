import { setTimeout as sleep } from 'node:timers/promises';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ExportFormat } from '#shared/platform/schema/file-format.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { Download } from './decide/download.ts';

/** Seconds that a download waits for its file. */
const WAIT_SECONDS = 20;
/** Seconds that it waits for a file that another request is building: many polling requests occupy no functions. */
const WAIT_FOR_OTHERS_SECONDS = 2;
const POLL_MS = 500;

/** Seconds until a builder has begun, or never will: Lambda gives an invocation up after five minutes. */
const BEGIN_SECONDS = 360;
/** Maximum seconds to build: the timeout of the building functions. */
const BUILD_SECONDS = 900;

/** Seconds for which a build that failed is told; then the next request starts it again. */
const FAILURE_TOLD_SECONDS = 300;

/** The object that says that the file with this key could not be built. */
export const failureOfExport = (key: string): string => `${key}.failed`;

/** The claim of the process that builds the file with this key. */
export const claimOfExport = (key: string): string => `export ${key}`;

export interface ExportFilePorts {
  readonly claims: Claims;
  readonly objects: Pick<ObjectStore, 'head'>;
  readonly freeUses: FreeUseLimiter;
  /** Starts building the file and returns at once. */
  readonly startBuild: (payload: {
    dataset_id: string;
    team_id: string;
    format: ExportFormat;
    run_id?: string | null;
  }) => Promise<void>;
}

/**
 * Waits until the export file exists; starts building it if it does not exist or is too old.
 * @throws {ServiceError} `export_pending` if it takes longer than a request may, `export_failed` if it could not be built just
 * now, `rate_limited` if the team's files of the hour are built
 */
export async function awaitExport(
  ports: ExportFilePorts,
  input: {
    readonly caller: Pick<Caller, 'team_id' | 'plan'>;
    readonly dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id'>;
    readonly download: Pick<Download, 'key' | 'format' | 'cachedSecondsMax'>;
    /** The requested run; null for the uploaded rows. */
    readonly runId?: string | null | undefined;
    readonly signal: AbortSignal;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<void> {
  const { key, format, cachedSecondsMax } = input.download;
  const oldestMs = cachedSecondsMax === null ? 0 : input.now - cachedSecondsMax * 1000;
  const find = async (): Promise<true | null> => {
    if (((await ports.objects.head(key))?.modifiedMs ?? -1) >= oldestMs) return true;
    const failure = await ports.objects.head(failureOfExport(key));
    if (failure === null || failure.modifiedMs < input.now - FAILURE_TOLD_SECONDS * 1000) return null;
    throw new ServiceError(
      'export_failed',
      `The ${format} file could not be built from these rows. Download another format, such as jsonl, and tell the operator of this installation; ` +
        'after five minutes a request builds it again.',
    );
  };
  const { dataset_id, team_id } = input.dataset;
  const named = input.runId === undefined ? {} : { run_id: input.runId };
  await awaitBuilt(ports.claims, {
    find,
    claim: claimOfExport(key),
    start: async () => {
      await ports.freeUses.admit(input.caller, 'builds_per_hour', input.now);
      await ports.startBuild({ dataset_id, team_id, format, ...named });
    },
    signal: input.signal,
    pending: new ServiceError('export_pending', 'The file is being built. Try again in 30 seconds.', {
      retryAfterSeconds: 30,
    }),
  });
}

/** Starts building what is missing, once for all that ask for it: the builder builds it under the claim. */
export async function startBuilding(
  claims: Claims,
  claim: string,
  start: () => Promise<void>,
): Promise<boolean> {
  const isOurs = await claims.take(claim, BEGIN_SECONDS);
  if (!isOurs) return false;
  try {
    await start();
  } catch (error) {
    await claims.release(claim);
    throw error;
  }
  return true;
}

/** Builds something that was claimed for it, and releases the claim however the work ends. */
export async function buildClaimed<T>(
  claims: Pick<Claims, 'renew' | 'release'>,
  claim: string,
  work: () => Promise<T>,
): Promise<T> {
  await claims.renew(claim, BUILD_SECONDS);
  try {
    return await work();
  } finally {
    await claims.release(claim);
  }
}

/** Waits until something exists, and starts building it if it does not. Throws `pending` if it takes too long. */
export async function awaitBuilt<T>(
  claims: Claims,
  build: {
    /** Null while it does not exist. */
    readonly find: () => Promise<T | null>;
    readonly claim: string;
    readonly start: () => Promise<void>;
    readonly signal: AbortSignal;
    readonly pending: ServiceError;
  },
): Promise<T> {
  const there = await build.find();
  if (there !== null) return there;
  const isOurs = await startBuilding(claims, build.claim, async () => {
    // A build may have ended, and released its claim, since the look above.
    if ((await build.find()) === null) await build.start();
    else await claims.release(build.claim);
  });
  const deadline = performance.now() + (isOurs ? WAIT_SECONDS : WAIT_FOR_OTHERS_SECONDS) * 1000;
  for (;;) {
    const built = await build.find();
    if (built !== null) return built;
    if (performance.now() >= deadline || build.signal.aborted) throw build.pending;
    await sleep(POLL_MS);
  }
}
