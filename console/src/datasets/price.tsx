import type { Schemas } from 'tunesmith';
import { plural, signed } from '../format.ts';
import { useDatasetRecord } from './record.ts';
import { useRunReport } from './run-report.ts';

/** What a list knows of a dataset; a change of state or time asks for its details anew. */
type Known = Pick<Schemas['DatasetListItem'], 'dataset_id' | 'status' | 'updated_at'> | Schemas['Dataset'];

const RUNNING_REFRESH_MS = 3000;

/** The grade before and after, with the change of the score. */
export function Grade({ dataset }: { readonly dataset: Known }) {
  const { dataset_id: id, status, updated_at: changed } = dataset;
  const record = useDatasetRecord(id, [status, changed], { enabled: status === 'succeeded' });
  const summary = record.data?.evaluation_summary;
  if (summary == null || summary.grade_after === null) return <span className="quiet">–</span>;
  const { grade_before: before, grade_after: after, improvement_percent: change } = summary;
  return (
    <span>
      {before === null ? after : `${before} → ${after}`}
      {change === null ? null : <span className="quiet"> {signed(change)} %</span>}
    </span>
  );
}

/** How far the run of a dataset is; nothing where none is active. */
export function RunProgress({ dataset }: { readonly dataset: Known }) {
  const { dataset_id: id, status, updated_at: changed } = dataset;
  const record = useDatasetRecord(id, [status, changed], {
    enabled: status === 'running',
    refetchInterval: RUNNING_REFRESH_MS,
  });
  const progress = record.data?.progress;
  return progress == null ? null : <span className="quiet">{progress.percent} %</span>;
}

/** What the last run cost; a dash before the first one. */
export function Price({ dataset }: { readonly dataset: Known }) {
  const { dataset_id: id, status, updated_at: changed } = dataset;
  const report = useRunReport(id, status, { changed, isOfEnded: true });
  const settled = report.data?.credits.settled ?? null;
  return settled === null ? <span className="quiet">–</span> : <span>{plural(settled, 'credit')}</span>;
}
