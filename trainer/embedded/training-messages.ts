import * as z from 'zod';
import { TrainerAttempt, TrainerMessage, TrainingJob } from '#shared/training/schema/training-job.ts';

/**
 * What the worker sends to the process that trains, once: the message, for which credentials are lent, its job, and an
 * empty folder that it may fill.
 */
export const TrainingOrder = z.object({ asked: TrainerMessage, job: TrainingJob, folder: z.string() });
export type TrainingOrder = z.infer<typeof TrainingOrder>;

/** Messages of the training process. */
export const TrainingNews = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('progress'),
    progress: z.object({
      phase: TrainerAttempt.shape.phase.unwrap(),
      method: TrainerAttempt.shape.method,
      step: TrainerAttempt.shape.step,
      steps: TrainerAttempt.shape.steps,
    }),
  }),
  z.object({ kind: z.literal('reported'), report_key: z.string() }),
  z.object({ kind: z.literal('refused'), cause: z.string() }),
  z.object({ kind: z.literal('failed'), cause: z.string() }),
]);
export type TrainingNews = z.infer<typeof TrainingNews>;
