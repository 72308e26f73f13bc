import * as z from 'zod';

export const ListModelsQuery = z.strictObject({
  type: z
    .enum(['hosted'])
    .optional()
    .meta({ description: 'Lists the hosted models alone, without stacks and trained models' }),
});

export const ListedModel = z.object({
  id: z.string().meta({ description: 'What `model` of a response takes', example: 'qwen2.5-coder-1.5b' }),
  object: z.literal('model'),
  created: z.int().min(0).meta({ description: 'Seconds since the epoch; 0 where nobody has said it' }),
  owned_by: z.string().meta({ description: '`team` for stacks and trained models' }),
  display_name: z.string().optional(),
  shutdown_date: z.iso.date().optional(),
});
export type ListedModel = z.infer<typeof ListedModel>;

export const ModelList = z.object({ object: z.literal('list'), data: z.array(ListedModel) });
export type ModelList = z.infer<typeof ModelList>;
