import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { findPlace, placeClaim } from '#shared/platform/take-place.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';

/** Uploads, imports and appends of a team that are read at once: each holds a function, for 15 minutes at most at a time. */
export const READINGS_AT_ONCE_MAX = 10;

/** Seconds after which a place comes free that nobody gave back: as many as the executions have that read files, whose downloads may wait for hours. */
const PLACE_SECONDS = 48 * 3600;

type Reading = Pick<RunRecord, 'team_id' | 'run_id'>;

export interface TakeReadingPlacePorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
}

const placesOf = ({ team_id }: Reading): string => `reading of ${team_id}`;

/**
 * Takes one of the places of the run's team, of which a run keeps one, however often it asks.
 * @param now milliseconds since the epoch
 * @returns 0; the seconds after which to ask again if all are taken
 * @throws {ServiceError} `run_interrupted` if the run has ended
 */
export async function takeReadingPlace(
  { runs, claims }: TakeReadingPlacePorts,
  run: Reading & Pick<RunRecord, 'dataset_id' | 'started_at'>,
  now: number,
): Promise<number> {
  // What is taken after the end of the run, nothing would give back.
  const whileRunning: Pick<Claims, 'take'> = {
    take: (work, seconds, holder) => claims.take(work, seconds, holder, run),
  };
  const place = await findPlace(whileRunning, placesOf(run), {
    places: READINGS_AT_ONCE_MAX,
    seconds: PLACE_SECONDS,
    holder: run.run_id,
  });
  if (place === null) {
    const current = await runs.find(run.dataset_id, run.run_id);
    if (current?.status === 'running') return secondsToPlace((now - Date.parse(run.started_at)) / 1000);
    throw new ServiceError('run_interrupted', 'The run has ended before its files were read.');
  }
  // Those before it were others'; one after it may be its own, of an earlier time.
  await releasePlaces(claims, run, place + 1);
  return 0;
}

/** Gives back the place of a run that reads nothing any more; nothing if it has none. */
export const giveBackReadingPlace = (claims: Pick<Claims, 'release'>, run: Reading): Promise<void> =>
  releasePlaces(claims, run, 0);

async function releasePlaces(claims: Pick<Claims, 'release'>, run: Reading, first: number): Promise<void> {
  const places = Array.from({ length: READINGS_AT_ONCE_MAX - first }, (_, n) => first + n);
  await Promise.all(places.map((place) => claims.release(placeClaim(placesOf(run), place), run.run_id)));
}

/** Seconds until a run that has waited `waited` seconds looks for a place again: a quarter of these, so that its history holds the looks. */
export const secondsToPlace = (waited: number): number => Math.round(Math.max(10, waited / 4));
