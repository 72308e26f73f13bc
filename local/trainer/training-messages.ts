import * as z from 'zod';
import { TrainerAttempt, TrainingJob } from '#shared/schema/training-job.ts';

/** What the worker sends to the process that trains, once: the job, and an empty folder that it may fill. */
export const TrainingOrder = z.object({ job: TrainingJob, folder: z.string() });
export type TrainingOrder = z.infer<typeof TrainingOrder>;

/** What that process says. */
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
