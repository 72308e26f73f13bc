import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { hasEnded } from './decide/has-ended.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';

export interface LaunchTrainingPorts {
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly launchRun: LaunchRun;
}

/** What a request decides of its run. */
export interface TrainingLaunch {
  readonly credits: number;
  /** Rows that the run processes. */
  readonly rows: number;
  readonly voucher?: string;
  /** Counts the launch against the plan, or refuses it; a replay is not counted. */
  readonly admit?: () => Promise<void>;
  readonly record: (runId: string) => TrainingRecord;
}

export interface LaunchTrainingInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly key: string | undefined;
  /** What a repetition of the key must send again. */
  readonly request: unknown;
  /** The decision, or why the request is refused; a refusal does not block a repeated request. */
  readonly decided: TrainingLaunch | ServiceError;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Launches the run of a training or of a comparison. A repeated key returns the one that it started, in its current
 * state, until it has ended; then the key is free.
 * @throws {ServiceError} the refusal, and what `LaunchRun` throws
 */
export async function launchTraining(
  { trainings, launchRun }: LaunchTrainingPorts,
  { caller, dataset, key, request, decided, now }: LaunchTrainingInput,
): Promise<TrainingRecord> {
  const launched: TrainingRecord[] = [];
  const launch = (): Promise<{ readonly id: string }> =>
    launchRun<{ readonly id: string }>({
      caller,
      dataset,
      pipeline: 'train',
      request: null,
      ...(key === undefined
        ? {}
        : { idempotency: { operation: 'train' as const, key, request, path: 'idempotency_key' } }),
      decide: async () => {
        if (decided instanceof ServiceError) throw decided;
        const { record, admit, ...price } = decided;
        await admit?.();
        return {
          ...price,
          companion: record,
          response: (runId) => {
            launched.push(record(runId));
            return { id: runId };
          },
        };
      },
      now,
    });

  // If the training has ended since the key was read, the key is free, and a second launch starts another.
  for (const _ of ['first', 'second']) {
    const { id } = await launch();
    const own = launched.find(({ experiment_id }) => experiment_id === id);
    if (own !== undefined) return own;
    const current = await trainings.find(caller.team_id, id);
    if (current !== null && !hasEnded(current)) return current;
  }
  throw new ServiceError(
    'service_unavailable',
    'The training of this key is ending. Try again in a moment.',
    {
      retryAfterSeconds: 5,
    },
  );
}
