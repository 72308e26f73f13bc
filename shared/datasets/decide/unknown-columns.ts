import { limitSearches, nearestTo } from '#shared/platform/errors/nearest.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** @throws {ServiceError} `column_unknown` for each of `named` ([path, column]) that is not available */
export function throwUnknownColumns(
  named: readonly (readonly [string, string])[],
  available: readonly string[],
): void {
  const unknown = named.filter(([, column]) => !available.includes(column));
  if (unknown.length === 0) return;
  const suggest = limitSearches(suggestionOf);
  const details = unknown.map(([path, column]) => ({
    path,
    message: `there is no column ${[JSON.stringify(column), ...suggest(column, available)].join(' ')}`,
    available,
  }));
  const list = available.map((column) => JSON.stringify(column)).join(', ');
  throw new ServiceError(
    'column_unknown',
    `${details.map(({ path, message }) => `${path}: ${message}`).join('; ')}. The dataset's columns are ${list}.`,
    { details },
  );
}

/** The columns that a misspelt one may mean, as words in parentheses; none where no name is near. */
export function suggestionOf(column: string, available: readonly string[]): [string] | [] {
  const near = nearestTo(column, available, 2).map((name) => JSON.stringify(name));
  return near.length === 0 ? [] : [`(did you mean ${near.join(' or ')}?)`];
}
