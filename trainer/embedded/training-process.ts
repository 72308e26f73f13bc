import { setImmediate as breathe } from 'node:timers/promises';
import { TrainerReport } from '#shared/training/schema/training-job.ts';
import { createS3Client } from './aws-ports.ts';
import { createBucket } from './bucket.ts';
import { RefusedError } from './errors.ts';
import { lentCredentials } from './lent-credentials.ts';
import { describeTrainer, loadModel } from './load-model.ts';
import { runJob } from './run-job.ts';
import { type TrainingNews, TrainingOrder } from './training-messages.ts';

/**
 * A process that trains one job from the worker, and exits. It keeps all cores busy for long, so it reports progress
 * and leaves heartbeats to the worker; when the worker ends, it ends too.
 */
process.once('disconnect', () => process.exit(1));
process.once('message', async (message) => {
  const news = await train(TrainingOrder.parse(message));
  process.send?.(news, () => process.exit(0));
});

async function train({ asked, job, folder }: TrainingOrder): Promise<TrainingNews> {
  try {
    const bucket = createBucket(createS3Client(lentCredentials(asked)), job.bucket);
    const report = await runJob(job, {
      model: await loadModel(job.model.id),
      bucket,
      folder,
      trainer: await describeTrainer(),
      onProgress: (progress) => process.send?.({ kind: 'progress', progress } satisfies TrainingNews),
      onCurveLost: (error) =>
        console.log(
          JSON.stringify({ event: 'curve_lost', error: error instanceof Error ? error.name : 'unknown' }),
        ),
      breathe,
      now: () => performance.now(),
    });
    const reportKey = `${job.output_prefix}report.json`;
    await bucket.write(
      reportKey,
      Buffer.from(JSON.stringify(TrainerReport.parse(report))),
      'application/json',
    );
    return { kind: 'reported', report_key: reportKey };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', cause: error.message };
    const name = error instanceof Error ? error.name : 'an unknown error';
    // The stack only has code locations; the message might quote a row.
    const stack =
      error instanceof Error ? (error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []) : [];
    console.log(
      JSON.stringify({
        event: 'training_failed',
        error: name,
        stack: stack.slice(0, 8).map((line) => line.trim()),
      }),
    );
    return { kind: 'failed', cause: `The trainer failed by ${name}; its log has the place.` };
  }
}
