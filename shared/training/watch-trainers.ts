import { readJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { AttemptId, TrainingRepository } from './decide/repository.ts';
import type { TaskTokens } from './decide/trainer-queue.ts';
import { CLAIM_SECONDS, SILENCE_SECONDS } from './decide/trainer-settings.ts';
import { type TrainerAttempt, TrainingJob } from './schema/training-job.ts';

export interface WatchTrainersPorts {
  readonly runs: Pick<RunRepository, 'listActive'>;
  readonly trainings: Pick<TrainingRepository, 'find' | 'findAttempt' | 'revokeAttempt'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly tokens: TaskTokens;
}

/** An abandoned attempt, and why. */
export interface AbandonedAttempt extends AttemptId {
  readonly error: 'trainer_lost' | 'trainer_never_started';
}

const PAGE_RUNS = 100;

/**
 * Abandons attempts whose trainer has sent no heartbeat for three minutes, and those that no trainer has claimed in
 * hours: it rejects their trainers from then on, and notifies the waiting state machine. A failing check of one attempt
 * does not affect the others.
 * @returns what was abandoned, and how many attempts could not be checked
 */
export async function watchTrainers(
  ports: WatchTrainersPorts,
  now: number,
): Promise<{
  examined: number;
  givenUp: AbandonedAttempt[];
  failures: { experiment_id: string; cause: unknown }[];
}> {
  const givenUp: AbandonedAttempt[] = [];
  const failures: { experiment_id: string; cause: unknown }[] = [];
  let examined = 0;
  let after: string | null = null;
  do {
    const page = await ports.runs.listActive({ limit: PAGE_RUNS, after });
    for (const run of page.runs) {
      if (kindOf(run).makes !== 'model') continue;
      const { run_id, team_id } = run;
      examined += 1;
      try {
        const training = await ports.trainings.find(team_id, run_id);
        const lost = training === null ? null : await look(ports, training, now);
        if (lost !== null) givenUp.push(lost);
      } catch (cause) {
        failures.push({ experiment_id: run_id, cause });
      }
    }
    after = page.next;
  } while (after !== null);
  return { examined, givenUp, failures };
}

async function look(
  ports: WatchTrainersPorts,
  { attempt: current, experiment_id }: TrainingRecord,
  now: number,
): Promise<AbandonedAttempt | null> {
  if (current === null) return null;
  const id: AttemptId = { experiment_id, iteration: current.iteration, attempt: current.attempt };
  const attempt = await ports.trainings.findAttempt(id);
  if (attempt === null) return null;
  const error = faultOf(attempt, now);
  if (error === null) return null;
  await ports.trainings.revokeAttempt(id);
  const { task_token: token } = await readJson(ports.objects, attempt.job_key, TrainingJob);
  const told = await ports.tokens.fail(token, error, CAUSES[error]);
  return told ? { ...id, error } : null;
}

const CAUSES = {
  trainer_lost: 'The trainer has been silent for three minutes.',
  trainer_never_started:
    'No trainer has taken the job from its queue: none is running, or the account had no room for one.',
} as const;

/** The fault of an attempt; a revoked one is reported again, because the process that revoked it may have died. */
function faultOf(attempt: TrainerAttempt, now: number): AbandonedAttempt['error'] | null {
  const secondsSince = (at: string): number => (now - Date.parse(at)) / 1000;
  const { state, queued_at, heartbeat_at, waits_until } = attempt;
  const isOpen = state === 'queued' || state === 'claimed';
  if (isOpen && waits_until !== undefined && secondsSince(waits_until) < 0) return null;
  if (state === 'queued') return secondsSince(queued_at) > CLAIM_SECONDS ? 'trainer_never_started' : null;
  // An attempt that ended has reported before: the report may have been lost.
  return secondsSince(heartbeat_at ?? queued_at) > SILENCE_SECONDS ? 'trainer_lost' : null;
}
