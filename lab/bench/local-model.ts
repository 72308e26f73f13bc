import { join } from 'node:path';
import { setUpModels } from '#local/model/setup.ts';
import { type ModelServer, startModelServer } from '#local/model/start.ts';
import { localDirectory } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';
import { silentProgress } from '#local/progress.ts';
import { median } from './median.ts';
import { type BenchResult, resultOf } from './result.ts';

const model = 'smollm2-135m';

/** A common prefix of about 600 tokens for all requests of a run: instructions and examples. */
const prefix = Array.from(
  { length: 30 },
  (_, n) =>
    `Example ${n + 1}: a request about a garden is answered in one sentence that names a plant and a month.`,
).join('\n');

/**
 * Prompt tokens a second of the local model server, for many concurrent requests that share their first 600 tokens, as
 * those of a run do; compared, in turns, with requests without a common prefix.
 */
export async function benchLocalModel({ repetitions = 3, requests = 24 } = {}): Promise<BenchResult> {
  await setUpModels([model], silentProgress);
  const server = await startModelServer({
    models: [model],
    port: await findFreePort(),
    logFile: join(localDirectory, 'logs', 'bench-model-server.log'),
    settings: { TUNESMITH_MODEL_CONTEXT: '2048' },
  });
  const shared: number[] = [];
  const apart: number[] = [];
  try {
    for (let run = 0; run < repetitions; run += 1) {
      apart.push(await tokensPerSecond(server, requests, (n) => `Run ${run}, request ${n}.\n${prefix}`));
      shared.push(await tokensPerSecond(server, requests, () => `Run ${run}.\n${prefix}`));
    }
  } finally {
    await server.stop();
  }
  return resultOf({
    name: `Local model: ${requests} requests at once with one prefix`,
    unit: 'prompt tokens/s',
    bound: { name: 'the same without a common prefix', value: median(apart) },
    runs: shared,
  });
}

async function tokensPerSecond(
  server: ModelServer,
  requests: number,
  system: (n: number) => string,
): Promise<number> {
  const started = performance.now();
  const read = await Promise.all(
    Array.from({ length: requests }, async (_, n) => {
      const response = await fetch(`${server.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          temperature: 0,
          max_tokens: 4,
          messages: [
            { role: 'system', content: system(n) },
            { role: 'user', content: `When do I plant tree number ${n} in a garden that lies in the shade?` },
          ],
        }),
      });
      if (!response.ok) throw new Error(`The model server answers ${response.status}.`);
      const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
      return usage.prompt_tokens;
    }),
  );
  return read.reduce((sum, tokens) => sum + tokens, 0) / ((performance.now() - started) / 1000);
}
