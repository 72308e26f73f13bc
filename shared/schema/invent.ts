import * as z from 'zod';
import { LanguageExpansion, TrainingType } from './adaptation.ts';
import { DateTime, IdempotencyKey } from './common.ts';
import { DatasetListStatus } from './dataset.ts';

/** Spec §2.9. */
export const DomainTaxonomy = z
  .object({
    domains: z.array(
      z.object({
        code: z.string(),
        title: z.string(),
        subdomains: z.array(z.object({ code: z.string(), title: z.string() })),
      }),
    ),
  })
  .meta({ id: 'DomainTaxonomy' });

const CODES_MAX = 500;
const Codes = z.array(z.string().min(1).max(200)).max(CODES_MAX);
const PROMPT_CHARACTERS_MAX = 10_000;
const Prompt = z.string().trim().min(1).max(PROMPT_CHARACTERS_MAX);

/** Spec §4.15. */
export const InventRequest = z
  .strictObject({
    rows: z.int().min(1),
    name: z.string().min(1).max(255).optional(),
    training_type: TrainingType.optional(),
    domains: Codes.optional(),
    subdomains: Codes.optional(),
    language_expansion: LanguageExpansion.nullable().optional(),
    dataset_prompt: Prompt.optional(),
    prompt: Prompt.optional().meta({ deprecated: true, description: 'Use dataset_prompt' }),
    estimate: z.boolean().optional(),
    idempotency_key: IdempotencyKey.optional(),
  })
  .meta({ id: 'InventRequest' });
export type InventRequest = z.infer<typeof InventRequest>;

/** Spec §2.8. */
export const InventedDataset = z
  .object({
    estimate: z.boolean(),
    id: z.string().nullable(),
    name: z.string(),
    training_type: TrainingType,
    domains: z.array(z.string()),
    subdomains: z.array(z.string()),
    rows: z.int(),
    status: DatasetListStatus.nullable(),
    created_at: DateTime.nullable(),
    estimated_credits: z.number().min(0),
    available_credits: z.number(),
  })
  .meta({ id: 'InventedDataset' });
export type InventedDataset = z.infer<typeof InventedDataset>;
