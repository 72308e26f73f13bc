import type * as z from 'zod';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, manifestKeyOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { imageFormatsOf } from '#shared/tabular/decide/images/column-formats.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import { joinedProfile, laterProfile } from '#shared/tabular/decide/joined-profile.ts';
import type { ColumnProfile, RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { combineFiles } from './combine-files.ts';
import { readCombineSource } from './combine-sources.ts';
import { CombineRunRequest } from './decide/combine/combine-request.ts';
import { reconcile } from './decide/combine/reconcile.ts';
import type { CombineSource } from './decide/combine/source.ts';

export interface CombineRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'recordFindings'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'list' | 'copy'>;
  /** Writes canonical lines as chunks. */
  readonly writeRows: (options: {
    readonly rows: AsyncIterable<Buffer>;
    readonly columns: readonly RowsColumn[];
    readonly chunkKey: (n: number) => string;
    readonly writeChunk: (n: number, body: Buffer) => Promise<void>;
  }) => Promise<Pick<RowsManifest, 'row_count' | 'columns' | 'chunks'>>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The rows taken from one source. Its chunks count rows from the start of the source. */
const CombinedPart = RowsManifest.pick({ row_count: true, columns: true, chunks: true });
type CombinedPart = z.infer<typeof CombinedPart>;

/** Minimum seconds that an invocation needs to start a source: one source may have gigabytes. */
const SOURCE_SECONDS = 450;

/**
 * The rows of several datasets → the canonical chunks of a new one: the rows of one source after those of another, each
 * once and in its order. Memory does not depend on their size. Idempotent: a finished source is not copied again, and
 * the dataset's record is written last.
 * @throws {ServiceError} `run_interrupted` if a source, or the run, is gone
 */
export async function combineRows(
  ports: CombineRowsPorts,
  context: RunContext,
  invocation: { readonly deadlineMs: number; readonly now: number },
): Promise<{ status: 'finished' | 'unfinished' }> {
  const { objects } = ports;
  const { dataset_id: datasetId, run_id: runId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), CombineRunRequest);
  const sources = await Promise.all(request.sources.map((each) => openSource(ports, context, each)));
  const merge = reconcile(sources.map(({ shape }) => shape));

  const parts: CombinedPart[] = [];
  let isFirstOfInvocation = true;
  let firstChunk = 0;
  for (const [n, source] of sources.entries()) {
    const key = objectKeys.combined(runId, n);
    let part = await findJson(objects, key, CombinedPart);
    if (part === null) {
      const seconds = (invocation.deadlineMs - ports.clock()) / 1000;
      if (!isFirstOfInvocation && seconds < SOURCE_SECONDS) return { status: 'unfinished' };
      isFirstOfInvocation = false;
      const columns = await combineFiles(objects, datasetId, source.shape, merge.sources[n] ?? []);
      const taken = firstChunk;
      part = await takeRows(ports, (i) => objectKeys.rows(datasetId, taken + i), source, columns);
      await objects.write(key, JSON.stringify(part), 'application/json');
    }
    parts.push(part);
    firstChunk += part.chunks.length;
  }
  await finish(ports, context, parts, merge, invocation.now);
  return { status: 'finished' };
}

export interface OpenSource {
  readonly shape: CombineSource;
  readonly manifest: RowsManifest;
  readonly run: RunRecord | null;
}

/**
 * Reads the description of the rows to copy into the dataset of a run.
 * @throws {ServiceError} `run_interrupted` if the dataset, the run or its results were deleted since the launch
 */
export async function openSource(
  {
    datasets,
    runs,
    objects,
  }: {
    readonly datasets: Pick<DatasetRepository, 'find'>;
    readonly runs: Pick<RunRepository, 'find'>;
    readonly objects: Pick<ObjectStore, 'read'>;
  },
  context: RunContext,
  source: CombineRunRequest['sources'][number],
): Promise<OpenSource> {
  const dataset = await datasets.find(source.dataset_id);
  const run = source.run_id === null ? null : await runs.find(source.dataset_id, source.run_id);
  if (dataset?.team_id !== context.team_id || (source.run_id !== null && run === null)) {
    throw new ServiceError(
      'run_interrupted',
      `The dataset ${source.dataset_id} was deleted before its rows were read.`,
    );
  }
  if (run?.results_deleted_at !== undefined) {
    throw new ServiceError(
      'run_interrupted',
      `A version of the dataset ${source.dataset_id} was deleted before its rows were read. Start again, which reads its latest version.`,
    );
  }
  const manifest = await readJson(objects, manifestKeyOf(source.dataset_id, run), RowsManifest);
  const adaptation = adaptationOf(run);
  const shape = await readCombineSource(objects, dataset, manifest.columns, adaptation?.run_id ?? null);
  return { shape, manifest, run };
}

/** Copies the rows of a source as canonical chunks; the source stays unchanged. */
export async function takeRows(
  { objects, writeRows }: Pick<CombineRowsPorts, 'objects' | 'writeRows'>,
  chunkKey: (n: number) => string,
  { shape, manifest, run }: OpenSource,
  columns: Parameters<typeof joinRows>[0]['columns'],
): Promise<CombinedPart> {
  const part = await writeRows({
    rows: joinRows({ columns, ...deliveredRows(objects, manifest, run) }),
    columns: columns.map(({ name, type }) => ({ name, type })),
    chunkKey,
    writeChunk: (n, body) => objects.write(chunkKey(n), body, 'application/jsonl'),
  });
  const expected = deliveredRowCount(manifest.row_count, run);
  if (part.row_count !== expected) {
    throw new ServiceError(
      'run_interrupted',
      `The dataset ${shape.dataset_id} gave ${part.row_count} of its ${expected} rows.`,
    );
  }
  return part;
}

/** Number of rows in a download of the dataset. */
export function deliveredRowCount(rowCount: number, run: Pick<RunRecord, 'counts'> | null): number {
  return rowCount + (run?.counts?.expanded ?? 0) - (run?.counts?.dropped ?? 0);
}

async function finish(
  { datasets, objects }: CombineRowsPorts,
  { dataset_id: datasetId, run_id: runId }: RunContext,
  parts: readonly CombinedPart[],
  { columns, mapping }: ReturnType<typeof reconcile>,
  now: number,
): Promise<void> {
  let rowCount = 0;
  const chunks: RowsManifest['chunks'] = [];
  const profiles = new Map<string, ColumnProfile>();
  for (const part of parts) {
    for (const chunk of part.chunks) chunks.push({ ...chunk, first_row: rowCount + chunk.first_row });
    for (const { name, profile } of part.columns) {
      if (profile === undefined) continue;
      const known = profiles.get(name);
      profiles.set(
        name,
        known === undefined ? laterProfile(profile, rowCount) : joinedProfile(known, profile, rowCount),
      );
    }
    rowCount += part.row_count;
  }
  const profiled = columns.map(({ name, type }): RowsColumn => {
    const profile = profiles.get(name);
    return { name, type, ...(profile === undefined ? {} : { profile }) };
  });
  const manifest: RowsManifest = {
    version: 1,
    row_count: rowCount,
    columns: profiled,
    source_format: 'jsonl',
    chunks,
    warnings: [],
  };
  const manifestKey = objectKeys.manifest(datasetId);
  await objects.write(manifestKey, JSON.stringify(manifest), 'application/json');
  const isActive = await datasets.recordFindings(
    datasetId,
    runId,
    {
      row_count: rowCount,
      columns: profiled,
      image_column_formats: imageFormatsOf(profiled),
      manifest_key: manifestKey,
      configured_column_mapping: mapping,
    },
    now,
  );
  if (!isActive) throw new ServiceError('run_interrupted', 'The merge has ended before its rows were there.');
}
