import type { TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';

/** The report of a trainer that has trained all rows, or has diverged. @param bytes of its artifact */
export const reportOf = (
  job: TrainingJob,
  outcome: TrainerReport['outcome'],
  bytes: number,
): TrainerReport => {
  const isDone = outcome === 'completed';
  return {
    version: 1,
    outcome,
    reason: isDone ? null : 'The loss of sft was not a number at step 3.',
    trainer: { kind: 'embedded', device: 'none', versions: {} },
    stages: job.stages.map(({ method }) => ({
      method,
      steps: 4,
      seconds: 1,
      train_loss: [
        { step: 1, loss: 3 },
        { step: 4, loss: 2 },
      ],
      held_out_loss: [
        { step: 0, loss: 3 },
        { step: 4, loss: 2 },
      ],
    })),
    rows: { trained: job.data.train_rows, truncated: 0 },
    answers_key: isDone ? `${job.output_prefix}answers.jsonl` : null,
    artifact_key: isDone ? `${job.output_prefix}artifact.tar.gz` : null,
    artifact_bytes: isDone ? bytes : null,
    gguf_key: null,
  };
};
