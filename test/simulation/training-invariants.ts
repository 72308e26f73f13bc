import type { Item } from '#shared/platform/store/table.ts';
import { watchTrainers } from '#shared/training/background.ts';
import { hasEnded } from '#shared/training/decide/has-ended.ts';
import { TrainingRecord } from '#shared/training/decide/record.ts';
import { SILENCE_SECONDS } from '#shared/training/decide/trainer-settings.ts';
import { TrainerAttempt } from '#shared/training/schema/training-job.ts';
import { SKEW_MILLISECONDS } from './functions.ts';
import type { Change } from './simulated-table.ts';

type AttemptState = TrainerAttempt['state'] | 'none';

/** The states that may follow one of an attempt. */
const NEXT: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  // The end of a training revokes an attempt that is being queued.
  none: ['queued', 'revoked'],
  queued: ['claimed', 'revoked'],
  claimed: ['ended', 'revoked'],
  ended: ['revoked'],
  revoked: [],
};

const isOpen = (state: AttemptState | undefined): boolean => state === 'queued' || state === 'claimed';

/** A trainer that is silent, and not excused, is given up by then: the watcher looks every minute, and may fail for a while. */
const SILENCE_MILLISECONDS_MAX = 2 * 3_600_000;

const LAST_FIELDS = ['status', 'error', 'completed_at', 'best', 'attempt', 'iterations_completed'] as const;

/** What has to be true of trainings and of the attempts of their trainers. */
export class TrainingInvariants {
  readonly #trainings = new Map<string, TrainingRecord>();
  /** The states of the attempts of each training. */
  readonly #attempts = new Map<string, Map<string, AttemptState>>();

  /** The longest silence of the trainer of each attempt so far, in milliseconds. */
  readonly #silences = new Map<string, number>();

  private readonly breaks: (invariant: string, seen: string) => void;
  private readonly now: () => number;

  constructor(breaks: (invariant: string, seen: string) => void, now: () => number) {
    this.breaks = breaks;
    this.now = now;
  }

  get trainings(): readonly TrainingRecord[] {
    return [...this.#trainings.values()];
  }

  look(changes: readonly Change[], writer: string): void {
    for (const { pk, sk, before, after } of changes) {
      if (sk === 'TRAINING' && after !== undefined) this.#lookAtTraining(before, after);
      if (sk === 'ATTEMPT' && after !== undefined) {
        this.#lookAtAttempt(pk, before, after);
        this.#lookAtSilence(pk, before, after, writer);
      }
    }
    // After all that a transaction has changed.
    for (const { sk, before, after } of changes) {
      if (sk === 'TRAINING' && before !== undefined && after !== undefined) this.#lookAtEnd(before, after);
    }
  }

  #lookAtTraining(before: Item | undefined, after: Item): void {
    const training = TrainingRecord.parse(after);
    const { experiment_id: id, dataset_id, iterations_completed: completed } = training;
    this.#trainings.set(id, training);
    if (completed > training.max_iterations)
      this.breaks('a training has as many iterations as it may', `${completed} of ${id}`);
    if (before === undefined) {
      const active = this.trainings.filter((each) => each.dataset_id === dataset_id && !hasEnded(each));
      if (active.length > 1)
        this.breaks(
          'a dataset has one training at a time',
          active.map((each) => each.experiment_id).join(' '),
        );
      return;
    }
    const earlier = TrainingRecord.parse(before);
    if (completed < earlier.iterations_completed || completed > earlier.iterations_completed + 1)
      this.breaks(
        'iterations follow each other',
        `${id} went from ${earlier.iterations_completed} to ${completed}`,
      );
    const [was, is] = [earlier.attempt, training.attempt];
    if (was !== null && is !== null && was.iteration === is.iteration && is.attempt < was.attempt)
      this.breaks('attempts follow each other', `${id} went from ${was.attempt} to ${is.attempt}`);
    if (earlier.status === 'running' && training.status === 'pending')
      this.breaks('a training moves as its states allow', `${id} is pending again`);
    if (!hasEnded(earlier)) return;
    for (const field of LAST_FIELDS) {
      if (JSON.stringify(earlier[field]) !== JSON.stringify(training[field]))
        this.breaks('a training ends once', `${field} of ${id} became ${JSON.stringify(training[field])}`);
    }
  }

  #lookAtAttempt(pk: string, before: Item | undefined, after: Item): void {
    const [, id = '', ...place] = pk.split('#');
    const from: AttemptState = before === undefined ? 'none' : stateOf(before);
    const to = stateOf(after);
    const attempts = this.#attempts.get(id) ?? new Map<string, AttemptState>();
    this.#attempts.set(id, attempts);
    attempts.set(place.join('#'), to);
    if (to !== from && !NEXT[from].includes(to))
      this.breaks('an attempt moves as its states allow', `${pk} went from ${from} to ${to}`);
    if (from === 'claimed' && before?.claimed_by !== after.claimed_by)
      this.breaks('an attempt has one trainer', `${pk}: ${before?.claimed_by} and ${after.claimed_by}`);
    // A trainer notes that it has ended after it has reported: the next iteration may have begun by then.
    const open = [...attempts].filter(([name, state]) => isOpen(state) && name.split('#')[0] === place[0]);
    if (open.length > 1)
      this.breaks(
        'an iteration has one attempt at a time',
        `${id}: ${open.map(([name]) => name).join(' and ')}`,
      );
    const training = this.#trainings.get(id);
    if (to === 'queued' && from === 'none' && training !== undefined && hasEnded(training))
      this.breaks('no attempt outlives its training', `${pk} is queued`);
  }

  /** Whether who watches trainers gives up silent ones, and no others. */
  #lookAtSilence(pk: string, before: Item | undefined, after: Item, writer: string): void {
    if (before === undefined || stateOf(before) !== 'claimed') return;
    const { heartbeat_at, queued_at, waits_until } = TrainerAttempt.parse(before);
    const heard = Date.parse(heartbeat_at ?? queued_at);
    const silence = this.now() - heard;
    const longest = Math.max(this.#silences.get(pk) ?? 0, silence);
    this.#silences.set(pk, longest);
    const seconds = Math.round(longest / 1000);
    if (
      stateOf(after) === 'revoked' &&
      writer.startsWith(watchTrainers.id) &&
      // The clocks of who heard the trainer and of who looks may differ.
      longest < SILENCE_SECONDS * 1000 - 2 * SKEW_MILLISECONDS
    )
      this.breaks('no trainer is given up that is alive', `${pk}: silent for ${seconds} seconds at most`);
    const excused = waits_until === undefined ? heard : Math.max(heard, Date.parse(waits_until));
    if (this.now() - excused > SILENCE_MILLISECONDS_MAX)
      this.breaks('a silent trainer is given up', `${pk}: silent for ${seconds} seconds`);
  }

  /** The attempt that a training waits for as it ends. */
  #lookAtEnd(before: Item, after: Item): void {
    const { attempt, experiment_id: id } = TrainingRecord.parse(before);
    if (attempt === null || !hasEnded(TrainingRecord.parse(after))) return;
    const name = `${attempt.iteration}#${attempt.attempt}`;
    if (isOpen(this.#attempts.get(id)?.get(name)))
      this.breaks('no attempt outlives its training', `${id}: ${name}`);
  }
}

/** An item that only has a revocation is the trace of an attempt that was never queued. */
const stateOf = (item: Item): TrainerAttempt['state'] => TrainerAttempt.shape.state.parse(item.state);
