import type * as z from 'zod';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { imageFormatsOf } from '#shared/tabular/decide/images/column-formats.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { type FileWarning, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import type { RunContext } from './schema/run-context.ts';

export interface DeliverRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'recordFindings'>;
  readonly objects: Pick<ObjectStore, 'write'>;
}

/** The copied rows of a source, before others are generated. */
export const CopiedRows = RowsManifest.pick({ row_count: true, columns: true, chunks: true });
export type CopiedRows = z.infer<typeof CopiedRows>;

export interface Delivery {
  readonly columns: RowsManifest['columns'];
  readonly mapping: ConfiguredColumnMapping;
  /** Existing chunks, and their number of rows. */
  readonly kept: CopiedRows['chunks'];
  readonly keptRows: number;
  /** The chunks that follow. */
  readonly made: Pick<CopiedRows, 'row_count' | 'chunks'>;
  readonly description?: string;
  /** What was not made of what was asked for. */
  readonly warnings?: readonly FileWarning[];
}

/**
 * Adds the rows to the dataset's record, which delivers them.
 * @throws {ServiceError} `run_interrupted` if the run is no longer active
 */
export async function deliverRows(
  { datasets, objects }: DeliverRowsPorts,
  { dataset_id: datasetId, run_id: runId }: RunContext,
  { columns, mapping, kept, keptRows, made, description, warnings = [] }: Delivery,
  now: number,
): Promise<void> {
  const rowCount = keptRows + made.row_count;
  const manifest: RowsManifest = {
    version: 1,
    row_count: rowCount,
    columns,
    source_format: 'jsonl',
    chunks: [...kept, ...made.chunks.map((chunk) => ({ ...chunk, first_row: keptRows + chunk.first_row }))],
    warnings: [...warnings],
  };
  const key = objectKeys.manifest(datasetId);
  await objects.write(key, JSON.stringify(manifest), 'application/json');
  const isActive = await datasets.recordFindings(
    datasetId,
    runId,
    {
      row_count: rowCount,
      columns,
      image_column_formats: imageFormatsOf(columns),
      manifest_key: key,
      configured_column_mapping: mapping,
      ...(description === undefined ? {} : { description }),
      ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    },
    now,
  );
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before its rows were there.');
}
