import * as z from 'zod';
import type { DatasetKind, DatasetSort } from '../../schema/dataset.ts';
import type { DatasetState } from './lifecycle.ts';

/** A place between two datasets of a sorted list: just after the dataset that it names. */
export const ListPosition = z.object({ value: z.string(), dataset_id: z.string() });
export type ListPosition = z.infer<typeof ListPosition>;

/** What a list request asks for, decoded. Every filter that is null does not filter. */
export interface ListSelection {
  readonly limit: number;
  readonly sort: DatasetSort;
  readonly descending: boolean;
  /** Both exclusive; ISO in UTC with milliseconds. */
  readonly createdAfter: string | null;
  readonly createdBefore: string | null;
  /** Lower-case text that the lower-case name contains. */
  readonly nameContains: string | null;
  readonly states: readonly DatasetState[] | null;
  readonly kinds: readonly DatasetKind[] | null;
  readonly createdByUserId: string | null;
  /** Where the page begins; null for the first. */
  readonly after: ListPosition | null;
}
