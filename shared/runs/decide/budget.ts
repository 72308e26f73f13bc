import * as z from 'zod';
import type { Plan } from '#shared/platform/schema/plan.ts';

/** Limits of a run by its team's plan at launch; null for no limit. */
export const RunBudget = z.object({
  tokens: z.int().nullable(),
  minutes: z.int().nullable(),
  /** Tokens in an hour for rows that are not billed, of all runs of the team together. */
  unbilled_tokens: z.int().nullable().default(null),
});
export type RunBudget = z.infer<typeof RunBudget>;

export const NO_BUDGET: RunBudget = { tokens: null, minutes: null, unbilled_tokens: null };

/** The budget of a run that is launched under a plan. */
export const budgetOf = (
  plan: Pick<Plan, 'tokens_per_run' | 'minutes_per_run' | 'unbilled_tokens_per_hour'>,
): RunBudget => ({
  tokens: plan.tokens_per_run,
  minutes: plan.minutes_per_run,
  unbilled_tokens: plan.unbilled_tokens_per_hour,
});

/** A budget of which something other than the rows has used tokens. */
export interface SpentBudget extends RunBudget {
  readonly spentTokens?: number;
}
