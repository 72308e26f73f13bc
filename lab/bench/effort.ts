import { loadRows } from '../effect/load-rows.ts';
import { connectModels } from '../effect/models.ts';
import type { LabResult } from '../effect/result.ts';
import { runRows } from '../effect/run-rows.ts';
import { startScriptedEndpoint } from '../effect/scripted-answers.ts';

/** Model usage of adapting a row; prompts are not rephrased. */
export interface Effort {
  readonly rows: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface EffortBench {
  /** A row of a mixed dataset, in which half of the answers are good. */
  readonly mixed: Effort;
  /** A row that a model changed. */
  readonly changed: Effort;
}

const concurrency = 4;

/**
 * Model calls and tokens a row, on the held-out rows of the effect suite, with a model that is always right: its
 * answers are accepted at the first attempt, so this is the cost of the prompts, not of the model's errors. Tokens are
 * counted by the endpoint.
 */
export async function benchEffort({ rowsMax = Number.POSITIVE_INFINITY } = {}): Promise<EffortBench> {
  const rows = (await loadRows())['held-out'].slice(0, rowsMax);
  const endpoint = await startScriptedEndpoint('strong', rows);
  const results: LabResult[] = [];
  try {
    const { models, asking, close } = await connectModels(endpoint, { concurrency, judgeFile: '' });
    await runRows({
      rows,
      isDone: () => false,
      models,
      asking,
      concurrency,
      async onResult(result) {
        if (result.type === 'row') results.push(result);
      },
    });
    await close();
  } finally {
    await endpoint.stop();
  }
  const changed = results.filter(({ outcome, calls }) => outcome === 'changed' && calls > 0);
  return { mixed: meanOf(results), changed: meanOf(changed) };
}

function meanOf(results: readonly LabResult[]): Effort {
  const mean = (read: (result: LabResult) => number): number =>
    results.reduce((sum, result) => sum + read(result), 0) / Math.max(results.length, 1);
  return {
    rows: results.length,
    calls: mean(({ calls }) => calls),
    inputTokens: mean(({ input_tokens }) => input_tokens),
    outputTokens: mean(({ output_tokens }) => output_tokens),
  };
}
