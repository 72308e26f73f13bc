import type { AdaptationSpecification } from '../adaptation/specification.ts';
import { createRowLinter, type RowLinter } from './row-linter.ts';

const PATH = 'recipe_specification.recipes.lint';
const PATHS = {
  checks: `${PATH}.drop`,
  benchmarks: `${PATH}.benchmarks`,
  answer_schema: `${PATH}.answer_schema`,
};

/**
 * Finds the rows that a run drops for what a check finds; null where it drops none.
 * @throws {ServiceError} `invalid_request` where an option is missing, unused, or cannot be read
 */
export function linterOf(
  specification: Pick<AdaptationSpecification, 'mode' | 'mapping' | 'lint'>,
): RowLinter | null {
  const { lint } = specification;
  return lint === null ? null : createRowLinter(specification, { ...lint, checks: lint.drop }, PATHS);
}
