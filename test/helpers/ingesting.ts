import { convertFile, type ReadFile } from '#shared/ingest/convert-file.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { recordRows } from '#shared/ingest/record-rows.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import type { World } from './world.ts';

/** Runs the steps of an ingest that read its files, one after another, as its state machine does. */
export async function ingestDataset(
  { store: { datasets }, objects }: Pick<World, 'store' | 'objects'>,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
  readFile: ReadFile = ingestFile,
): Promise<{ row_count: number }> {
  await planIngest({ datasets, objects }, input);
  await convertFile({ objects, readFile, fileBytesMax: 1_000_000 }, input);
  return recordRows({ datasets, objects }, input);
}
