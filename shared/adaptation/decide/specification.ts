import * as z from 'zod';
import { configuredMapping, modeOf } from '#shared/answers/decide/row-mapping.ts';
import { Length } from '#shared/answers/schema/length.ts';
import { LintRecipe } from '#shared/answers/schema/lint.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { SafetyCategory } from '#shared/judging/schema/safety.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { mappedFormatOf } from '#shared/tabular/decide/images/column-formats.ts';
import { type ColumnMapping, ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { type AdaptRequest, type RunRequest, TrainingType, Verification } from '../schema/adaptation.ts';
import { resolveExpansion } from './expansion.ts';
import { requireRecipe } from './lint-recipe.ts';

/** A request in the pipeline's form, with every default resolved. */
export const AdaptationSpecification = z.object({
  mode: z.enum(['prompt_and_completion', 'prompt_only', 'completion_only', 'chat', 'universal_prompt']),
  mapping: ConfiguredColumnMapping,
  /** The format of the mapped image column; null if none is mapped. */
  image_format: ImageColumnFormat.nullable(),
  training_type: TrainingType,
  prompt_rephrase: z.boolean(),
  deduplication: z.boolean(),
  reasoning_traces: z.boolean(),
  prompt_metadata_injection: z.boolean(),
  length: Length.nullable(),
  blueprint: z.string().nullable(),
  /** Null if no category is requested. `/run` blanks completions that violate one of `categories`. */
  safety: z.object({ categories: z.array(SafetyCategory), blanks_violations: z.boolean() }).nullable(),
  /** Whether answers use web search results (`hallucination_mitigation`). */
  grounding: z.boolean(),
  max_rows: z.int().nullable(),
  /** Absent: rows are looked at by the witnesses that ask no model, and by no other. */
  verification: Verification.optional(),
  /** The most rows that a model is asked about; absent: all of them. */
  verification_rows: z.int().min(1).optional(),
  /** Rows that fail these checks are dropped before any model call. */
  lint: LintRecipe.nullable().default(null),
  /** Rows that the run adds in other languages. */
  expansion: ResolvedExpansion.nullable().default(null),
});
export type AdaptationSpecification = z.infer<typeof AdaptationSpecification>;

type Verifying = Pick<AdaptationSpecification, 'verification'>;
type Moded = Pick<AdaptationSpecification, 'mode'>;

/** Whether the request wants a model to be asked. */
export const wantsModel = ({ verification }: Verifying): boolean =>
  verification === 'flag' || verification === 'correct' || verification === 'drop';

/** Whether the rows have what a model can be asked about: answers, and the prompts that they answer. */
export const hasAnswers = ({ mode }: Moded): boolean => mode !== 'prompt_only' && mode !== 'completion_only';

/** Whether a model is asked whether answers are true. */
export const asksModel = (specification: Verifying & Moded): boolean =>
  wantsModel(specification) && hasAnswers(specification);

/** Whether a model should be asked, and the rows have nothing that it can be asked about. */
export const asksInVain = (specification: Verifying & Moded): boolean =>
  wantsModel(specification) && !hasAnswers(specification);

/** Whether the witnesses that ask no model look at the rows. Without completions there is nothing to doubt. */
export const findsDoubts = ({ verification, mode }: Verifying & Moded): boolean =>
  verification !== 'off' && mode !== 'prompt_only';

type Recipes = NonNullable<NonNullable<RunRequest['recipe_specification']>['recipes']>;

/** The route of the request: the bodies are similar, the behaviour is not (spec §4.7, §4.8). */
export type AdaptationRoute = 'adapt' | 'run';

/**
 * Resolves the defaults of a request. Prompts of the dataset are rephrased unless the caller disables it; the other
 * recipes are off by default, since `/adapt` promises to keep the row count. Conversations and dataset-wide
 * instructions are rephrased only on request. An omitted language expansion is the one stored with the dataset
 * (spec §4.8).
 * @throws {ServiceError} `language_unsupported`, `invalid_request` for an invalid lint recipe
 */
export function specificationOf(
  request: AdaptRequest | RunRequest,
  mapping: ColumnMapping,
  dataset: Pick<DatasetRecord, 'columns' | 'image_column_formats' | 'language_expansion'>,
  route: AdaptationRoute,
): AdaptationSpecification {
  const mode = modeOf(mapping);
  const { lint, verification, verification_rows, ...recipes }: Recipes =
    request.recipe_specification?.recipes ?? {};
  const controls = request.brand_controls;
  const categories = controls?.safety_categories ?? [];
  const image = mapping.image;
  const expansion =
    request.language_expansion === undefined ? dataset.language_expansion : request.language_expansion;
  const specification: AdaptationSpecification = {
    mode,
    mapping: configuredMapping(mapping),
    image_format:
      image === undefined
        ? null
        : (own(dataset.image_column_formats, image) ??
          mappedFormatOf(dataset.columns?.find(({ name }) => name === image))),
    training_type:
      recipes.preference_pairs === true
        ? 'preference_pairs'
        : (request.training_type ?? 'instruction_dataset'),
    prompt_rephrase: recipes.prompt_rephrase ?? (mode === 'prompt_and_completion' || mode === 'prompt_only'),
    deduplication: recipes.deduplication ?? false,
    reasoning_traces: recipes.reasoning_traces ?? false,
    prompt_metadata_injection: recipes.prompt_metadata_injection ?? false,
    length: controls?.length ?? null,
    blueprint: (controls as { blueprint?: string } | undefined)?.blueprint ?? null,
    safety:
      categories.length === 0
        ? null
        : { categories: [...new Set(categories)], blanks_violations: route === 'run' },
    grounding: controls?.hallucination_mitigation ?? false,
    ...(verification === undefined ? {} : { verification }),
    ...(verification_rows === undefined ? {} : { verification_rows }),
    lint: lint ?? null,
    max_rows: request.job_specification?.max_rows ?? null,
    expansion: expansion === null ? null : resolveExpansion(expansion),
  };
  // The request rejects invalid input, not a worker.
  requireRecipe(specification);
  if (verification_rows !== undefined && !wantsModel(specification)) throw rowsWithoutModel();
  return specification;
}

function rowsWithoutModel(): ServiceError {
  const path = 'recipe_specification.recipes.verification_rows';
  const message =
    'counts the rows that a model is asked about, so that verification must be flag, correct or drop';
  return new ServiceError('invalid_request', `${path}: ${message}`, { details: [{ path, message }] });
}
