import { TrainingJob } from '#shared/training/schema/training-job.ts';
import { makeJob } from '#test/helpers/training-jobs.ts';

/** A job of SFT on the objects that `createMemoryBucket` has. */
export function createJob(changes: Partial<TrainingJob> = {}): TrainingJob {
  return TrainingJob.parse({
    ...makeJob({ experiment_id: 'experiment', iteration: 1, attempt: 1 }),
    data: {
      format: 'chat',
      train_keys: ['train-0.jsonl', 'train-1.jsonl'],
      train_rows: 5,
      held_out_key: 'held-out.jsonl',
      held_out_rows: 2,
      context_tokens: 64,
    },
    answer_tokens_max: 4,
    checkpoint_steps: 2,
    output_prefix: 'out/1/',
    ...changes,
  });
}
