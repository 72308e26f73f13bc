import * as z from 'zod';
import { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { DatasetListStatus } from '#shared/datasets/schema/dataset.ts';
import { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { DateTime, decimal, EstimateOnly, IdempotencyKey, text } from '#shared/platform/schema/common.ts';
import { creditsPerHundredRows } from '#shared/platform/schema/row-prices.ts';

/** Spec §2.9. */
export const DomainTaxonomy = z
  .object({
    domains: z
      .array(
        z.object({
          code: text('cooking_food').describe('Code of the domain; send it in `domains`.'),
          title: text('Cooking and food').describe('Name of the domain.'),
          subdomains: z
            .array(
              z.object({
                code: text('cooking_food.baking').describe(
                  'Code of the subdomain as `domain.subdomain`; send it in `subdomains`.',
                ),
                title: text('Baking').describe('Name of the subdomain.'),
              }),
            )
            .describe('Subdomains; empty when the domain has none.'),
        }),
      )
      .describe('Domains of the catalog.'),
  })
  .meta({ id: 'DomainTaxonomy' });

const CODES_MAX = 500;
const Codes = z.array(z.string().min(1).max(200)).max(CODES_MAX);
const PROMPT_CHARACTERS_MAX = 10_000;
const Prompt = z.string().trim().min(1).max(PROMPT_CHARACTERS_MAX);

/** Spec §4.15. */
export const InventRequest = z
  .strictObject({
    rows: z
      .int()
      .min(1)
      .meta({ example: 100 })
      .describe('Rows to generate, at least 1; the plan limits the number per launch.'),
    name: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ example: 'cooking-questions' })
      .describe('Name of the dataset, 1 to 255 characters. If omitted, it is made from the domains.'),
    training_type: TrainingType.optional().describe(
      '`instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes a chosen and a rejected answer.',
    ),
    domains: Codes.optional()
      .meta({ example: ['cooking_food'] })
      .describe(
        'Domain codes from `GET /api/v1/datasets/invent/domains`, up to 500. If given, nothing is inferred.',
      ),
    subdomains: Codes.optional().describe(
      'Subdomain codes as `domain.subdomain`, up to 500. A domain without a listed subdomain uses all of its subdomains.',
    ),
    language_expansion: LanguageExpansion.nullable()
      .optional()
      .describe('Adds rows in other languages, which are billed as well.'),
    dataset_prompt: Prompt.optional()
      .meta({ example: 'Questions on baking bread at home' })
      .describe(
        'Description of the dataset, 1 to 10,000 characters. If omitted, it is written from the topics. Required when `domains` and `subdomains` are both omitted.',
      ),
    prompt: Prompt.optional().meta({ deprecated: true, description: 'Use dataset_prompt' }),
    estimate: EstimateOnly,
    idempotency_key: IdempotencyKey.optional().describe(
      'Key of 1 to 255 characters. A repeated request with the same key returns the first dataset.',
    ),
  })
  .meta({ id: 'InventRequest' });
export type InventRequest = z.infer<typeof InventRequest>;

/** Spec §2.8. */
export const InventedDataset = z
  .object({
    estimate: z.boolean().describe('True when nothing was created.'),
    id: z.string().nullable().describe('Id of the dataset; null for an estimate.'),
    name: text('cooking-questions').describe('Name of the dataset.'),
    training_type: TrainingType.describe('Kind of rows that are generated.'),
    domains: z
      .array(z.string())
      .meta({ example: ['cooking_food'] })
      .describe('Domain codes, with those that were inferred.'),
    subdomains: z.array(z.string()).meta({ example: [] }).describe('Subdomain codes.'),
    dataset_prompt: text('Questions on baking bread at home').describe(
      'Description that the rows are written by: the one given, else one written from the topics.',
    ),
    rows: z.int().meta({ example: 100 }).describe('Rows that were requested.'),
    status: DatasetListStatus.nullable().describe('Status of the dataset; null for an estimate.'),
    created_at: DateTime.nullable()
      .meta({ example: null })
      .describe('Time of creation, ISO 8601 in UTC; null for an estimate.'),
    estimated_credits: decimal(15)
      .min(0)
      .describe(
        `Credits that the run reserves: ${creditsPerHundredRows.invented} per 100 rows, with the rows in other languages.`,
      ),
    available_credits: decimal(990).describe('Credits that the team has available.'),
  })
  .meta({ id: 'InventedDataset' });
export type InventedDataset = z.infer<typeof InventedDataset>;
