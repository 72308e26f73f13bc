import * as z from 'zod';
import { Length } from '../../schema/adaptation.ts';
import { ConfiguredColumnMapping } from '../../schema/column-mapping.ts';

/**
 * The object that holds what a run was asked for: the caller's request as it came, and the specification with every
 * default resolved, which is what the workers read.
 */
export const RunRequestObject = z.object({
  request: z.record(z.string(), z.json()),
  specification: z.object({
    mode: z.enum(['prompt_and_completion', 'prompt_only', 'completion_only', 'chat', 'universal_prompt']),
    mapping: ConfiguredColumnMapping,
    prompt_rephrase: z.boolean(),
    length: Length.nullable(),
    blueprint: z.string().nullable(),
    max_rows: z.int().nullable(),
  }),
});
export type RunRequestObject = z.infer<typeof RunRequestObject>;
