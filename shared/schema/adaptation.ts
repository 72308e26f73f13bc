import * as z from 'zod';
import { ColumnMapping, RunColumnMapping } from './column-mapping.ts';
import { IdempotencyKey } from './common.ts';
import { LintRecipe } from './lint.ts';

export const Length = z.enum(['minimal', 'concise', 'detailed', 'extensive']);
export type Length = z.infer<typeof Length>;

export const SafetyCategory = z.enum(['violence', 'self_harm', 'harassment', 'hate', 'sexual']);
export type SafetyCategory = z.infer<typeof SafetyCategory>;

export const TrainingType = z.enum(['instruction_dataset', 'preference_pairs']);
export type TrainingType = z.infer<typeof TrainingType>;

export const BLUEPRINT_CHARACTERS_MAX = 20_000;

export const JobSpecification = z.strictObject({
  max_rows: z.int().min(1).optional(),
  idempotency_key: IdempotencyKey.optional(),
});

const brandControls = {
  length: Length.optional(),
  safety_categories: z.array(SafetyCategory).optional(),
  hallucination_mitigation: z.boolean().optional(),
};

const BrandControls = z.strictObject({
  ...brandControls,
  blueprint: z.string().min(1).max(BLUEPRINT_CHARACTERS_MAX).optional(),
});

const recipes = {
  prompt_rephrase: z.boolean().optional(),
  deduplication: z.boolean().optional(),
  reasoning_traces: z.boolean().optional(),
  /** Drops rows that fail a check of `/lint`. */
  lint: LintRecipe.optional(),
};

export const SampleRate = z.number().min(0.01).max(1);

/** Codes as they come in; fewer targets are taken (`LANGUAGE_TARGETS_MAX`), when those that mean the same are one. */
const CODES_MAX = 500;
const LanguageCode = z.string().min(1).max(20);
const CountryCode = z.string().min(1).max(20);

export const TargetLanguages = z.array(LanguageCode).min(1).max(CODES_MAX);
export const TargetPairs = z
  .array(z.strictObject({ country: CountryCode, language: LanguageCode }))
  .min(1)
  .max(CODES_MAX);

/** Spec §4.8. Which codes and pairs exist is decided in the domain, which lists samples of them. */
export const LanguageExpansion = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('translate'),
      languages: TargetLanguages,
      sample_rate: SampleRate,
    }),
    z.strictObject({
      type: z.literal('localize'),
      pairs: TargetPairs,
      sample_rate: SampleRate,
    }),
  ])
  .meta({ id: 'LanguageExpansion' });
export type LanguageExpansion = z.infer<typeof LanguageExpansion>;

const recipeSpecification = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject({ version: z.string().optional(), recipes: z.strictObject(shape).optional() }).optional();

/** Fields of both routes. */
const adaptation = {
  job_specification: JobSpecification.optional(),
  brand_controls: BrandControls.optional(),
  training_type: TrainingType.optional(),
  estimate: z.boolean().optional(),
  language_expansion: LanguageExpansion.nullable().optional(),
};

/** Spec §4.8. */
export const AdaptRequest = z
  .strictObject({
    column_mapping: ColumnMapping.optional(),
    recipe_specification: recipeSpecification(recipes),
    ...adaptation,
  })
  .meta({ id: 'AdaptRequest' });
export type AdaptRequest = z.infer<typeof AdaptRequest>;

/**
 * Spec §4.7, with what the public client sends there too (it has one body for both routes):
 * the recipes `preference_pairs` and `prompt_metadata_injection` exist only here.
 */
export const RunRequest = z
  .strictObject({
    column_mapping: z.union([RunColumnMapping, ColumnMapping]).optional(),
    recipe_specification: recipeSpecification({
      ...recipes,
      preference_pairs: z.boolean().optional(),
      prompt_metadata_injection: z.boolean().optional(),
    }),
    ...adaptation,
  })
  .meta({ id: 'RunRequest' });
export type RunRequest = z.infer<typeof RunRequest>;

/** Spec §2.5: the camelCase is the contract's. */
export const RunQuote = z
  .object({
    run_id: z.string().nullable(),
    estimatedMinutes: z.number().min(0),
    /** The basis of the estimated minutes. */
    estimateBasis: z.string().optional(),
    estimatedCreditsConsumed: z.number().min(0),
    estimate: z.boolean(),
    multimodalPricingApplied: z.boolean(),
    creditMultiplier: z.number().optional(),
  })
  .meta({ id: 'RunQuote' });
export type RunQuote = z.infer<typeof RunQuote>;
