import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as z from 'zod';
import { readGgufFile } from '#local/model/gguf-file.ts';
import { TunableModel } from '#local/model/tunable-model.ts';
import { modelsDirectory, repositoryRoot } from '#local/paths.ts';
import { TrainerReport } from '#shared/training/schema/training-job.ts';
import { createS3Client } from './aws-ports.ts';
import { createBucket } from './bucket.ts';
import { RefusedError } from './errors.ts';
import { jaxThreads } from './jax-setting.ts';
import { lentCredentials } from './lent-credentials.ts';
import { loadWeights, shapeOf } from './load-weights.ts';
import { weightsOf } from './models.ts';
import { Network } from './network.ts';
import { type BaseModel, runJob } from './run-job.ts';
import { tokenizerFiles } from './tokenizer-files.ts';
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

async function loadModel(id: string): Promise<BaseModel> {
  const path = join(modelsDirectory(), weightsOf(id));
  const file = await readGgufFile(path);
  const shape = shapeOf(file);
  const tunable = await TunableModel.load(path);
  const { ggml } = z
    .object({
      tokenizer: z.object({ ggml: z.object({ tokens: z.array(z.string()), eos_token_id: z.int() }) }),
    })
    .parse(file.metadata).tokenizer;
  return {
    network: await Network.create(shape, loadWeights(path, file, shape)),
    tokenizer: {
      tokenize: (text) => tunable.tokenize(text),
      encodeChat: (messages) => tunable.encodeChat(messages),
      endOfTurn: ggml.eos_token_id,
      endOfText: ggml.tokens.indexOf('<|endoftext|>'),
    },
    tokenizerFiles: tokenizerFiles(file.metadata),
    answer: (prompts, options) => tunable.answer(prompts, options),
  };
}

async function describeTrainer(): Promise<TrainerReport['trainer']> {
  const manifest = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')));
  return {
    kind: 'embedded',
    device: `WebAssembly on ${process.arch}, ${jaxThreads} threads`,
    versions: { node: process.versions.node, 'jax-js': manifest.devDependencies['@jax-js/jax'] ?? 'unknown' },
  };
}
