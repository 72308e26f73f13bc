import { requireAdaptation } from '#shared/adaptation/require-adaptation.ts';
import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { type RequireVersionPorts, requireVersion } from '#shared/runs/require-version.ts';
import { requireFinishedRows } from './decide/download.ts';

/** What a request says of the rows that it reads. */
export interface NamedRead {
  readonly run_id?: string | undefined;
  readonly version?: number | undefined;
}

/**
 * Finds the run whose rows a request names: null for the rows of the upload, undefined if it names none.
 * @throws {ServiceError} `run_not_found`, `version_not_found`
 */
export async function findRead(
  ports: RequireVersionPorts,
  dataset: DatasetRecord,
  { run_id, version }: NamedRead,
): Promise<RunRecord | null | undefined> {
  if (version !== undefined) return (await requireVersion(ports, dataset, version)).run;
  return run_id === undefined ? undefined : requireAdaptation(ports.runs, dataset, run_id);
}

/**
 * The same, of rows that leave the service as a file.
 * @throws {ServiceError} as `findRead`, and `no_data_yet` if they are those of a run that failed before any row was done
 */
export async function findFinished(
  ports: RequireVersionPorts,
  dataset: DatasetRecord,
  read: NamedRead,
): Promise<RunRecord | null | undefined> {
  const run = await findRead(ports, dataset, read);
  const latest = run === undefined && dataset.state === 'failed' ? deliveredRunId(dataset) : null;
  requireFinishedRows(run ?? (latest === null ? null : await ports.runs.find(dataset.dataset_id, latest)));
  return run;
}
