import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { hrefOf } from '../route.ts';
import { isActive } from '../training/words.ts';
import { Failure, Loading, Section, ShowMore } from '../ui/parts.tsx';
import { NewComparison } from './new-comparison.tsx';
import { useComparisons } from './queries.ts';
import { ComparisonsTable, WHAT_IT_IS } from './table.tsx';

/** The comparisons of a dataset, and a new one. */
export default function Comparisons({
  dataset,
  status,
}: {
  readonly dataset: Pick<DatasetRecord, 'dataset_id'>;
  readonly status: Pick<DatasetStatus, 'status'>;
}) {
  const id = dataset.dataset_id;
  const list = useComparisons(id);
  if (list.data === undefined) {
    return list.isError ? (
      <Failure error={list.error} retry={() => list.refetch()} />
    ) : (
      <Loading what="the comparisons" />
    );
  }
  const comparisons = list.data.pages.flatMap(({ items }) => items);
  const active = comparisons.find(isActive);
  return (
    <>
      {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
      {comparisons.length === 0 ? (
        <section className="card stack" aria-labelledby="no-comparisons">
          <h2 id="no-comparisons">No comparisons yet</h2>
          <p>{WHAT_IT_IS}</p>
        </section>
      ) : (
        <Section title="Comparisons">
          <ComparisonsTable label="Comparisons of the dataset" comparisons={comparisons} />
          <ShowMore of={list} />
        </Section>
      )}
      {active === undefined ? (
        <NewComparison datasetId={id} status={status} />
      ) : (
        <p className="note">
          A dataset has one training or comparison at a time. The next one can be started when{' '}
          <a href={hrefOf(['trainings', 'comparisons', active.comparison_id])}>the active comparison</a> has
          ended.
        </p>
      )}
    </>
  );
}
