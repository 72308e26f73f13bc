/** Share of wrong rows of a dataset of which nothing is known. */
export const WRONG_SHARE = 0.05;

/** A row is doubtful, and flagged, if it is rather wrong than right. */
export const FLAGGED_MIN = 0.5;

export const isDoubtful = (doubt: { readonly probability: number } | null | undefined): boolean =>
  (doubt?.probability ?? 0) >= FLAGGED_MIN;
