import { randomUUID } from 'node:crypto';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { type CombineRowsPorts, combineRows } from '#shared/growth/combine-rows.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createLaunchRun } from '#shared/runs/launch-run.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { type RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { linesOf } from './active-run.ts';
import { NOW, seedDataset } from './records.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

export const columnsOf = (types: Readonly<Record<string, string>>): RowsColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

/** A dataset that was uploaded for training as it is: its rows are there and it waits for nothing. */
export async function seedRows(
  world: World,
  caller: Caller,
  types: Readonly<Record<string, string>>,
  lines: readonly string[],
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const datasetId = randomUUID();
  const columns = columnsOf(types);
  async function* rows(): AsyncGenerator<Buffer> {
    yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
  }
  const chunkKey = (n: number): string => objectKeys.rows(datasetId, n);
  const written = await writeRows({
    rows: rows(),
    columns,
    chunkKey,
    writeChunk: (n, body) => world.objects.write(chunkKey(n), body, 'application/jsonl'),
  });
  const manifest: RowsManifest = { version: 1, source_format: 'jsonl', warnings: [], ...written };
  await world.objects.write(objectKeys.manifest(datasetId), JSON.stringify(manifest), 'application/json');
  return seedDataset(world.store, caller, {
    dataset_id: datasetId,
    state: 'succeeded',
    processing_mode: 'raw',
    file_format: 'jsonl',
    row_count: lines.length,
    columns: manifest.columns,
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
    ...fields,
  });
}

/** Has the manifest of each dataset say that its first chunk has so many bytes. */
export async function growTo(world: World, ids: readonly string[], bytes: number): Promise<void> {
  for (const id of ids) {
    const key = objectKeys.manifest(id);
    const manifest = JSON.parse(world.objects.text(key));
    manifest.chunks[0].bytes = bytes;
    await world.objects.write(key, JSON.stringify(manifest), 'application/json');
  }
}

export const portsOfRows = ({ store, objects }: World): CombineRowsPorts => ({
  datasets: store.datasets,
  runs: store.runs,
  objects,
  writeRows,
  clock: () => NOW,
});

/** What the machine does: the rows are merged, then the run is settled, also when that failed. */
export async function executeCombine(world: World, context: RunContext): Promise<void> {
  const { dataset_id, run_id } = context;
  const end = { dataset_id, run_id, billedCredits: 0, now: NOW };
  try {
    await combineRows(portsOfRows(world), context, { deadlineMs: NOW + HOUR_MS, now: NOW });
    await world.endRun({ ...end, error: null });
  } catch (error) {
    const { code, message } = error as ServiceError;
    if (!(error instanceof ServiceError)) throw error;
    await world.endRun({ ...end, error: { code, message, level: 'error' } });
  }
}

/** The handler's need, on machines that do their work as soon as they are started. */
export function combiningAtOnce(world: World) {
  const { store, objects, endRun } = world;
  const launchRun = createLaunchRun({
    ...store,
    objects,
    endRun,
    executions: { start: (_pipeline, context) => executeCombine(world, context) },
    clock: { now: () => NOW },
    newId: randomUUID,
  });
  return { launchRun };
}

export async function manifestOf(world: World, datasetId: string): Promise<RowsManifest> {
  return RowsManifest.parse(JSON.parse(world.objects.text(objectKeys.manifest(datasetId))));
}

/** The canonical lines of a dataset, chunk after chunk; each chunk must begin where its manifest says. */
export async function rowsOf(world: World, datasetId: string): Promise<string[]> {
  const rows: string[] = [];
  for (const chunk of (await manifestOf(world, datasetId)).chunks) {
    if (chunk.first_row !== rows.length) throw new Error(`${chunk.key} begins at row ${rows.length}.`);
    const lines = linesOf(world.objects.text(chunk.key));
    if (chunk.row_count !== lines.length) throw new Error(`${chunk.key} has ${lines.length} rows.`);
    rows.push(...lines);
  }
  return rows;
}
