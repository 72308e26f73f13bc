import { beginningOf } from '#shared/platform/beginning-of.ts';
import type { OutputItem } from '../schema/eval.ts';

/** Characters that each text of an item keeps, from many to few. */
const CHARACTERS = [100_000, 10_000, 1000, 100];
/** What stands behind a text that is cut. */
const CUT = ' […]';

/**
 * An output item in at most so many bytes of JSON: whole, or with its texts cut, or else without the row and what was asked and
 * answered. Cut texts end in `[…]`.
 */
export function fitItem(item: OutputItem, bytesMax: number): OutputItem {
  const fits = (each: OutputItem): boolean => Buffer.byteLength(JSON.stringify(each)) <= bytesMax;
  if (fits(item)) return item;
  for (const characters of CHARACTERS) {
    const cut = cutTexts(item, characters) as OutputItem;
    if (fits(cut)) return cut;
  }
  const { results, sample } = item;
  return {
    ...(cutTexts({ ...item, datasource_item: {}, results: [] }, 100) as OutputItem),
    // Whether a grader failed stays told: its score of 0 would count as one that was given. So does what was charged for it.
    results: results.map(({ name, type, score, passed, error, usage }) => ({
      ...{ name, type, score, passed },
      ...(usage === undefined ? {} : { usage }),
      error: cutTexts(error, 100) as typeof error,
    })),
    sample: { ...sample, input: [], output: [] },
  };
}

/** A value whose texts have at most so many characters. Names of members are short: those of long ones are too. */
function cutTexts(value: unknown, characters: number): unknown {
  if (typeof value === 'string')
    return value.length <= characters ? value : `${beginningOf(value, characters)}${CUT}`;
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, characters));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each, characters)]));
}
