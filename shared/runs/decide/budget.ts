import * as z from 'zod';

/** Limits of a run by its team's plan at launch; null for no limit. */
export const RunBudget = z.object({ tokens: z.int().nullable(), minutes: z.int().nullable() });
export type RunBudget = z.infer<typeof RunBudget>;

/** A budget of which something other than the rows has used tokens. */
export interface SpentBudget extends RunBudget {
  readonly spentTokens?: number;
}
