import { configuredMapping, contentOfColumns, modeOf } from '#shared/answers/decide/row-mapping.ts';
import { imageFormatOf } from '#shared/datasets/decide/mapped-columns.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { AdaptRequest, RunRequest, TrainingType } from '../schema/adaptation.ts';
import { resolveExpansion } from './expansion.ts';
import { requireRecipe } from './lint-recipe.ts';
import { type AdaptationSpecification, wantsModel } from './specification.ts';

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
  dataset: Pick<DatasetRecord, 'columns' | 'image_column_formats' | 'language_expansion'> &
    Partial<Pick<DatasetRecord, 'configured_column_mapping'>>,
  route: AdaptationRoute,
): AdaptationSpecification {
  const mode = modeOf(mapping);
  const configured = configuredMapping(mapping, dataset.configured_column_mapping ?? {});
  const { lint, verification, verification_rows, ...recipes }: Recipes =
    request.recipe_specification?.recipes ?? {};
  const controls = request.brand_controls;
  const categories = controls?.safety_categories ?? [];
  const image = mapping.image;
  const expansion =
    request.language_expansion === undefined ? dataset.language_expansion : request.language_expansion;
  const specification: AdaptationSpecification = {
    mode,
    mapping: configured,
    ...contentOfColumns(configured, dataset.columns ?? []),
    image_format: image === undefined ? null : imageFormatOf(dataset, image),
    training_type: trainingTypeOf(recipes.preference_pairs, request.training_type),
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

/**
 * What the rows are for: the recipe `preference_pairs` of `/run` says it too.
 * @throws {ServiceError} `invalid_request` if the two contradict each other
 */
function trainingTypeOf(pairs: boolean | undefined, type: TrainingType | undefined): TrainingType {
  const ofRecipe = pairs === undefined ? undefined : pairs ? 'preference_pairs' : 'instruction_dataset';
  if (ofRecipe !== undefined && type !== undefined && ofRecipe !== type) {
    throw invalidField(
      'recipe_specification.recipes.preference_pairs',
      `is ${pairs}, and training_type ${type}: send one of the two, or both for the same kind of rows`,
    );
  }
  return ofRecipe ?? type ?? 'instruction_dataset';
}

function rowsWithoutModel(): ServiceError {
  const path = 'recipe_specification.recipes.verification_rows';
  const message =
    'counts the rows that a model is asked about, so that verification must be flag, correct or drop';
  return new ServiceError('invalid_request', `${path}: ${message}`, { details: [{ path, message }] });
}
