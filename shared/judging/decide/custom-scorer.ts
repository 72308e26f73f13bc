import { askModel, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { customRubricPrompt } from './prompts/custom-rubric.v1.ts';
import type { Scorer } from './scorer.ts';
import { withoutOrders } from './without-orders.ts';

/** Scores answers by the caller's own rubric. There is no calibration for such a rubric. */
export function createCustomScorer(judge: ModelClient, judgePrompt: string): Pick<Scorer, 'score'> {
  return {
    async score({ request, answer }, asking, meter) {
      const item = { request: withoutOrders(request), answer: withoutOrders(answer) };
      const score = await askModel(judge, customRubricPrompt(judgePrompt, item), readScore, asking, meter);
      return { score, criteria: {} };
    },
  };
}

function readScore(generation: Generation): number {
  const score = readJsonObject(generation.text)?.score;
  if (!Number.isInteger(score) || (score as number) < 0 || (score as number) > 10) {
    throw new UnusableAnswer('The judge gave no integer from 0 to 10');
  }
  return score as number;
}
