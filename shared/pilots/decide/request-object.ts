import * as z from 'zod';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { PilotArm } from '../schema/arm.ts';

/** An arm as planned: what `/adapt` would be sent, and that with every default resolved. */
export const PlannedArm = z.object({
  asked: PilotArm.required({ name: true }),
  specification: AdaptationSpecification,
});
export type PlannedArm = z.infer<typeof PlannedArm>;

/**
 * The stored request of a pilot. `specification` is that of an arm whose safety is scored, or else of the first one: the
 * judge is calibrated for it, and its price is that of all arms.
 */
export const PilotRequestObject = RunRequestObject.extend({
  column_mapping: ColumnMapping,
  arms: z.array(PlannedArm).min(1),
  sample_rows: z.int().min(1),
  dataset_rows: z.int().min(1),
  /** Calls at once, by which minutes are estimated. */
  model_concurrency: z.int().min(1),
  /** Changes with the rows of the dataset (`fingerprintOf`). */
  fingerprint: z.string(),
});
export type PilotRequestObject = z.infer<typeof PilotRequestObject>;

/** Of the stored state of a pilot, what `/adapt` reads: the number of the arm that it recommends. */
export const RecommendedArm = z.object({
  recommendation: z.object({ arm: z.int().min(1).nullable() }).nullable(),
});
