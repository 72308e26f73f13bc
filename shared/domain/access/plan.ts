import * as z from 'zod';

const Limit = z.int().min(1);

/** What a team may do at once. Exceeding a rate is a 429, exceeding an amount a 403. */
export const Plan = z.object({
  name: z.string().min(1),
  requests_per_second: Limit,
  runs_at_once: Limit,
  rows_per_launch: Limit,
  response_tokens_per_minute: Limit,
});
export type Plan = z.infer<typeof Plan>;

/** The plan of a team that was given no other. */
export const DEFAULT_PLAN: Plan = {
  name: 'default',
  requests_per_second: 50,
  runs_at_once: 5,
  rows_per_launch: 1_000_000,
  response_tokens_per_minute: 200_000,
};
