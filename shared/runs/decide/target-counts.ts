import type { FileWarning } from '#shared/tabular/schema/rows-manifest.ts';
import type { ExpansionTarget, TargetCount } from '../schema/expansion.ts';
import { FAILED_SHARE_MAX } from './stop-reasons.ts';

/** Counts the rows of each target of an expansion, by its place among the targets. Holds two numbers a target. */
export class TargetTally {
  readonly #counts: { readonly target: ExpansionTarget; planned: number; made: number }[];

  constructor(targets: readonly ExpansionTarget[]) {
    this.#counts = targets.map((target) => ({ target, planned: 0, made: 0 }));
  }

  plan(place: number): void {
    const count = this.#counts[place];
    if (count !== undefined) count.planned += 1;
  }

  make(place: number): void {
    const count = this.#counts[place];
    if (count !== undefined) count.made += 1;
  }

  /** Empty for a run that planned no rows in other languages. */
  counts(): TargetCount[] {
    return this.#counts.map(({ target: { language, country }, planned, made }) => ({
      language,
      country,
      planned,
      made,
    }));
  }
}

export const nameOfTarget = ({ language, country }: ExpansionTarget): string =>
  country === null ? language : `${language}-${country}`;

const madeOf = (count: TargetCount): string =>
  count.planned === 0
    ? `no row in ${nameOfTarget(count)}`
    : `${count.made} of ${count.planned} rows in ${nameOfTarget(count)}`;

/** How many rows of each target were made, as a part of a sentence; null where each has some, and none is missing. */
export function describeShortfall(counts: readonly TargetCount[]): string | null {
  if (counts.every(({ planned, made }) => planned > 0 && made >= planned)) return null;
  return counts.map(madeOf).join(', ');
}

/** Code of the warning of a run of which more than half of the rows of a target are missing. */
export const LANGUAGES_INCOMPLETE = 'languages_incomplete';

/** Targets that the warning names. */
const NAMED_MAX = 8;

/** What became of the rows that a run was to make. */
const OF_RUN =
  'were made, and only those are billed. The report says why for each of the others. ' +
  'Send the request again for these languages, or ask your operator for a model that writes them.';

/**
 * The warnings of targets of which more than half of the rows are missing, the share at which a run fails, and of those that got none
 * since there were fewer rows than targets. Empty without such.
 * @param missing what became of the rows of those that are incomplete, behind their counts
 */
export function targetWarnings(counts: readonly TargetCount[], missing: string = OF_RUN): FileWarning[] {
  return [...missingRows(counts, missing), ...withoutRows(counts.filter(({ planned }) => planned === 0))];
}

function withoutRows(targets: readonly TargetCount[]): FileWarning[] {
  if (targets.length === 0) return [];
  const named = targets.slice(0, NAMED_MAX).map(nameOfTarget).join(', ');
  const more = targets.length > NAMED_MAX ? ` and ${targets.length - NAMED_MAX} more` : '';
  return [
    {
      code: LANGUAGES_INCOMPLETE,
      message: `No row was made in ${named}${more}: sample_rate selects fewer rows than there are languages. Send the request again with a higher one.`,
    },
  ];
}

function missingRows(counts: readonly TargetCount[], missing: string): FileWarning[] {
  const short = counts.filter(({ planned, made }) => planned - made > planned * FAILED_SHARE_MAX);
  if (short.length === 0) return [];
  const named = short.slice(0, NAMED_MAX).map(madeOf);
  const more = short.length > named.length ? `, and too few in ${short.length - named.length} more` : '';
  return [
    {
      code: LANGUAGES_INCOMPLETE,
      message: `Only ${named.join(', ')}${more} ${missing}`,
    },
  ];
}
