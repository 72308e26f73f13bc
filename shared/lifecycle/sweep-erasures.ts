import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { inTurns } from '#shared/platform/in-turns.ts';
import { timestamp } from '#shared/platform/timestamp.ts';

export interface SweepErasuresPorts {
  readonly datasets: Pick<DatasetRepository, 'listErasures' | 'teamsWithErasures' | 'deferErasure'>;
  readonly startErasing: (input: { readonly dataset_id: string }) => Promise<void>;
}

/** After which an erasure that was started and has not ended is started again. */
const RETRY_MILLISECONDS = 3_600_000;

/**
 * Starts erasing the deleted datasets for which that is due, at most so many, and returns how many. The teams take turns, and each has
 * its share, whatever the others have deleted; what is left of it goes to those that are due longest.
 * @param now milliseconds since the epoch
 */
export async function sweepErasures(
  { datasets, startErasing }: SweepErasuresPorts,
  now: number,
  max: number,
): Promise<number> {
  const at = timestamp(now);
  const teams = await datasets.teamsWithErasures();
  const share = Math.ceil(max / Math.max(1, teams.length));
  const ofTeams = await forEachAtOnce(teams, (teamId) => datasets.listErasures(at, share, teamId));
  // Of these no more than `max` are among the shares.
  const oldest = await datasets.listErasures(at, 2 * max);
  const ids = new Set<string>();
  const found = [...oldest, ...ofTeams.flat()].filter(({ dataset_id: id }) => !ids.has(id) && ids.add(id));
  const due = inTurns(found).slice(0, max);
  await forEachAtOnce(due, async (dataset) => {
    // One that fails each time does not keep the place of those behind it.
    await datasets.deferErasure(dataset, now + RETRY_MILLISECONDS);
    await startErasing({ dataset_id: dataset.dataset_id });
  });
  return due.length;
}
