import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { startIngest } from '#shared/ingest/complete-upload.ts';
import { convertFile, type ReadFile } from '#shared/ingest/convert-file.ts';
import { planIngest } from '#shared/ingest/plan-ingest.ts';
import { type RecordedRows, recordRows } from '#shared/ingest/record-rows.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { createAppends } from '#shared/runs/store/appends.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { makeEmptyDataset, NOW, seedDataset } from './records.ts';
import { upload, type World } from './world.ts';

/** Runs the steps of an ingest that read its files, one after another, as its state machine does, until it waits. */
export async function ingestDataset(
  { store: { datasets, runs }, objects, table }: Pick<World, 'store' | 'objects' | 'table'>,
  input: { readonly dataset_id: string; readonly run_id: string; readonly now: number },
  readFile: ReadFile = ingestFile,
): Promise<RecordedRows> {
  const { wait_seconds } = await planIngest({ datasets, runs, objects, claims: createClaims(table) }, input);
  if (wait_seconds > 0) return { status: 'waiting', wait_seconds };
  await convertFile({ objects, readFile, fileBytesMax: 1_000_000 }, input);
  return recordRows(
    { datasets, runs, objects, claims: createClaims(table), appends: createAppends(table) },
    input,
  );
}

/** Uploads a file to a new dataset, and has it read. */
export async function createFromFile(
  world: World,
  caller: Caller,
  content: string,
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const dataset = await seedDataset(world.store, caller, makeEmptyDataset(caller, fields));
  await upload(world, dataset, content);
  await startIngest(world.launchRun, { caller, dataset, changes: {}, now: NOW });
  const { dataset_id, run_id } = await findDataset(world, dataset.dataset_id);
  await ingestDataset(world, { dataset_id, run_id: run_id ?? '', now: NOW });
  await world.endRun({ dataset_id, run_id: run_id ?? '', error: null, billedCredits: 0, now: NOW });
  return findDataset(world, dataset_id);
}

/** Runs the machine of an append once: true if its rows are there, or it failed; false if it waits. */
export async function landAppend(
  world: World,
  dataset_id: string,
  append_id: string | null,
  now = NOW,
): Promise<boolean> {
  const run_id = append_id ?? '';
  const settle = (error: ErrorData | null) =>
    world.endRun({ dataset_id, run_id, error, billedCredits: 0, now });
  try {
    const { status } = await ingestDataset(world, { dataset_id, run_id, now });
    if (status === 'waiting') return false;
    await settle(null);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await settle({ code: error.code, message: error.message, level: 'error' });
  }
  return true;
}

export async function findDataset(world: Pick<World, 'store'>, datasetId: string): Promise<DatasetRecord> {
  const dataset = await world.store.datasets.find(datasetId);
  if (dataset === null) throw new Error('The dataset is gone.');
  return dataset;
}
