import * as z from 'zod';
import { type Asking, askModel, type CallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { pairPrompt } from './prompts/pair.v1.ts';
import { CRITERIA, type Criterion, rubricPrompt } from './prompts/rubric.v1.ts';
import { withoutOrders } from './without-orders.ts';

export interface RubricScore {
  /** Mean of the criteria, 0 to 10. */
  readonly score: number;
  readonly criteria: Readonly<Record<Criterion, number>>;
}

/**
 * The judge's grade of a single answer.
 * @throws {AskFailure} {ModelOutage}
 */
export function scoreByRubric(
  judge: ModelClient,
  item: { readonly request: string; readonly answer: string },
  asking: Asking,
  meter: CallMeter,
): Promise<RubricScore> {
  const prompt = rubricPrompt({
    request: withoutOrders(item.request),
    answer: withoutOrders(item.answer),
  });
  return askModel(judge, prompt, readGrade, asking, meter);
}

function readGrade(generation: Generation): RubricScore {
  const grade = readJsonObject(generation.text);
  const criteria = Object.fromEntries(
    CRITERIA.map((criterion) => {
      const value = grade?.[criterion];
      if (typeof value !== 'number' || !(value >= 0 && value <= 10)) {
        throw new UnusableAnswer(`The judge gave no number from 0 to 10 for "${criterion}"`);
      }
      return [criterion, value];
    }),
  ) as Record<Criterion, number>;
  const sum = CRITERIA.reduce((total, criterion) => total + criteria[criterion], 0);
  return { score: sum / CRITERIA.length, criteria };
}

/** Which of two answers a judge chose in each order: the one given first, or the one given second. */
export const PairVerdict = z.object({
  /** `split`: it chose different answers in the two orders, so it saw no difference. */
  better: z.enum(['first', 'second', 'split']),
  /** In how many of the two questions it chose the answer in the first position. */
  frontNamed: z.literal([0, 1, 2]),
});
export type PairVerdict = Readonly<z.infer<typeof PairVerdict>>;

/**
 * Compares two answers blind, in both orders.
 * @throws {AskFailure} {ModelOutage}
 */
export async function comparePair(
  judge: ModelClient,
  pair: { readonly request: string; readonly first: string; readonly second: string },
  asking: Asking,
  meter: CallMeter,
): Promise<PairVerdict> {
  const request = withoutOrders(pair.request);
  const first = withoutOrders(pair.first);
  const second = withoutOrders(pair.second);
  const [forth, back] = await Promise.all([
    askModel(judge, pairPrompt({ request, a: first, b: second }), readWinner, asking, meter),
    askModel(judge, pairPrompt({ request, a: second, b: first }), readWinner, asking, meter),
  ]);
  const frontNamed = ((forth === 'A' ? 1 : 0) + (back === 'A' ? 1 : 0)) as 0 | 1 | 2;
  if (forth === back) {
    return { better: 'split', frontNamed };
  }
  return { better: forth === 'A' ? 'first' : 'second', frontNamed };
}

function readWinner(generation: Generation): 'A' | 'B' {
  const winner = readJsonObject(generation.text)?.winner;
  if (winner !== 'A' && winner !== 'B') {
    throw new UnusableAnswer('The judge named neither A nor B');
  }
  return winner;
}
