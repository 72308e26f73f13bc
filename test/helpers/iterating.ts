import { gzipSync } from 'node:zlib';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { proposeHyperparams } from '#shared/training/propose-hyperparams.ts';
import { queueAttempt } from '#shared/training/queue-attempt.ts';
import { type HeldOutAnswer, type TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';
import { linesOf } from './active-run.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

/** Prepares, proposes and queues; answers the job of the attempt. */
export async function queueIteration(
  world: World,
  context: RunContext,
  {
    attempt = 1,
    now = NOW,
    send = () => {},
    fail = () => {},
  }: {
    readonly attempt?: number;
    readonly now?: number;
    readonly send?: (message: object) => void;
    readonly fail?: (token: string, error: string) => void;
  } = {},
): Promise<TrainingJob> {
  const ports = { ...world.store, objects: world.objects };
  await prepareTraining(ports, context);
  const { iteration } = await proposeHyperparams(ports, context);
  await queueAttempt(
    {
      ...ports,
      queue: { send: async (_: string, message: object) => send(message) },
      tokens: {
        fail: async (token: string, error: string) => {
          fail(token, error);
          return true;
        },
      },
      bucket: 'bucket',
      lender: 'lender',
    },
    { ...context, iteration, attempt, task_token: `token-${iteration}-${attempt}` },
    now,
  );
  const key = objectKeys.trainingJob(context.run_id, iteration, attempt);
  return TrainingJob.parse(JSON.parse(world.objects.text(key)));
}

/** Leaves what a trainer leaves that won on `wins` of the rows that are held out. */
export async function deliverIteration(
  { objects }: Pick<World, 'objects'>,
  job: TrainingJob,
  wins: number,
  changes: Partial<TrainerReport> = {},
  answerOf: (won: boolean, row: number) => { readonly base: string; readonly tuned: string } = (
    won,
    row,
  ) => ({
    base: `plain ${row}`,
    tuned: `${won ? 'better' : 'worse'} ${row}`,
  }),
): Promise<void> {
  const answers = linesOf(objects.text(job.data.held_out_key)).map((line, index): HeldOutAnswer => {
    const { row, messages, completion } = JSON.parse(line) as {
      row: number;
      messages: [];
      completion: string;
    };
    const won = index < wins;
    const { base, tuned } = answerOf(won, row);
    return {
      row,
      messages,
      reference: completion,
      base: { answer: base, reference_logprob: -2 },
      tuned: { answer: tuned, reference_logprob: won ? -1 : -3 },
    };
  });
  const body = answers.map((answer) => `${JSON.stringify(answer)}\n`).join('');
  await objects.write(`${job.output_prefix}answers.jsonl`, body, 'x');
  const artifact = gzipSync(
    Buffer.concat([tarEntry('adapter_config.json', Buffer.from('{}')), Buffer.alloc(1024)]),
  );
  await objects.write(`${job.output_prefix}artifact.tar.gz`, artifact, 'x');
  const report: TrainerReport = {
    version: 1,
    outcome: 'completed',
    reason: null,
    trainer: { kind: 'gpu', device: 'none', versions: {} },
    stages: [{ method: 'sft', steps: 3, seconds: 1, train_loss: [], held_out_loss: [] }],
    rows: { trained: job.data.train_rows, truncated: 0 },
    answers_key: `${job.output_prefix}answers.jsonl`,
    artifact_key: `${job.output_prefix}artifact.tar.gz`,
    artifact_bytes: artifact.length,
    gguf_key: null,
    ...changes,
  };
  await objects.write(`${job.output_prefix}report.json`, JSON.stringify(report), 'x');
}
