import * as z from 'zod';
import { Pilot, PilotArmResult, PilotRecommendation } from '../schema/pilot.ts';

/** Pilots once stopped arms early and held finals: what their stored states say of it, in the words of today. */
const StoredArm = PilotArmResult.extend({
  status: z.union([
    PilotArmResult.shape.status,
    z.literal('stopped_early').transform(() => 'finished' as const),
  ]),
});
const StoredRecommendation = PilotRecommendation.extend({
  certainty: z.union([
    PilotRecommendation.shape.certainty,
    z.literal('better_than_others').transform(() => 'better_than_original' as const),
  ]),
});

/** What is known of a pilot's arms, as stored after each step. */
export const PilotState = z.object({
  /** Rows of the sample as drawn. */
  sample_rows: z.int().min(0),
  arms: z.array(StoredArm),
  recommendation: StoredRecommendation.nullable(),
  judge: Pilot.shape.judge,
});
export type PilotState = z.infer<typeof PilotState>;

/** The rows of a pilot's sample: their indexes in the dataset, in the order in which arms take them. */
export const PilotRows = z.object({ rows: z.array(z.int().min(0)) });

/** Who compares the answers of a pilot, as calibrated when it began. */
export const PilotJudge = z.object({
  model: z.string().nullable(),
  /** Kinds of pairs for which it is believed. */
  believed: z.array(z.string()),
  errors: z.object({ accuracy: z.number(), false_acceptance: z.number(), n: z.number() }).nullable(),
});
export type PilotJudge = z.infer<typeof PilotJudge>;
