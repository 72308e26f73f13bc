import * as z from 'zod';

const Column = z.string().min(1);

/** The mapping of `/adapt` (spec §4.8). Which fields go together is decided in the domain, which names the mode. */
export const ColumnMapping = z
  .strictObject({
    prompt: Column.optional(),
    completion: Column.optional(),
    chat: Column.optional(),
    context: z.array(Column).optional(),
    universal_prompt: z.string().min(1).optional(),
    image: Column.optional(),
  })
  .meta({ id: 'ColumnMapping' });
export type ColumnMapping = z.infer<typeof ColumnMapping>;

/** The mapping of the deprecated `/run` (spec §4.7), where `prompt` is required. */
export const RunColumnMapping = z.strictObject({
  prompt: Column,
  completion: Column.optional(),
  chat: Column.optional(),
  context: z.array(Column).optional(),
});

/** The mapping of a raw ingest (spec §4.1). */
export const RawColumnMapping = z
  .strictObject({
    prompt: Column,
    completion: Column.optional(),
    chosen: Column.optional(),
    rejected: Column.optional(),
    context: z.array(Column).optional(),
  })
  .refine((mapping) => (mapping.chosen === undefined) === (mapping.rejected === undefined), {
    message: 'chosen and rejected go together',
    path: ['chosen'],
  })
  .refine((mapping) => mapping.completion !== undefined || mapping.chosen !== undefined, {
    message: 'is required unless both chosen and rejected are given',
    path: ['completion'],
  })
  .meta({ id: 'RawColumnMapping' });
export type RawColumnMapping = z.infer<typeof RawColumnMapping>;

/** What GET /datasets/{id} shows (spec §2.1); the public client requires `context`. */
export const ConfiguredColumnMapping = z
  .object({
    prompt: z.string().optional(),
    completion: z.string().optional(),
    chat: z.string().optional(),
    context: z.array(z.string()),
    image: z.string().optional(),
    universal_prompt: z.string().optional(),
    chosen: z.string().optional(),
    rejected: z.string().optional(),
  })
  .meta({ id: 'ConfiguredColumnMapping' });
export type ConfiguredColumnMapping = z.infer<typeof ConfiguredColumnMapping>;
