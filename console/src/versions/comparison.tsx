import { useInfiniteQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { dataOf, type TunesmithClient } from 'tunesmith';
import { useApi } from '../api.tsx';
import { hrefOf } from '../route.ts';
import { Differences, Side } from '../rows/differences.tsx';
import { QUICK } from '../rows/word-diff.ts';
import { CutText } from '../ui/answer-box.tsx';
import { Failure, Loading, Progress, ShowMore, State } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import type { DiffKind, DiffRow, VersionDiff } from './contract.ts';
import { type ComparedCell, comparedCells, countsWords, cutWords, rowWords } from './diff.ts';

interface Compared {
  readonly from: number;
  readonly to: number;
  /** Null for rows of all kinds. */
  readonly kind: DiffKind | null;
}

const PAGE_ROWS = 20;
/** Pause before a comparison that is not ready is asked for again, where the service names none. */
const PAUSE_SECONDS = 2;

export interface DiffAnswer extends VersionDiff {
  /** Seconds after which to ask again while it is pending. */
  readonly pauseSeconds: number;
}

/** Reads a page of what differs, and when to ask again. */
export async function readDiff(
  client: TunesmithClient,
  datasetId: string,
  { from, to, kind }: Compared,
  after: string | null,
  signal: AbortSignal,
): Promise<DiffAnswer> {
  const request = client.GET('/api/v1/datasets/{dataset_id}/diff', {
    signal,
    params: {
      path: { dataset_id: datasetId },
      query: {
        from,
        to,
        limit: PAGE_ROWS,
        ...(kind === null ? {} : { kind }),
        ...(after === null ? {} : { after }),
      },
    },
  });
  const diff = await dataOf(request);
  const seconds = Number((await request).response.headers.get('retry-after') ?? Number.NaN);
  return { ...diff, pauseSeconds: seconds > 0 ? seconds : PAUSE_SECONDS };
}

/** What the cache calls a comparison. */
export const diffKey = (datasetId: string, { from, to, kind }: Compared) =>
  ['version-diff', datasetId, from, to, kind] as const;

function useDiff(datasetId: string, compared: Compared) {
  const { client } = useApi();
  return useInfiniteQuery({
    queryKey: diffKey(datasetId, compared),
    queryFn: ({ pageParam, signal }) => readDiff(client, datasetId, compared, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_after,
    refetchInterval: ({ state }) => {
      const pending = state.data?.pages.find(({ status }) => status === 'pending');
      return pending === undefined ? false : pending.pauseSeconds * 1000;
    },
    // Nothing of a version changes.
    staleTime: ({ state }) =>
      state.data?.pages.every(({ status }) => status === 'ready') === true ? Number.POSITIVE_INFINITY : 0,
  });
}

/** What differs between two versions: the counts, and the rows with their cells before and after. */
export function Comparison({ datasetId, ...compared }: Compared & { readonly datasetId: string }) {
  const diff = useDiff(datasetId, compared);
  const { from, to } = compared;
  const [first] = diff.data?.pages ?? [];
  if (diff.isError && first === undefined) {
    return <Failure error={diff.error} retry={() => diff.refetch()} />;
  }
  if (first === undefined) return <Loading what="the differences" />;
  if (first.status === 'pending' || first.counts === null) {
    return (
      <div className="card stack">
        <p role="status">
          The service compares version {from} with version {to}. Large datasets take a few minutes …
        </p>
        <Progress label="Comparison" share={null} />
        {diff.isError ? <Failure error={diff.error} retry={() => diff.refetch()} /> : null}
      </div>
    );
  }
  const rows = diff.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <p role="status">{countsWords(first.counts)}</p>
      {rows.length === 0 && compared.kind !== null ? (
        <p className="note">No row is {compared.kind}.</p>
      ) : null}
      {rows.map((row) => (
        <OneRow key={`${row.kind} ${rowWords(row)}`} datasetId={datasetId} from={from} to={to} row={row} />
      ))}
      {diff.isError ? <Failure error={diff.error} retry={() => diff.fetchNextPage()} /> : null}
      <ShowMore of={diff} />
    </>
  );
}

const TONES = { added: 'changed', removed: 'dropped', changed: 'running' } as const;

/** Remembered: its words are compared once, however often a page is added. */
const OneRow = memo(function OneRow({
  datasetId,
  from,
  to,
  row,
}: {
  readonly datasetId: string;
  readonly from: number;
  readonly to: number;
  readonly row: DiffRow;
}) {
  const cells = comparedCells(row);
  const name = rowWords(row);
  // Numbers of rows in another language are those of the rows they were made of.
  const linked =
    row.target !== null ? [] : [from, to].filter((_, side) => row[SIDES[side] ?? 'after'] !== null);
  return (
    <article className="card stack" aria-label={`${name}, ${row.kind}`}>
      <div className="section-head">
        <h3 className="line">
          {name} <State value={TONES[row.kind]} label={row.kind} />
        </h3>
        <div className="line">
          {linked.map((version) => (
            <a key={version} href={hrefOf(['datasets', datasetId, 'rows'], { version, row: row.row })}>
              {name} in version {version}
            </a>
          ))}
        </div>
      </div>
      {cells.length === 0 ? (
        <p className="quiet">All of its cells are empty.</p>
      ) : (
        <dl className="row-cells">
          {cells.map((cell) => (
            <div key={cell.column}>
              <dt dir="auto">
                <MarkedText text={cell.column} />
              </dt>
              <dd>
                <CellTexts kind={row.kind} cell={cell} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
});

const SIDES = ['before', 'after'] as const;

/** The texts of a cell: both of a changed row, the only one of another. */
function CellTexts({
  kind,
  cell: { before, after },
}: {
  readonly kind: DiffKind;
  readonly cell: ComparedCell;
}) {
  const only = before ?? after;
  if (kind !== 'changed' && only !== null) return <CutText of={only} />;
  if (before === null || after === null) {
    return (
      <div className="columns">
        <Side label="Before" cell={before} />
        <Side label="After" cell={after} />
      </div>
    );
  }
  const cut = cutWords(before, after);
  return (
    <>
      <Differences before={before.text} after={after.text} bounds={QUICK} />
      {cut === null ? null : <p className="hint">{cut}</p>}
    </>
  );
}
