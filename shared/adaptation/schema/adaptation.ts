import * as z from 'zod';
import { Length } from '#shared/answers/schema/length.ts';
import { LintRecipe } from '#shared/answers/schema/lint.ts';
import { SafetyCategory } from '#shared/judging/schema/safety.ts';
import { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { decimal, IdempotencyKey } from '#shared/platform/schema/common.ts';
import { creditsPerHundredRows, perHundred } from '#shared/platform/schema/row-prices.ts';
import { ColumnMapping, RunColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

export const TrainingType = z.enum(['instruction_dataset', 'preference_pairs']);
export type TrainingType = z.infer<typeof TrainingType>;

export const BLUEPRINT_CHARACTERS_MAX = 20_000;

/** Rows that a request can have a model asked about: workers hold the list. */
export const VERIFICATION_ROWS_MAX = 1_000_000;

/** What a run does about answers that are well written and may be wrong. */
export const Verification = z.enum(['off', 'flag', 'correct', 'drop']);
export type Verification = z.infer<typeof Verification>;

/** How the model calls of a run are made: one by one, or in batch jobs of the provider. */
export const Processing = z.enum(['standard', 'batch']);
export type Processing = z.infer<typeof Processing>;

const jobSpecification = {
  max_rows: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The most rows to process, at least 1. A random sample is taken, or the first rows when images are mapped. If it exceeds the rows of the dataset, all rows are processed. It is how a run is limited in credits: ask for the price with `estimate` first.',
    ),
  idempotency_key: IdempotencyKey.optional().describe(
    'Key of 1 to 255 characters. A repeated request with the same key and body returns the first response and starts nothing.',
  ),
};

export const JobSpecification = z.strictObject(jobSpecification);

const brandControls = {
  length: Length.optional()
    .meta({ example: 'concise' })
    .describe(
      'Length of answers in words: `minimal` 3 to 25, `concise` 26 to 70, `detailed` 71 to 180, `extensive` 181 to 450.',
    ),
  safety_categories: z
    .array(SafetyCategory)
    .optional()
    .describe(
      'Any non-empty list scores every row in all five categories, in the columns `prompt_safety_issues` and `response_safety_issues`. A text that was not scored has null scores and the reason in `not_scored`. Rows are annotated, never removed; `/run` besides drops rows whose completion violates a named category or was not scored, and empties generated completions that do or were not.',
    ),
  hallucination_mitigation: z
    .boolean()
    .optional()
    .describe('Whether answers are grounded in a web search. Default: false.'),
};

const BrandControls = z.strictObject({
  ...brandControls,
  blueprint: z
    .string()
    .min(1)
    .max(BLUEPRINT_CHARACTERS_MAX)
    .optional()
    .describe('System prompt for every generated completion, 1 to 20,000 characters.'),
});

const recipes = {
  prompt_rephrase: z
    .boolean()
    .optional()
    .describe(
      'Whether prompts are rephrased when that improves them. Default: true when `prompt` is mapped, false otherwise.',
    ),
  deduplication: z
    .boolean()
    .optional()
    .meta({ example: true })
    .describe(
      'Whether rows that repeat an earlier row are dropped. Dropped rows are not billed. Default: false.',
    ),
  reasoning_traces: z
    .boolean()
    .optional()
    .describe(
      'Whether a column `reasoning_trace` with the steps to each completion is written. Default: false.',
    ),
  verification: Verification.optional().describe(
    'What is done about answers that look right and may be wrong. Left out: code in rows is run on the examples that the rows bring, and rows are compared with each other; no model is asked, nothing is changed, and a row that is probably wrong has a `doubt` and a note `doubtful_answer`. `flag`, `correct` and `drop` also ask the judge model, which answers each request without seeing its answer, and is believed as far as it was right on questions whose answers are known. With `flag` the download has the columns `doubt` and `doubt_reasons`. `correct` also replaces an answer that is wrong with a probability of 0.9 and whose error the judge quotes; on rows that are harder than those questions it may spoil right ones, so try `flag` first. `drop` leaves out the rows that are rather wrong than right (a probability from 0.5 on); dropped rows are not billed. `off`: nobody looks.',
  ),
  verification_rows: z
    .int()
    .min(1)
    .max(VERIFICATION_ROWS_MAX)
    .optional()
    .describe(
      'With `verification` `flag`, `correct` or `drop`: the most rows that the model is asked about, 1 to 1,000,000. Rows that are doubted without a model come first, the most probably wrong ones before the others, then a random sample. Default: all rows.',
    ),
  lint: LintRecipe.optional().describe(
    'Drops the rows in which one of the named checks finds something. Dropped rows are not billed.',
  ),
};

const recipeSpecification = <T extends z.ZodRawShape>(shape: T) =>
  z
    .strictObject({
      version: z.string().optional().describe('Reserved: stored and not read. Omit it.'),
      recipes: z
        .strictObject(shape)
        .optional()
        .describe('Steps to switch on or off. Omitted steps use their defaults.'),
    })
    .optional();

/** Fields of both routes. */
const adaptation = {
  job_specification: z
    .strictObject({
      ...jobSpecification,
      processing: Processing.optional().describe(
        '`batch` makes the model calls in batch jobs of the provider: half the credits (but for rows of `language_expansion`), and a run takes hours, at most two days and the time of a `standard` run. Calls that a batch job does not answer are made singly, at no further cost. Default: `standard`.',
      ),
    })
    .optional()
    .describe('How many rows to process, how, and the idempotency key.'),
  brand_controls: BrandControls.optional().describe('Controls for the wording of generated text.'),
  training_type: TrainingType.optional().describe(
    '`instruction_dataset` (default) writes prompts and completions; `preference_pairs` also writes the columns `chosen` and `rejected`.',
  ),
  estimate: z
    .boolean()
    .optional()
    .meta({ example: true })
    .describe(
      'If true, validates the request and returns its price; no run starts and no credits are reserved. Default: false.',
    ),
  reuse: z
    .boolean()
    .optional()
    .describe(
      'If false, every row is adapted anew. Otherwise rows that an earlier run adapted with the same settings are reused: no model is asked about them, and they cost nothing again. Web-grounded answers are never reused. Default: true.',
    ),
  language_expansion: LanguageExpansion.nullable()
    .optional()
    .describe(
      'Adds rows in other languages. Warning: if omitted, the previous expansion of the dataset runs again and is billed; pass `null` to remove it.',
    ),
};

/** Spec §4.8. */
export const AdaptRequest = z
  .strictObject({
    column_mapping: ColumnMapping.optional().describe(
      'Which columns hold what. Required unless `estimate` is true.',
    ),
    recipe_specification: recipeSpecification(recipes).describe('Which steps the adaptation takes.'),
    ...adaptation,
    pilot_id: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Id of a pilot of the dataset: runs the arm that it recommends, and takes over the rows that are done, once, which cost nothing again. With `max_rows`, or an arm that drops repeated rows, every row is decided anew. Not together with `column_mapping`, `recipe_specification`, `brand_controls` and `training_type`, which the arm has.',
      ),
    pilot_arm: z
      .int()
      .min(1)
      .max(8)
      .optional()
      .describe('Number of the arm to run instead of the recommended one. Only with `pilot_id`.'),
  })
  .meta({ id: 'AdaptRequest' });
export type AdaptRequest = z.infer<typeof AdaptRequest>;

/**
 * Spec §4.7, with what the public client sends there too (it has one body for both routes):
 * the recipes `preference_pairs` and `prompt_metadata_injection` exist only here.
 */
export const RunRequest = z
  .strictObject({
    column_mapping: z
      .union([RunColumnMapping, ColumnMapping])
      .optional()
      .describe('Which columns hold what. Required unless `estimate` is true.'),
    recipe_specification: recipeSpecification({
      ...recipes,
      preference_pairs: z
        .boolean()
        .optional()
        .describe('Whether the columns `chosen` and `rejected` are written. Default: false.'),
      prompt_metadata_injection: z
        .boolean()
        .optional()
        .describe(
          'Whether each enhanced prompt begins with a block of what is known of its row. Default: false.',
        ),
    }).describe('Which steps the adaptation takes.'),
    ...adaptation,
  })
  .meta({ id: 'RunRequest' });
export type RunRequest = z.infer<typeof RunRequest>;

const ProcessingQuote = z.object({
  estimatedMinutes: z.number().min(0).describe('Expected duration of the run, in minutes.'),
  estimatedCreditsConsumed: z.number().min(0).describe('Credits that the run reserves.'),
});

/** Spec §2.5: the camelCase is the contract's. */
export const RunQuote = z
  .object({
    run_id: z.string().nullable().describe('Id of the run; null for an estimate.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('Version of the dataset that the run makes; absent of an estimate.'),
    estimatedMinutes: decimal(1.4).min(0).describe('Expected duration of the run, in minutes.'),
    notes: z
      .array(z.string())
      .optional()
      .describe('What to know of the quote, one sentence each; absent when there is nothing to say.'),
    estimateBasis: z
      .string()
      .optional()
      .meta({ example: 'measured over 3 runs with qwen3-4b' })
      .describe('What the estimate rests on, as a sentence.'),
    estimatedCreditsConsumed: decimal(4)
      .min(0)
      .describe('Credits that the run reserves. At the end only delivered rows are charged.'),
    processing: z
      .object({
        standard: ProcessingQuote.describe('With single model calls.'),
        batch: ProcessingQuote.describe('With batch jobs of the provider.'),
      })
      .optional()
      .describe(
        'Price and time by `job_specification.processing`; only in estimates, and absent if the installation makes no batch jobs.',
      ),
    reused_rows: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Rows that are unchanged since an earlier run with these settings, and cost nothing again; absent when there are none.',
      ),
    estimate: z.boolean().describe('True when no run was started.'),
    multimodalPricingApplied: z
      .boolean()
      .meta({ example: false })
      .describe(
        `True when an image column is mapped: ${perHundred('image_context')} instead of ${creditsPerHundredRows.text}.`,
      ),
    creditMultiplier: z
      .number()
      .optional()
      .describe(
        'Credits per 100 output rows when images are mapped: 10, or 5 with batch jobs; absent for text.',
      ),
  })
  .meta({ id: 'RunQuote' });
export type RunQuote = z.infer<typeof RunQuote>;
