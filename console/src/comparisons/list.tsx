import { TrainingViews } from '../training/views.tsx';
import { Empty, Failure, Loading, Page, ShowMore } from '../ui/parts.tsx';
import { useComparisons } from './queries.ts';
import { ComparisonsTable, WHAT_IT_IS } from './table.tsx';

/** The comparisons of the team, newest first. */
export default function Comparisons() {
  const list = useComparisons(null);
  const comparisons = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page title="Training">
      <TrainingViews view="comparisons" />
      {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="the comparisons" /> : null}
      {list.isSuccess && comparisons.length === 0 ? (
        <Empty title="No comparisons yet">
          <p>{WHAT_IT_IS} Start one on the page of an adapted dataset, below “Comparisons”.</p>
          <a className="button primary" href="#/datasets?status=succeeded">
            Choose a dataset
          </a>
        </Empty>
      ) : null}
      {comparisons.length === 0 ? null : (
        <ComparisonsTable label="Comparisons of the team" comparisons={comparisons} hasDatasets />
      )}
      <ShowMore of={list} />
    </Page>
  );
}
