import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readGgufFile } from '#local/model/gguf-file.ts';
import { TunableModel } from '#local/model/tunable-model.ts';
import { modelsDirectory, repositoryRoot } from '#local/paths.ts';
import type { TrainerReport } from '#shared/training/schema/training-job.ts';
import { jaxThreads } from './jax-setting.ts';
import { loadWeights, shapeOf } from './load-weights.ts';
import { weightsOf } from './models.ts';
import { Network } from './network.ts';
import type { BaseModel } from './run-job.ts';
import { tokenizerFiles } from './tokenizer-files.ts';

/** Loads the base model of trainings from its weights on this machine. */
export async function loadModel(id: string): Promise<BaseModel> {
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

/** What the report of a training says of this trainer. */
export async function describeTrainer(): Promise<TrainerReport['trainer']> {
  const manifest = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')));
  return {
    kind: 'embedded',
    device: `WebAssembly on ${process.arch}, ${jaxThreads} threads`,
    versions: { node: process.versions.node, 'jax-js': manifest.devDependencies['@jax-js/jax'] ?? 'unknown' },
  };
}
