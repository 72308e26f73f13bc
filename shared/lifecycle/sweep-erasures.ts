import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { inTurns } from '#shared/platform/in-turns.ts';
import { timestamp } from '#shared/platform/timestamp.ts';

export interface SweepErasuresPorts {
  readonly datasets: Pick<DatasetRepository, 'listErasures' | 'deferErasure'>;
  readonly startErasing: (input: { readonly dataset_id: string }) => Promise<void>;
}

/** After which an erasure that was started and has not ended is started again. */
const RETRY_MILLISECONDS = 3_600_000;
/** Due datasets of which a sweep takes some. */
const DUE_MAX = 4000;

/**
 * Starts erasing the deleted datasets for which that is due, at most so many, and returns how many. The teams take turns, so that one
 * that deletes much does not keep the others waiting.
 * @param now milliseconds since the epoch
 */
export async function sweepErasures(
  { datasets, startErasing }: SweepErasuresPorts,
  now: number,
  max: number,
): Promise<number> {
  const due = inTurns(await datasets.listErasures(timestamp(now), DUE_MAX)).slice(0, max);
  await forEachAtOnce(due, async ({ dataset_id }) => {
    // One that fails each time does not keep the place of those behind it.
    await datasets.deferErasure(dataset_id, now + RETRY_MILLISECONDS);
    await startErasing({ dataset_id });
  });
  return due.length;
}
