import * as z from 'zod';
import { AdaptationSpecification } from './specification.ts';

/** Limits of a run by its team's plan at launch; null for no limit. */
export const RunBudget = z.object({ tokens: z.int().nullable(), minutes: z.int().nullable() });
export type RunBudget = z.infer<typeof RunBudget>;

/**
 * The stored request of a run: the caller's original request, and the specification with resolved defaults, which the
 * workers read.
 */
export const RunRequestObject = z.object({
  request: z.record(z.string(), z.json()),
  specification: AdaptationSpecification,
  budget: RunBudget.default({ tokens: null, minutes: null }),
});
export type RunRequestObject = z.infer<typeof RunRequestObject>;
