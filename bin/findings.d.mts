/** One finding. `state` is `ok`, `note` (works, with something to know) or `missing` (has to be mended). */
export interface Finding {
  readonly state: 'ok' | 'note' | 'missing';
  readonly name: string;
  readonly found: string;
  /** What to do. */
  readonly advice?: string;
}

export function renderFindings(findings: readonly Finding[]): string;
