import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { DatasetKind, DatasetSort, FilePurpose, ListDatasetsQuery } from '../schema/dataset.ts';
import type { DatasetRecord } from './record.ts';
import { type DatasetState, statesShownAs } from './states.ts';

/** A decoded list request. A null filter does not filter. */
export interface ListSelection {
  readonly limit: number;
  readonly sort: DatasetSort;
  readonly descending: boolean;
  /** Both exclusive; ISO 8601 in UTC with milliseconds. */
  readonly createdAfter: string | null;
  readonly createdBefore: string | null;
  /** Folded text that the folded name or description contains. */
  readonly contains: string | null;
  readonly states: readonly DatasetState[] | null;
  readonly kinds: readonly DatasetKind[] | null;
  readonly createdByUserId: string | null;
  /** Absent: of any purpose. */
  readonly purpose?: FilePurpose;
  /** The `sortValue` after which the page begins; null for the first page. */
  readonly after: string | null;
}

const LIMIT_DEFAULT = 20;

/** Bytes of a name in its index: a sort key holds 1,024 in all. */
const SORTED_NAME_BYTES_MAX = 900;

const UUID_LENGTH = 36;

const kindsByType = {
  original: ['uploaded'],
  combined: ['combined'],
  augmented: ['augmented', 'translated', 'localized', 'extended'],
  invented: ['invented'],
} as const satisfies Record<string, readonly DatasetKind[]>;

/** A name or description for comparison: case and Unicode composition are normalised. */
export function foldName(name: string): string {
  return normalizeText(name, 'NFC').toLowerCase();
}

/** Between a name and the id: it sorts before every character of a name, so that `sales` comes before `sales 2024`. */
const AFTER_NAME = '\u0001';

/** The sort value of a dataset in a list by `sort`; it includes the id to be unique. */
export function sortValue(dataset: DatasetRecord, sort: DatasetSort): string {
  if (sort !== 'name') return `${dataset[sort]}#${dataset.dataset_id}`;
  return sortedName(dataset);
}

/** The `sortValue` of a list by name. */
export function sortedName({ name, dataset_id }: Pick<DatasetRecord, 'name' | 'dataset_id'>): string {
  const folded = Buffer.from(foldName(name)).subarray(0, SORTED_NAME_BYTES_MAX).toString();
  return `${folded}${AFTER_NAME}${dataset_id}`;
}

/** The dataset id in a `sortValue`. */
export function sortedDatasetId(value: string): string {
  return value.slice(-UUID_LENGTH);
}

/** A date-time without an offset is in UTC. */
function instant(text: string | undefined): string | null {
  if (text === undefined) return null;
  return timestamp(Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`));
}

/**
 * Decodes a list request.
 * @throws ServiceError `cursor_invalid` for a cursor that was changed or belongs to another team or query
 */
export function selectDatasets(teamId: string, query: ListDatasetsQuery, signingKey: string): ListSelection {
  return {
    limit: query.limit ?? LIMIT_DEFAULT,
    sort: query.sort ?? 'created_at',
    descending: (query.sort_direction ?? 'desc') === 'desc',
    createdAfter: instant(query.created_after),
    createdBefore: instant(query.created_before),
    contains: query.q === undefined || query.q === '' ? null : foldName(query.q),
    states: query.status === undefined || query.status === '' ? null : statesShownAs(query.status),
    kinds: query.type === undefined || query.type === '' ? null : kindsByType[query.type],
    createdByUserId: query.created_by_user_id ?? null,
    after: query.cursor === undefined ? null : openCursor(query.cursor, boundTo(teamId, query), signingKey),
  };
}

/** The cursor of the page after the `sortValue` `next`, for the same team and query. */
export function datasetsCursor(
  teamId: string,
  query: ListDatasetsQuery,
  next: string,
  signingKey: string,
): string {
  return sealCursor(next, boundTo(teamId, query), signingKey);
}

/** The page size may change from page to page; filters and order may not. */
function boundTo(teamId: string, query: ListDatasetsQuery): string {
  const { cursor: _cursor, limit: _limit, ...listed } = query;
  return canonicalJson({ list: 'datasets', team_id: teamId, ...listed });
}
