import { DETAILS_MAX } from '#shared/platform/errors/from-zod.ts';
import { limitSearches, nearestTo } from '#shared/platform/errors/nearest.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { proposeMapping } from '#shared/tabular/decide/forms/known-form.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

/** Characters of the columns that an error lists, and of the mapping that it proposes: a dataset may have thousands, with names of its owner's. */
const LIST_CHARACTERS_MAX = 4000;
/** Columns among which misspelt ones are looked for. */
const COMPARED_MAX = 200;

/** The first columns of a dataset, as many as an error lists. */
export function listedColumns(columns: readonly string[]): {
  readonly listed: string[];
  readonly text: string;
} {
  let left = LIST_CHARACTERS_MAX;
  const end = columns.findIndex((column) => {
    left -= JSON.stringify(column).length + 2;
    return left < 0;
  });
  const listed = end === -1 ? [...columns] : columns.slice(0, end);
  const text = listed.map((column) => JSON.stringify(column)).join(', ');
  const more = columns.length - listed.length;
  if (more === 0) return { listed, text };
  return { listed, text: text === '' ? `${more} with long names` : `${text} and ${more} more` };
}

/**
 * The columns of a dataset that nothing maps yet, as sentences: their names, and the mapping that these suggest.
 * @param propose the mapping of the request that the sentences are about
 */
export function mappingHints(
  columns: readonly RowsColumn[],
  propose: (columns: readonly RowsColumn[]) => object | null = proposeMapping,
): {
  readonly listed: string[];
  readonly hints: readonly string[];
} {
  const { listed, text } = listedColumns(columns.map(({ name }) => name));
  const proposed = JSON.stringify(propose(columns));
  const hints = [
    ...(text === '' ? [] : [`The dataset's columns are ${text}.`]),
    // With names of thousands of characters it would help nobody.
    ...(proposed === 'null' || proposed.length > LIST_CHARACTERS_MAX
      ? []
      : [`If they hold what their names say, send ${proposed}.`]),
  ];
  return { listed, hints };
}

/** @throws {ServiceError} `column_unknown` for each of `named` ([path, column]) that is not available */
export function throwUnknownColumns(
  named: readonly (readonly [string, string])[],
  available: readonly string[],
): void {
  const known = new Set(available);
  const unknown = named.filter(([, column]) => !known.has(column));
  if (unknown.length === 0) return;
  const suggest = limitSearches(suggestionOf);
  const { listed, text } = listedColumns(available);
  const details = unknown.slice(0, DETAILS_MAX).map(([path, column], n) => ({
    path,
    message: `there is no column ${[JSON.stringify(column), ...suggest(column, available)].join(' ')}`,
    // Once: there may be a hundred of them.
    ...(n === 0 ? { available: listed } : {}),
  }));
  const problems = details.map(({ path, message }) => `${path}: ${message}`);
  const more = unknown.length > details.length ? ['and more'] : [];
  throw new ServiceError(
    'column_unknown',
    `${[...problems, ...more].join('; ')}. The dataset's columns are ${text}.`,
    { details },
  );
}

/** The columns that a misspelt one may mean, as words in parentheses; none where no name is near. */
export function suggestionOf(column: string, available: readonly string[]): [string] | [] {
  const near = nearestTo(column, available.slice(0, COMPARED_MAX), 2).map((name) => JSON.stringify(name));
  return near.length === 0 ? [] : [`(did you mean ${near.join(' or ')}?)`];
}
