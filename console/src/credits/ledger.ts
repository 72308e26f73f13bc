import type { Schemas } from 'tunesmith';

type Movement = Schemas['LedgerMovement'];

/** What happened to credits, in words for people. */
export const MOVEMENT_WORDS: Readonly<Record<Movement['type'], string>> = {
  grant: 'granted',
  reserve: 'reserved',
  settle: 'billed',
  release: 'returned',
};

/** How a movement changes what can be spent. What is billed was reserved before: it changes nothing more. */
export function effectOf({ type, credits }: Pick<Movement, 'type' | 'credits'>): number {
  if (type === 'grant' || type === 'release') return credits;
  return type === 'reserve' ? -credits : 0;
}

/** What one run was reserved, billed and returned; null where its movement is not among those that were read. */
export interface RunPrice {
  readonly runId: string;
  readonly datasetId: string | null;
  readonly reserved: number | null;
  readonly billed: number | null;
  readonly returned: number | null;
  readonly reason: string | null;
  /** Time of its latest movement. */
  readonly at: string;
}

/** The price of each run that the movements tell of, in their order. */
export function pricesOfRuns(movements: readonly Movement[]): RunPrice[] {
  const runs = new Map<string, RunPrice>();
  for (const movement of movements) {
    const { purpose, run_id: runId, type, credits } = movement;
    if (purpose !== 'run' || runId === null) continue;
    const known = runs.get(runId) ?? {
      runId,
      datasetId: null,
      reserved: null,
      billed: null,
      returned: null,
      reason: null,
      at: movement.created_at,
    };
    runs.set(runId, {
      ...known,
      datasetId: known.datasetId ?? movement.dataset_id,
      reason: known.reason ?? movement.reason,
      reserved: type === 'reserve' ? (known.reserved ?? 0) + credits : known.reserved,
      billed: type === 'settle' ? (known.billed ?? 0) + credits : known.billed,
      returned: type === 'release' ? (known.returned ?? 0) + credits : known.returned,
    });
  }
  return [...runs.values()];
}

/** The answers of all days, by model; the dearest first. */
export function answersByModel(days: readonly Schemas['UsageDay'][]): Schemas['ModelUsage'][] {
  const models = new Map<string, Schemas['ModelUsage']>();
  for (const { models: ofDay } of days) {
    for (const each of ofDay) {
      const sum = models.get(each.model);
      models.set(
        each.model,
        sum === undefined
          ? each
          : {
              model: each.model,
              answers: sum.answers + each.answers,
              input_tokens: sum.input_tokens + each.input_tokens,
              output_tokens: sum.output_tokens + each.output_tokens,
              cost_credits: sum.cost_credits + each.cost_credits,
              billed_credits: sum.billed_credits + each.billed_credits,
            },
      );
    }
  }
  return [...models.values()].sort((a, b) => b.billed_credits - a.billed_credits);
}

/** The smallest round number that is not below the value: the end of an axis. */
export function axisEnd(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}
