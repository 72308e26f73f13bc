import * as z from 'zod';
import { NO_BUDGET, RunBudget } from '#shared/runs/decide/budget.ts';
import { Processing } from '../schema/adaptation.ts';
import { AdaptationSpecification } from './specification.ts';

/**
 * The stored request of a run: the caller's original request, and the specification with resolved defaults, which the
 * workers read.
 */
export const RunRequestObject = z.object({
  request: z.record(z.string(), z.json()),
  specification: AdaptationSpecification,
  budget: RunBudget.default(NO_BUDGET),
  /** Rows that a pilot has delivered: an object of `RunResult` lines, which the run takes over and does not bill. */
  reuse: z
    .object({ results_key: z.string(), rows: z.int().min(0) })
    .nullable()
    .default(null),
  /** Whether every row is adapted anew, instead of reusing what earlier runs were answered. */
  anew: z.boolean().optional(),
  /** `batch`: model calls are made in batch jobs of the provider, at half the price. */
  processing: Processing.optional(),
});
export type RunRequestObject = z.infer<typeof RunRequestObject>;
