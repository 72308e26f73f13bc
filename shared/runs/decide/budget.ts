import * as z from 'zod';
import type { Plan } from '#shared/platform/schema/plan.ts';

/** Limits of a run by its team's plan at launch; null for no limit. */
export const RunBudget = z.object({ tokens: z.int().nullable(), minutes: z.int().nullable() });
export type RunBudget = z.infer<typeof RunBudget>;

/** The budget of a run that is launched under a plan. */
export const budgetOf = (plan: Pick<Plan, 'tokens_per_run' | 'minutes_per_run'>): RunBudget => ({
  tokens: plan.tokens_per_run,
  minutes: plan.minutes_per_run,
});

/** A budget of which something other than the rows has used tokens. */
export interface SpentBudget extends RunBudget {
  readonly spentTokens?: number;
}
