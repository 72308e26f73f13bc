import { quoteName } from '#shared/tabular/decide/file-error.ts';

/**
 * What keeps two files from being rows of one table, in words; null where nothing does. One of them may lack columns that the
 * other has: its rows have null there.
 */
export function compareColumns(
  first: readonly string[],
  second: readonly string[],
  names: readonly [string, string],
): string | null {
  const [ofFirst, ofSecond] = [new Set(first), new Set(second)];
  const [onlyFirst, onlySecond] = [
    first.filter((name) => !ofSecond.has(name)),
    second.filter((name) => !ofFirst.has(name)),
  ];
  const isPart = onlyFirst.length === 0 || onlySecond.length === 0;
  if (isPart && first.length > 0 && second.length > 0) return null;
  const differences = [
    ...onlyFirst.map((name) => `${quoteName(name)} is only in the first`),
    ...onlySecond.map((name) => `${quoteName(name)} is only in the second`),
  ];
  return `${quoteName(names[0])} and ${quoteName(names[1])} do not have the same columns: ${differences.slice(0, 10).join(', ')}. Send files with the same columns, or each as its own dataset.`;
}
