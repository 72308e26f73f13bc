import type { Schemas, TunesmithClient } from 'tunesmith';

// Endpoints and fields that `openapi.json` does not have yet.

type ListedVersion = Schemas['Version'];

/** A version of a dataset, also one whose rows were deleted. */
export type Version = Omit<ListedVersion, 'status'> & {
  readonly status: ListedVersion['status'] | 'deleted';
};

export interface VersionsPage {
  readonly versions: readonly Version[];
  readonly next_before: number | null;
}

export type DiffKind = 'added' | 'removed' | 'changed';

export type DiffCell = Schemas['ShownCell'];

/** Of a changed row the cells that differ, of another one all; cells without a value are left out. */
interface DiffSide {
  readonly cells: readonly DiffCell[];
}

export interface DiffRow {
  readonly kind: DiffKind;
  /** Number of the row; of one in another language that of the row it was made of. */
  readonly row: number;
  /** Language of a row that a run added; null for rows of the source. */
  readonly target: Schemas['DatasetRow']['target'];
  /** Null for an added row. */
  readonly before: DiffSide | null;
  /** Null for a removed row. */
  readonly after: DiffSide | null;
}

/** A page of what differs between two versions. */
export interface VersionDiff {
  readonly dataset_id: string;
  readonly from: number;
  readonly to: number;
  /** `pending` while the service compares them: ask again. */
  readonly status: 'pending' | 'ready';
  /** Rows of each kind; null while they are compared. */
  readonly counts: Readonly<Record<DiffKind | 'unchanged', number>> | null;
  readonly columns: readonly string[];
  readonly rows: readonly DiffRow[];
  readonly next_after: string | null;
}

type Answer<Data> = Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>;

interface VersionsClient {
  GET(
    path: '/api/v1/datasets/{dataset_id}/diff',
    init: {
      readonly signal: AbortSignal;
      readonly params: {
        readonly path: { readonly dataset_id: string };
        readonly query: {
          readonly from: number;
          readonly to: number;
          readonly kind?: DiffKind;
          readonly after?: string;
          readonly limit?: number;
        };
      };
    },
  ): Answer<VersionDiff>;
  GET(
    path: '/api/v1/datasets/{dataset_id}/versions',
    init: {
      readonly signal: AbortSignal;
      readonly params: {
        readonly path: { readonly dataset_id: string };
        readonly query: { readonly limit?: number; readonly before?: number };
      };
    },
  ): Answer<VersionsPage>;
  DELETE(
    path: '/api/v1/datasets/{dataset_id}/versions/{version}',
    init: { readonly params: { readonly path: { readonly dataset_id: string; readonly version: string } } },
  ): Answer<unknown>;
}

/** The client with the endpoints of versions. */
export const versionsClient = (client: TunesmithClient): VersionsClient =>
  client as unknown as VersionsClient;
