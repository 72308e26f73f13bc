import * as z from 'zod';
import { count, EXAMPLE_MODEL, text } from '#shared/platform/schema/common.ts';

export const ListModelsQuery = z.strictObject({
  type: z
    .enum(['hosted'])
    .optional()
    .meta({ description: 'Lists the hosted models alone, without stacks and trained models' }),
});

export const ListedModel = z.object({
  id: z.string().meta({ description: 'What `model` of a response takes', example: EXAMPLE_MODEL }),
  object: z.literal('model').describe('Always `model`.'),
  created: count(1_795_341_600).meta({ description: 'Seconds since the epoch; 0 where nobody has said it' }),
  owned_by: text('hosted').meta({ description: '`team` for stacks and trained models' }),
  display_name: z.string().optional().describe('Name for people; absent when there is none.'),
  shutdown_date: z.iso
    .date()
    .optional()
    .describe('Date on which the model stops answering; absent when none is planned.'),
});
export type ListedModel = z.infer<typeof ListedModel>;

export const ModelParams = z.strictObject({
  model: text(EXAMPLE_MODEL).min(1).max(256).describe('Id of the model, 1 to 256 characters.'),
});

export const ModelList = z.object({
  object: z.literal('list').describe('Always `list`.'),
  data: z.array(ListedModel).describe('Models that the key can use.'),
});
export type ModelList = z.infer<typeof ModelList>;
