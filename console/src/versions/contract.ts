import type { Schemas } from 'tunesmith';

export type Version = Schemas['Version'];

export interface VersionsPage {
  readonly versions: readonly Version[];
  readonly next_before: number | null;
}

/** A page of what differs between two versions. */
export type VersionDiff = Schemas['Diff'];
export type DiffRow = Schemas['DiffRow'];
export type DiffKind = DiffRow['kind'];
export type DiffCell = Schemas['ShownCell'];
