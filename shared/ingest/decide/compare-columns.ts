import { quoteName } from '#shared/tabular/decide/file-error.ts';

/** What keeps two files from being rows of one table, in words; null where nothing does. */
export function compareColumns(
  first: readonly string[],
  second: readonly string[],
  names: readonly [string, string],
): string | null {
  const [ofFirst, ofSecond] = [new Set(first), new Set(second)];
  const differences = [
    ...first.filter((name) => !ofSecond.has(name)).map((name) => `${quoteName(name)} is only in the first`),
    ...second.filter((name) => !ofFirst.has(name)).map((name) => `${quoteName(name)} is only in the second`),
  ];
  if (differences.length === 0) return null;
  return `${quoteName(names[0])} and ${quoteName(names[1])} do not have the same columns: ${differences.slice(0, 10).join(', ')}. Send files with the same columns, or each as its own dataset.`;
}
