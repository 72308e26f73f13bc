import * as z from 'zod';
import { AdaptationSpecification } from '../adaptation/specification.ts';

/**
 * The object that holds what a run was asked for: the caller's request as it came, and the specification with every
 * default resolved, which is what the workers read.
 */
export const RunRequestObject = z.object({
  request: z.record(z.string(), z.json()),
  specification: AdaptationSpecification,
});
export type RunRequestObject = z.infer<typeof RunRequestObject>;
