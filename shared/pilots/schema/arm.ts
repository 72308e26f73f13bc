import * as z from 'zod';
import { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';

const arm = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .meta({ example: 'Concise' })
    .describe('Name of the arm, 1 to 60 characters. Default: "Arm" and its number.'),
  recipe_specification: AdaptRequest.shape.recipe_specification,
  brand_controls: AdaptRequest.shape.brand_controls,
  training_type: AdaptRequest.shape.training_type,
};

/**
 * One adaptation that a pilot tries: what `/adapt` would be sent. Separate from the pilot, because `/adapt` reads an arm
 * without the schema of the pilot.
 */
export const PilotArm = z.strictObject(arm).meta({ id: 'PilotArm' });
export type PilotArm = z.infer<typeof PilotArm>;
