import * as z from 'zod';
import { AdaptationSpecification } from '../adaptation/specification.ts';

/** Limits of a run by its team's plan at launch; null for no limit. */
export const RunBudget = z.object({ tokens: z.int().nullable(), minutes: z.int().nullable() });
export type RunBudget = z.infer<typeof RunBudget>;

/**
 * The object that holds what a run was asked for: the caller's request as it came, and the specification with every
 * default resolved, which is what the workers read.
 */
export const RunRequestObject = z.object({
  request: z.record(z.string(), z.json()),
  specification: AdaptationSpecification,
  budget: RunBudget.default({ tokens: null, minutes: null }),
});
export type RunRequestObject = z.infer<typeof RunRequestObject>;
