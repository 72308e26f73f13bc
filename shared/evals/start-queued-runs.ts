import type { Claims } from '#shared/platform/storage/claims.ts';
import { findPlace, placeClaim } from '#shared/platform/take-place.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { type EvalRepository, type EvalRunHead, type EvalRunRecord, isOpen } from './decide/records.ts';

/** Runs of a team at a time: each holds a function. */
export const OPEN_EVAL_RUNS_MAX = 5;
/** Of those, runs whose graders have programs: each holds two more functions, and costs no credits. */
export const OPEN_PROGRAM_RUNS_MAX = 2;
/** Seconds after which the place of a run whose worker is gone comes free. */
export const EVAL_PLACE_SECONDS = 3600;

/** A run that has been placed for so long, and still waits, was not started: its process was killed. */
const STARTING_MILLISECONDS = 60_000;

export type EvalRunAddress = Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>;

/** The claim of a run on one of the places of its team. */
export const claimOfEvalRun = (teamId: string, place: number): string => placeClaim(placesOf(teamId), place);

const placesOf = (teamId: string): string => `eval run ${teamId}`;

export interface StartQueuedRunsPorts {
  readonly evals: Pick<EvalRepository, 'findRunHead' | 'placeRun' | 'listQueued' | 'dequeue'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  /** Starts the worker of a run. */
  readonly start: (run: EvalRunAddress) => Promise<void>;
  readonly clock: { readonly now: () => number };
}

/**
 * Starts the runs of a team that wait and for which there is a place, oldest first. Whoever queues a run calls it, and whoever
 * gives a place back; what one of them has left undone, the sweep does. It may run several times at once.
 */
export async function startQueuedRuns(ports: StartQueuedRunsPorts, teamId: string): Promise<void> {
  // Another process may have found a place taken that this one has given back.
  while (await startAll(ports, teamId));
}

/** @returns whether a place was given back */
async function startAll(ports: StartQueuedRunsPorts, teamId: string): Promise<boolean> {
  const { evals } = ports;
  let [hasGivenBack, full] = [false, 0];
  for (const queued of await evals.listQueued(teamId)) {
    // Without a place for one run, there is none for another that may have no more of them.
    if (queued.has_ended !== true && queued.places <= full) continue;
    const run =
      queued.has_ended === true ? null : await evals.findRunHead(teamId, queued.eval_id, queued.run_id);
    const placed = run !== null && isOpen(run) ? await placeRun(ports, run, queued.places) : 'ended';
    if (placed === 'full') full = queued.places;
    if (placed === 'given back') hasGivenBack = true;
    if (placed === 'ended') {
      // No worker may ever begin it, and give them back.
      await releasePlaces(ports.claims, queued);
      hasGivenBack = true;
    }
    if (placed === 'placed') await ports.start(addressOf(queued));
    // After the start: that of a process that was killed is made up for.
    if (placed === 'placed' || placed === 'ended') await evals.dequeue(queued);
  }
  return hasGivenBack;
}

const addressOf = ({ team_id, eval_id, run_id }: EvalRunAddress): EvalRunAddress => ({
  team_id,
  eval_id,
  run_id,
});

async function placeRun(
  { evals, claims, clock }: StartQueuedRunsPorts,
  run: EvalRunHead,
  places: number,
): Promise<'placed' | 'starting' | 'full' | 'given back'> {
  if (typeof run.place === 'number')
    return clock.now() - Date.parse(run.worked_at) < STARTING_MILLISECONDS ? 'starting' : 'placed';
  // Runs with programs may have the first places alone.
  const place = await findPlace(claims, placesOf(run.team_id), {
    ...{ places, seconds: EVAL_PLACE_SECONDS, holder: run.run_id, isLastFirst: true },
  });
  if (place === null) return 'full';
  if (await evals.placeRun(run, place, timestamp(clock.now()))) return 'placed';
  // It has ended meanwhile, or another process has placed it: perhaps at the same place.
  const now = await evals.findRunHead(run.team_id, run.eval_id, run.run_id);
  if (now !== null && isOpen(now) && now.place === place) return 'starting';
  await claims.release(claimOfEvalRun(run.team_id, place), run.run_id);
  return 'given back';
}

/** Releases the place of a run that has ended, and those that a killed process has taken for it. */
async function releasePlaces(
  claims: Pick<Claims, 'release'>,
  { team_id, run_id }: Pick<EvalRunRecord, 'team_id' | 'run_id'>,
): Promise<void> {
  for (let place = 0; place < OPEN_EVAL_RUNS_MAX; place += 1)
    await claims.release(claimOfEvalRun(team_id, place), run_id);
}

/** Gives back the places of a run that has ended, and starts what waits. */
export async function giveBackPlace(
  ports: StartQueuedRunsPorts,
  run: Pick<EvalRunRecord, 'team_id' | 'run_id'>,
): Promise<void> {
  await releasePlaces(ports.claims, run);
  await startQueuedRuns(ports, run.team_id);
}

export interface SweepQueuedRunsPorts extends StartQueuedRunsPorts {
  readonly evals: StartQueuedRunsPorts['evals'] & Pick<EvalRepository, 'teamsWithQueued'>;
}

/**
 * Starts what waits and could have been started: the process that gave the place back was killed.
 * @returns the teams of which that failed
 */
export async function sweepQueuedRuns(
  ports: SweepQueuedRunsPorts,
): Promise<readonly { readonly team_id: string; readonly cause: unknown }[]> {
  const failures: { team_id: string; cause: unknown }[] = [];
  for (const team_id of await ports.evals.teamsWithQueued()) {
    await startQueuedRuns(ports, team_id).catch((cause: unknown) => failures.push({ team_id, cause }));
  }
  return failures;
}
