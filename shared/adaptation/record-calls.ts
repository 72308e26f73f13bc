import { linesIn } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ListedObject, ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { BatchPlan, ScorePlan } from '#shared/runs/schema/run-context.ts';
import {
  chunkIdOf,
  isPromised,
  mergeRecordings,
  overlaps,
  parseRecording,
  promisedThenNewest,
  RecordedRow,
  type Recording,
  type RowReuse,
  recordingName,
  settingsNamed,
  toRecordable,
  type WorkedRow,
} from './decide/reuse.ts';
import { settingsHashOf } from './decide/reuse-coverage.ts';
import type { RunRequestObject } from './decide/run-request.ts';

export interface RecordCallsPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'listSizes'>;
  readonly runs: Pick<RunRepository, 'find'>;
  /** Called with the key of an object that is not as it was written, and so is not read. */
  readonly onMalformed?: ((key: string) => void) | undefined;
}

/**
 * Bytes of recorded calls that a worker reads, those of the dataset's runs with the same settings first; rows beyond are
 * adapted anew.
 */
export const REUSE_BYTES_MAX = 64 * 1024 * 1024;
const READS_AT_ONCE = 8;

/**
 * Opens the recorded model calls of a batch: those of every run of the team on a chunk with the same content, other
 * than this run. Of a run that is asked to adapt anew nothing is read; its calls are recorded all the same.
 */
export async function openChunkReuse(
  ports: RecordCallsPorts,
  { team_id: teamId, dataset_id: datasetId, run_id: runId, n, ...batch }: BatchPlan,
  chunk: Buffer,
  { specification, anew = false }: Pick<RunRequestObject, 'specification' | 'anew'>,
): Promise<RowReuse> {
  const run = await ports.runs.find(datasetId, runId);
  const startedMs = startOf(run);
  const settings = settingsOf(run, specification);
  const chunkId = chunkIdOf(chunk);
  const lines = { first: batch.first_line, count: batch.row_count };
  const prefix = objectKeys.reuseOfChunk(teamId, chunkId);
  const found = anew ? [] : await listRecordings(ports, prefix);
  const usable = found.filter(({ recording }) => recording.runId !== runId && overlaps(recording, lines));
  const promised = { datasetId, settings };
  const inOrder = promisedThenNewest(promised);
  const read = await readRecordings(
    ports,
    usable.sort((one, other) => inOrder(one.recording, other.recording)),
  );
  const earlier = mergeRecordings(
    read.map(({ recording, rows }) => ({ isOwn: isPromised(recording, promised), rows })),
    lines,
  );
  return {
    find: (row) => earlier.get(toLine(batch, row)),
    write: (rows) =>
      writeChunkCalls(
        ports,
        { ...batch, team_id: teamId, dataset_id: datasetId, run_id: runId, n },
        { chunkId, startedMs, settings },
        rows,
      ),
  };
}

/**
 * Stores the calls that a worker left in its checkpoints, of a batch that it did not complete. They are written under the
 * name that the worker would have used.
 */
export async function recordUnfinishedBatch(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  run: CallingRun,
  { specification }: Pick<RunRequestObject, 'specification'>,
  batch: BatchPlan,
  results: readonly WorkedRow[],
): Promise<void> {
  const rows = toRecordable(results);
  if (rows.length === 0) return;
  const chunk = await objects.read(batch.chunk_key);
  // The dataset is being deleted: its run is settled all the same.
  if (chunk === null) return;
  await writeChunkCalls(
    { objects },
    batch,
    { chunkId: chunkIdOf(chunk), startedMs: startOf(run), settings: settingsOf(run, specification) },
    rows,
  );
}

const toLine = (
  { first_row, first_line }: Pick<BatchPlan, 'first_row' | 'first_line'>,
  row: number,
): number => row - first_row + first_line;

async function writeChunkCalls(
  ports: { readonly objects: Pick<ObjectStore, 'write'> },
  batch: BatchPlan,
  {
    chunkId,
    startedMs,
    settings,
  }: { readonly chunkId: string; readonly startedMs: number; readonly settings: string },
  rows: Parameters<RowReuse['write']>[0],
): Promise<void> {
  if (rows.length === 0) return;
  const { team_id: teamId, dataset_id: datasetId, run_id: runId, n } = batch;
  // The marker first: calls without one would stay when the dataset is deleted.
  await ports.objects.write(
    `${objectKeys.reuseMarkers(teamId, datasetId)}${chunkId}`,
    '{}',
    'application/json',
  );
  const lines = { first: batch.first_line, count: batch.row_count };
  await writeRows(
    ports,
    `${objectKeys.reuseOfDataset(teamId, chunkId, datasetId)}${recordingName(lines, { startedMs, runId, n, settings })}`,
    rows.map(({ row, calls }) => ({ line: toLine(batch, row), calls: [...calls] })),
  );
}

/**
 * Opens the recorded model calls of a dataset's evaluations. Rows are those of the dataset, whose samples overlap
 * from run to run.
 */
export async function openScoreReuse(
  ports: RecordCallsPorts,
  { team_id: teamId, dataset_id: datasetId, run_id: runId, n, first_row: first }: ScorePlan,
  anew: boolean,
): Promise<RowReuse> {
  const startedMs = startOf(await ports.runs.find(datasetId, runId));
  const prefix = objectKeys.reuseOfEvaluations(teamId, datasetId);
  const found = anew ? [] : await listRecordings(ports, prefix, `${datasetId}/`);
  const earlierRuns = found.filter(({ recording }) => recording.runId !== runId).sort(newestFirst);
  const read = await readRecordings(ports, earlierRuns);
  const earlier = mergeRecordings(
    read.map(({ rows }) => ({ isOwn: true, rows })),
    { first: 0, count: Number.POSITIVE_INFINITY },
  );
  return {
    find: (row) => earlier.get(row),
    async write(rows) {
      if (rows.length === 0) return;
      const name = recordingName({ first, count: rows.length }, { startedMs, runId, n });
      await writeRows(
        ports,
        `${prefix}${name}`,
        rows.map(({ row, calls }) => ({ line: row, calls: [...calls] })),
      );
    },
  };
}

/** What of a run goes into the name of its recordings. */
export type CallingRun = Pick<RunRecord, 'started_at' | 'models' | 'prompt_versions'>;

/** Milliseconds since the epoch of the run's start: every attempt of a batch writes the same key. */
const startOf = (run: Pick<RunRecord, 'started_at'> | null): number =>
  run === null ? 0 : Date.parse(run.started_at);

const settingsOf = (run: CallingRun | null, specification: RunRequestObject['specification']): string =>
  settingsNamed(settingsHashOf(specification, run?.models ?? {}, run?.prompt_versions ?? {}));

interface Listed {
  readonly object: ListedObject;
  readonly recording: Recording;
}

const newestFirst = ({ recording: one }: Listed, { recording: other }: Listed): number =>
  other.startedMs - one.startedMs;

/** @param within what a name lacks of `<dataset>/<name>` */
async function listRecordings(
  { objects }: Pick<RecordCallsPorts, 'objects'>,
  prefix: string,
  within = '',
): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const object of objects.listSizes(prefix)) {
    const recording = parseRecording(`${within}${object.key.slice(prefix.length)}`);
    if (recording !== null) found.push({ object, recording });
  }
  return found;
}

/** Reads the recordings that fit within the limit together, in their order. A malformed one is left out. */
async function readRecordings(
  { objects, onMalformed }: Pick<RecordCallsPorts, 'objects' | 'onMalformed'>,
  listed: readonly Listed[],
): Promise<{ recording: Recording; rows: RecordedRow[] }[]> {
  let bytes = 0;
  const within = listed.filter(({ object }) => {
    const fits = bytes + object.bytes <= REUSE_BYTES_MAX;
    if (fits) bytes += object.bytes;
    return fits;
  });
  const read: { recording: Recording; rows: RecordedRow[] }[] = [];
  for (let at = 0; at < within.length; at += READS_AT_ONCE) {
    const batch = within.slice(at, at + READS_AT_ONCE).map(async ({ object: { key }, recording }) => {
      const body = await objects.read(key);
      try {
        const rows = linesIn(body ?? Buffer.alloc(0)).map((line) => RecordedRow.parse(JSON.parse(line)));
        return [{ recording, rows }];
      } catch {
        onMalformed?.(key);
        return [];
      }
    });
    read.push(...(await Promise.all(batch)).flat());
  }
  return read;
}

async function writeRows(
  { objects }: { readonly objects: Pick<ObjectStore, 'write'> },
  key: string,
  rows: readonly RecordedRow[],
): Promise<void> {
  await objects.write(key, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), 'application/jsonl');
}
