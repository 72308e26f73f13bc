import type { EndGrowthPorts } from '#shared/growth/end-growth.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { FreeUseLimiter, UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { billTraining, endAugmentation } from './bill-training.ts';
import { hasEnded } from './decide/has-ended.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';

export interface CancelTrainingPorts extends EndGrowthPorts {
  readonly trainings: Pick<TrainingRepository, 'find' | 'findAttempt'>;
  readonly runs: Pick<RunRepository, 'find' | 'readEffort'>;
  readonly unbilled: Pick<UnbilledAllowance, 'add'>;
  readonly executions: Pick<Executions, 'stop'>;
  /** Called if an execution could not be stopped; the training has ended anyway. */
  readonly onStopFailed: (error: unknown) => void;
}

const CANCELLED: ErrorData = {
  code: 'run_cancelled',
  message: 'The training was cancelled.',
  level: 'error',
};
const AUGMENTATION_CANCELLED: ErrorData = {
  code: 'run_cancelled',
  message: 'The training that needed these rows was cancelled.',
  level: 'error',
};

/**
 * Counts the cancellation of a training whose rows are being made: what models have written until then is not billed,
 * because it is not delivered, so the plan limits such cancellations in an hour as those of runs.
 * @throws {ServiceError} `rate_limited`
 */
export async function admitCancellation(
  { runs, freeUses }: { readonly runs: Pick<RunRepository, 'find'>; readonly freeUses: FreeUseLimiter },
  caller: Caller,
  training: TrainingRecord,
  now: number,
): Promise<void> {
  const { augmented } = training;
  if (augmented === null || hasEnded(training)) return;
  const run = await runs.find(augmented.dataset_id, augmented.run_id);
  if (run?.status === 'running') await freeUses.admit(caller, 'cancellations_per_hour', now);
}

/**
 * Cancels a training, or a comparison, at once: ends its augmentation, bills the rows that this delivered, rejects its
 * trainer's heartbeats, and stops its execution. What models wrote of an augmentation that delivers nothing counts against
 * the tokens of the hour that the plan leaves unbilled. One that has ended is returned unchanged.
 * @throws {ServiceError} `training_handing_over`
 */
export async function cancelTraining(
  ports: CancelTrainingPorts,
  training: TrainingRecord,
  now: number,
): Promise<TrainingRecord> {
  const { trainings } = ports;
  if (hasEnded(training)) return training;
  await requireNoHandover(ports, training);

  const { dataset_id, experiment_id: run_id } = training;
  const undelivered = await undeliveredTokens(ports, training);
  const bill = await billTraining(ports, training, now, AUGMENTATION_CANCELLED);
  const { ended_at } = await ports.endRun({ dataset_id, run_id, error: CANCELLED, ...bill, now });
  // One that was started after `training` was read has delivered nothing yet.
  const ended = (await trainings.find(training.team_id, run_id)) ?? training;
  await endAugmentation(ports, ended, now, AUGMENTATION_CANCELLED);
  try {
    await ports.executions.stop('train', run_id);
  } catch (error) {
    ports.onStopFailed(error);
  }
  // Of several cancellations at once the one that has ended the run counts.
  if (ended_at === timestamp(now) && undelivered > 0 && bill.priceBeforeDiscount === 0)
    await ports.unbilled.add(training.team_id, undelivered, now);
  return ended;
}

/** The tokens that models have used for an augmentation that has not delivered its rows. */
async function undeliveredTokens(
  { runs }: Pick<CancelTrainingPorts, 'runs'>,
  { augmented }: TrainingRecord,
): Promise<number> {
  if (augmented === null) return 0;
  const run = await runs.find(augmented.dataset_id, augmented.run_id);
  return run?.status === 'running' ? (await runs.readEffort(run.run_id)).tokens : 0;
}

/**
 * Between two stages the weights of the first are being transferred to the second: the training cannot be cancelled
 * then.
 */
async function requireNoHandover(
  { trainings }: CancelTrainingPorts,
  { experiment_id, attempt }: TrainingRecord,
): Promise<void> {
  if (attempt === null) return;
  const current = await trainings.findAttempt({ experiment_id, ...attempt });
  if (current?.state !== 'claimed' || current.phase !== 'handing_over') return;
  throw new ServiceError(
    'training_handing_over',
    'The training is between its two stages and cannot be cancelled just now. Try again in a moment.',
    { retryAfterSeconds: 5 },
  );
}
