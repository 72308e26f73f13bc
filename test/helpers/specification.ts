import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';

/** The specification of a request that maps `prompt` and `completion` and asks for nothing else, and no rephrasing. */
export function specification(overrides: Partial<AdaptationSpecification> = {}): AdaptationSpecification {
  return {
    ...specificationOf(
      { recipe_specification: { recipes: { prompt_rephrase: false } } },
      { prompt: 'prompt', completion: 'completion' },
      { columns: null, image_column_formats: null, language_expansion: null },
      'adapt',
    ),
    ...overrides,
  };
}
