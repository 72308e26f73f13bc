import * as z from 'zod';

/** Of the state of a pilot, what `/adapt` reads: the number of the arm that it recommends. */
export const RecommendedArm = z.object({
  recommendation: z.object({ arm: z.int().min(1).nullable() }).nullable(),
});
