import { convertFile, type ReadFile } from '#shared/ingest/convert-file.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { type RecordedRows, recordRows } from '#shared/ingest/record-rows.ts';
import { createAppends } from '#shared/runs/store/appends.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import type { World } from './world.ts';

/** Runs the steps of an ingest that read its files, one after another, as its state machine does. */
export async function ingestDataset(
  { store: { datasets, runs }, objects, table }: Pick<World, 'store' | 'objects' | 'table'>,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
  readFile: ReadFile = ingestFile,
): Promise<RecordedRows> {
  await planIngest({ datasets, runs, objects }, input);
  await convertFile({ objects, readFile, fileBytesMax: 1_000_000 }, input);
  return recordRows({ datasets, runs, objects, appends: createAppends(table) }, input);
}
