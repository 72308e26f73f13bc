import type { AugmentationKind } from './augment-request.ts';

/** What an augmentation was to add and has added, by kind. */
export interface AddedRows {
  readonly wanted: Readonly<Record<AugmentationKind, number>>;
  readonly added: Readonly<Record<AugmentationKind, number>>;
  readonly isCancelled: boolean;
  /** Whether rows that a model was to write have no result. */
  readonly isInterrupted: boolean;
  /** Whether the pool has no further row on the topics: all that are near enough were looked at. */
  readonly isExhausted: boolean;
  /** Whether a model was to write the general rows. */
  readonly isGeneralWritten: boolean;
}

const WHAT: Readonly<Record<AugmentationKind, string>> = {
  domain: 'on the topics of the dataset',
  general: 'on other topics',
  similar: 'in the style of the dataset',
};

const UNUSABLE = 'the others that the model wrote cannot be used, or say what the dataset has already';

/** Why rows of a kind are missing. */
function reasonOf(kind: AugmentationKind, rows: AddedRows): string {
  const isWritten = kind === 'similar' || (kind === 'general' && rows.isGeneralWritten);
  if (rows.isCancelled || (isWritten && rows.isInterrupted))
    return 'the run ended before the others were done';
  if (isWritten) return UNUSABLE;
  if (kind === 'general') {
    return 'the others that were drawn from the pool are on its topics, or say what the dataset has already';
  }
  return rows.isExhausted
    ? 'no others were found in the pool that are near enough, and that the dataset does not have'
    : 'the pool has too few on some of its topics, and not all on the others were looked at: augment the new dataset to add more of these';
}

/** The description of an augmented dataset that lacks rows of a kind, with the reason of each; null where it lacks none. */
export function describeLacking(rows: AddedRows): string | null {
  const lacking = (['domain', 'general', 'similar'] as const).filter(
    (kind) => rows.added[kind] < rows.wanted[kind],
  );
  if (lacking.length === 0) return null;
  return lacking
    .map((kind) => `${rows.added[kind]} of ${rows.wanted[kind]} rows ${WHAT[kind]}: ${reasonOf(kind, rows)}.`)
    .join(' ');
}
