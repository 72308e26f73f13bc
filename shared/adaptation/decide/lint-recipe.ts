import { requireChecks } from '#shared/answers/decide/lint/options.ts';
import type { AdaptationSpecification } from './specification.ts';

const PATH = 'recipe_specification.recipes.lint';

/** The paths of the checks in a run's request. */
export const RECIPE_PATHS = {
  checks: `${PATH}.drop`,
  benchmarks: `${PATH}.benchmarks`,
  answer_schema: `${PATH}.answer_schema`,
};

/** @throws {ServiceError} `invalid_request` if an option is missing, unused or invalid */
export function requireRecipe(specification: Pick<AdaptationSpecification, 'mapping' | 'lint'>): void {
  const { lint } = specification;
  if (lint !== null) requireChecks(specification, { ...lint, checks: lint.drop }, RECIPE_PATHS);
}
