import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import { deliveredRowCount } from '#shared/growth/combine-rows.ts';
import { readCombineSource } from '#shared/growth/combine-sources.ts';
import type { CombineSource } from '#shared/growth/decide/combine/source.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, manifestKeyOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import type { TrainingSource } from './decide/resolve.ts';

export interface TrainingSourcePorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
}

/** A low estimate of the average bytes of a prose token. */
const BYTES_PER_TOKEN = 3;
/** Few rows of a dataset are longer than this multiple of the mean of its longest chunk. */
const LONG_ROW = 4;

/** A source with what its rows are read by. */
export interface OpenedSource extends TrainingSource {
  readonly manifest: RowsManifest;
  readonly run: RunRecord | null;
  readonly shape: CombineSource;
}

/**
 * Describes the rows of a run for a training, null being the uploaded ones, without reading them: counts and lengths come
 * from the manifest.
 */
export async function readTrainingSource(
  { runs, objects }: TrainingSourcePorts,
  dataset: DatasetRecord,
  runId = deliveredRunId(dataset),
): Promise<OpenedSource> {
  const run = runId === null ? null : await runs.find(dataset.dataset_id, runId);
  const manifest = await readJson(objects, manifestKeyOf(dataset.dataset_id, run), RowsManifest);
  const adaptedId = adaptationOf(run)?.run_id ?? null;
  // A manifest can have more chunks than a call may have arguments.
  const bytesPerRow = manifest.chunks.reduce(
    (most, { bytes, row_count }) => Math.max(most, bytes / row_count),
    0,
  );
  return {
    manifest,
    run,
    dataset,
    shape: await readCombineSource(objects, dataset, manifest.columns, adaptedId),
    rows: deliveredRowCount(manifest.row_count, run),
    rowTokens: (LONG_ROW * bytesPerRow) / BYTES_PER_TOKEN,
    isAdapted: adaptedId !== null,
  };
}
