import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { runCommand } from '#local/child.ts';
import { readGgufFile } from '#local/model/gguf-file.ts';
import { setUpModels } from '#local/model/setup.ts';
import { modelsDirectory } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { ensureTrainedCheckpoint, ensureTrainerEnvironment } from '#local/trainer-environment.ts';
import { AdamW, clipGradients } from '#trainer/embedded/adamw.ts';
import { Adapter } from '#trainer/embedded/adapter.ts';
import { learnFromRows } from '#trainer/embedded/batch.ts';
import { loadWeights, shapeOf } from '#trainer/embedded/load-weights.ts';
import { lossOf } from '#trainer/embedded/losses.ts';
import { trainerModelIds, weightsOf } from '#trainer/embedded/models.ts';
import { Network } from '#trainer/embedded/network.ts';
import { projections } from '#trainer/embedded/network-shape.ts';
import { createRandom } from '#trainer/embedded/random.ts';
import { median } from './median.ts';
import { type BenchResult, resultOf } from './result.ts';

const modelId = 'HuggingFaceTB/SmolLM2-135M-Instruct';
const rank = 8;
const alpha = 16;
const rate = 1e-4;
/** Maximum slowdown of the embedded trainer against TRL. */
const slowdownMax = 5;
/** Warm-up steps, in which kernels compile. */
const firstSteps = 2;

/**
 * Steps a second of the embedded trainer: SFT by LoRA on every linear map, batches of one text of `tokens` tokens, of
 * which the second half are targets. TRL runs the same steps on the same texts.
 */
export async function benchTraining({ tokens = 64, steps = 8 } = {}): Promise<BenchResult> {
  const progress = createProgress();
  await setUpModels(trainerModelIds, progress);
  const python = await ensureTrainerEnvironment(progress);
  const models = await ensureTrainedCheckpoint(python, progress);
  const random = createRandom(tokens);
  const texts = Array.from({ length: steps + firstSteps }, () =>
    Array.from({ length: tokens }, () => 100 + Math.floor(random() * 40_000)),
  );
  const peer = stepsPerSecond(await timeTrl(python, join(models, modelId), texts));
  const runs = stepsPerSecond(await timeEmbedded(texts));
  return resultOf({
    name: `steps of SFT on one text of ${tokens} tokens`,
    unit: 'steps/s',
    bound: { name: `a ${slowdownMax}th of TRL’s`, value: median(peer) / slowdownMax },
    runs,
    peers: [{ name: 'TRL', runs: peer }],
  });
}

/** Seconds of each step. */
async function timeTrl(python: string, model: string, texts: readonly number[][]): Promise<number[]> {
  const script = fileURLToPath(new URL('trl_steps.py', import.meta.url));
  const input = JSON.stringify({ model, texts, rank, alpha, rate });
  const output = await runCommand(python, [script, input], {
    what: 'Training by TRL',
    environment: { ...process.env, CUDA_VISIBLE_DEVICES: '', HF_HUB_OFFLINE: '1' },
  });
  return z.array(z.number()).parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
}

async function timeEmbedded(texts: readonly number[][]): Promise<number[]> {
  const path = join(modelsDirectory(), weightsOf(modelId));
  const file = await readGgufFile(path);
  const shape = shapeOf(file);
  const network = await Network.create(shape, loadWeights(path, file, shape));
  const adapter = new Adapter(shape, { rank, alpha, modules: projections });
  adapter.randomize(createRandom(1));
  const optimizer = new AdamW(adapter.parameters.length);
  const lossOfRow = lossOf('sft', {
    dpo_beta: 0.1,
    dpo_normalize_logratios_by_length: false,
    rpo_alpha: 0,
    simpo_gamma: 0,
  });
  const seconds: number[] = [];
  for (const text of texts) {
    const startedAt = performance.now();
    const gradients = new Float32Array(adapter.parameters.length);
    network.setFactors(adapter.layers());
    const encoded = { tokens: Int32Array.from(text), start: text.length / 2 };
    await learnFromRows(network, adapter, [{ texts: [encoded], reference: [] }], {
      lossOfRow,
      gradients,
      dropout: () => [],
    });
    clipGradients(gradients, 1);
    optimizer.update(adapter.parameters, gradients, { rate, weightDecay: 0 });
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return seconds;
}

function stepsPerSecond(seconds: readonly number[]): number[] {
  return seconds.slice(firstSteps).map((each) => 1 / each);
}
