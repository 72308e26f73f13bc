import * as z from 'zod';
import { Pilot, PilotArmResult, PilotRecommendation } from '../schema/pilot.ts';

/** What is known of a pilot's arms, as stored after each step. */
export const PilotState = z.object({
  arms: z.array(PilotArmResult),
  /** Arms that were stopped after the first look, and those that met each other. */
  stopped: z.array(z.int()),
  finalists: z.array(z.int()),
  finals: Pilot.shape.finals,
  recommendation: PilotRecommendation.nullable(),
  judge: Pilot.shape.judge,
  /** Rows that are delivered, over all arms: those that are billed. */
  delivered: z.int().min(0),
});
export type PilotState = z.infer<typeof PilotState>;

/** The rows of a pilot's sample: their indexes in the dataset, in the order in which arms take them. */
export const PilotRows = z.object({ rows: z.array(z.int().min(0)) });
