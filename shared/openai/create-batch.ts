import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findPlace, placeClaim } from '#shared/platform/take-place.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { BatchAddress, BatchRecord, BatchRepository } from './decide/batches.ts';
import { requireBatch } from './decide/batches.ts';
import { faultOfFile } from './decide/fault-of-file.ts';
import type { CreateBatchRequest } from './schema/batches.ts';
import { type WaitForFilePorts, waitForFile } from './wait-for-file.ts';

/** Batches of a team that have not ended: each holds a function. And those of 30 days. */
export const OPEN_BATCHES_MAX = 5;
export const BATCHES_MAX = 1_000;
/** Seconds after which the place of a batch whose worker is gone comes free. */
export const BATCH_PLACE_SECONDS = 3600;
const WINDOW_MILLISECONDS = 24 * 3_600_000;

const placesOf = (teamId: string): string => `batch ${teamId}`;

/** The claim of a batch on one of the places of its team. */
export const claimOfBatch = ({ team_id, place }: Pick<BatchRecord, 'team_id' | 'place'>): string =>
  placeClaim(placesOf(team_id), place);

/** Takes one of the places for batches of a team. @returns its number; null if there is none */
export const findBatchPlace = (
  claims: Pick<Claims, 'take'>,
  teamId: string,
  holder: string,
): Promise<number | null> =>
  findPlace(claims, placesOf(teamId), { places: OPEN_BATCHES_MAX, seconds: BATCH_PLACE_SECONDS, holder });

export interface CreateBatchPorts extends WaitForFilePorts {
  readonly batches: BatchRepository;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly start: (batch: BatchAddress) => Promise<void>;
  readonly newId: () => string;
}

/**
 * Starts a batch: a worker checks the lines of its file, and has them answered.
 * @throws {ServiceError} every code of the contract
 */
export async function createBatch(
  ports: CreateBatchPorts,
  {
    caller,
    request,
    now,
  }: { readonly caller: Caller; readonly request: CreateBatchRequest; readonly now: number },
): Promise<BatchRecord> {
  const { batches, claims, newId } = ports;
  requireScope(caller, 'datasets:read');
  const path = 'input_file_id';
  const file = await waitForFile(ports, caller, request.input_file_id, path);
  const fault = faultOfFile(file);
  if (fault === null && (file.row_count ?? 0) === 0) throw invalidField(path, 'is a file without rows');
  if ((await batches.list(caller.team_id)).length >= BATCHES_MAX) throw tooManyOfAll();
  const batchId = newId();
  // A file that cannot be read is the fault of a batch, as a line that is no request is: it needs no worker.
  const place = fault === null ? await findBatchPlace(claims, caller.team_id, batchId) : 0;
  if (place === null) {
    throw tooMany(
      `A team has at most ${OPEN_BATCHES_MAX} batches at a time. Wait until one has ended, or cancel one.`,
    );
  }
  const at = timestamp(now);
  const batch: BatchRecord = {
    batch_id: batchId,
    team_id: caller.team_id,
    place,
    caller,
    endpoint: request.endpoint,
    dataset_id: file.dataset_id,
    metadata: request.metadata ?? null,
    status: fault === null ? 'validating' : 'failed',
    faults: fault === null ? [] : [fault],
    counts: { total: 0, completed: 0, failed: 0 },
    usage: null,
    output_id: newId(),
    error_id: newId(),
    has_output: false,
    has_errors: false,
    created_at: at,
    ...(fault === null ? {} : { failed_at: at }),
    window_ends_at: timestamp(now + WINDOW_MILLISECONDS),
    worked_at: at,
    progressed_at: at,
  };
  try {
    await batches.create(batch);
    // Counted again, so that of several that are made at once no more stay than may.
    if ((await batches.list(caller.team_id)).length > BATCHES_MAX) throw tooManyOfAll();
    if (fault === null) await ports.start({ team_id: batch.team_id, batch_id: batchId });
  } catch (cause) {
    await batches.remove(batch);
    await claims.release(claimOfBatch(batch), batchId);
    if (cause instanceof ServiceError && cause.code === 'runs_limit_reached') throw cause;
    throw new ServiceError('service_unavailable', 'The batch could not be started. Try again in a moment.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
  return batch;
}

const tooMany = (message: string): ServiceError =>
  new ServiceError('runs_limit_reached', message, { retryAfterSeconds: 60 });

const tooManyOfAll = (): ServiceError => tooMany(`A team has at most ${BATCHES_MAX} batches in 30 days.`);

/**
 * Cancels a batch; its worker ends it. One that has ended, or is about to, is answered as it is.
 * @throws {ServiceError} `batch_not_found`
 */
export async function cancelBatch(
  { batches, start }: Pick<CreateBatchPorts, 'batches' | 'start'>,
  teamId: string,
  id: string,
  now: number,
): Promise<BatchRecord> {
  const batch = await requireBatch(batches, teamId, id);
  const cancelled = await batches.change(batch, ['validating', 'in_progress'], {
    status: 'cancelling',
    cancelling_at: timestamp(now),
  });
  if (cancelled === null) return requireBatch(batches, teamId, id);
  // Its worker may be gone; one that is there keeps the work to itself.
  await start({ team_id: teamId, batch_id: batch.batch_id });
  return cancelled;
}
