import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { go, hrefOf, useRoute } from '../route.ts';
import { integerOf } from '../rows/filters.ts';
import { Empty, Failure, Loading, Section, ShowMore } from '../ui/parts.tsx';
import { AppendRows } from './append.tsx';
import { type AskedComparison, Compare } from './compare.tsx';
import { kindOf } from './diff.ts';
import { useVersions } from './queries.ts';
import { VersionsTable } from './table.tsx';
import './versions.css';
import { currentVersion } from './words.ts';

interface VersionsProps {
  readonly dataset: Pick<DatasetRecord, 'dataset_id'>;
  readonly status: Pick<DatasetStatus, 'status' | 'row_count'>;
}

/**
 * The versions of a dataset, what differs between two of them, and the append of rows. The address has what is compared,
 * and the append whose state is shown.
 */
export default function Versions(props: VersionsProps) {
  const { query } = useRoute();
  const { from = null, to = null, kind = null, append = null } = Object.fromEntries(query);
  const asked = { from: integerOf(from), to: integerOf(to), kind: kindOf(kind) };
  const show = (place: AskedComparison & { readonly append: string | null }): void =>
    go(hrefOf(['datasets', props.dataset.dataset_id, 'versions'], { ...place }), { replace: true });
  return (
    <VersionsOf
      {...props}
      asked={asked}
      appendId={append}
      onCompare={(chosen) => show({ ...chosen, append })}
      // The new version is then among those that are compared by default.
      onAppend={(id) => show({ from: null, to: null, kind: null, append: id })}
    />
  );
}

/** The page of what the address says. */
export function VersionsOf({
  dataset,
  status,
  asked,
  appendId,
  onCompare,
  onAppend,
}: VersionsProps & {
  readonly asked: AskedComparison;
  readonly appendId: string | null;
  readonly onCompare: (asked: AskedComparison) => void;
  readonly onAppend: (appendId: string) => void;
}) {
  const id = dataset.dataset_id;
  const list = useVersions(id, status.status);
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <>
      <Section
        title="Versions"
        note="The uploaded rows are version 1. Each append, adaptation and review makes another, and nothing of a version changes later."
      >
        {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
        {list.isPending ? <Loading what="the versions" /> : null}
        {list.isSuccess && versions.length === 0 ? (
          <Empty title="No versions yet">
            <p>
              {status.status === 'failed'
                ? 'The rows could not be read. The overview says why.'
                : 'The first version is shown here as soon as the dataset has rows.'}
            </p>
          </Empty>
        ) : null}
        {versions.length > 0 ? (
          <VersionsTable
            datasetId={id}
            versions={versions}
            current={currentVersion(versions, list.hasNextPage)}
          />
        ) : null}
        <ShowMore of={list} />
      </Section>
      <AppendRows datasetId={id} status={status} appendId={appendId} onAppend={onAppend} />
      {versions.length > 0 ? (
        <Compare datasetId={id} versions={versions} asked={asked} onChange={onCompare} />
      ) : null}
    </>
  );
}
