import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type * as z from 'zod';
import { deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import { deliveredRowCount, openSource } from '#shared/growth/combine-rows.ts';
import { writeVectorShard } from '#shared/growth/decide/pool/vector-shard.ts';
import { type EmbedTextsPorts, embedTexts } from '#shared/growth/embed-texts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { WorkerWatch } from '#shared/runs/decide/worker-watch.ts';
import type { IndexPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import {
  INDEX_SHARD_ROWS,
  IndexedText,
  IndexManifest,
  IndexShard,
  searchedRun,
} from './decide/retrieval/index-manifest.ts';
import { rowText, textColumns } from './decide/retrieval/row-text.ts';
import { writeWordShard } from './decide/retrieval/word-shard.ts';
import { readIndexManifest } from './index-cache.ts';

export interface PlanIndexPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly modelConcurrency: number;
}

export interface PlannedIndex {
  readonly plan_key: string;
  readonly results_prefix: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
  readonly rows_of: string;
  readonly row_count: number;
}

/**
 * Writes the texts of a dataset's download, shard by shard. Holds one shard. Idempotent.
 * @throws {ServiceError} `run_interrupted` if the dataset or its rows are gone
 */
export async function planIndex(ports: PlanIndexPorts, context: RunContext): Promise<PlannedIndex> {
  const { objects } = ports;
  const { dataset_id: datasetId, run_id: buildId } = context;
  const dataset = await ports.datasets.find(datasetId);
  const rowsOf = dataset === null ? null : searchedRun(dataset);
  if (dataset === null || rowsOf === null) {
    throw new ServiceError('run_interrupted', 'The dataset has no rows to be searched any more.');
  }
  const source = await openSource(ports, context, { dataset_id: datasetId, run_id: deliveredRunId(dataset) });
  const wanted = textColumns(source.shape, dataset);
  const columns = source.shape.columns.filter(({ name }) => wanted.includes(name));

  const plan: IndexPlan[] = [];
  let shard: IndexedText[] = [];
  const store = async (): Promise<void> => {
    const n = plan.length;
    await writeLines(objects, objectKeys.indexTexts(datasetId, buildId, n), shard);
    plan.push({ ...context, n });
    shard = [];
  };
  let row = 0;
  for await (const block of joinRows({ columns, ...deliveredRows(objects, source.manifest, source.run) })) {
    // A block contains complete lines.
    for (const line of block.toString('utf8').split('\n')) {
      if (line === '') continue;
      const text = rowText(line, wanted);
      if (text !== '') shard.push({ row, text });
      row += 1;
      if (shard.length === INDEX_SHARD_ROWS) await store();
    }
  }
  if (shard.length > 0) await store();
  const expected = deliveredRowCount(source.manifest.row_count, source.run);
  if (row !== expected) {
    throw new ServiceError('run_interrupted', `The dataset gave ${row} of its ${expected} rows.`);
  }

  const planKey = objectKeys.indexPlan(datasetId, buildId);
  await writeLines(objects, planKey, plan);
  return {
    plan_key: planKey,
    results_prefix: objectKeys.indexMap(datasetId, buildId),
    chunk_count: plan.length,
    max_concurrency: workforceOf(ports.modelConcurrency).workers,
    rows_of: rowsOf,
    row_count: row,
  };
}

/** A worker's report on its shard. */
const BuiltShard = IndexShard.extend({ embedding: IndexManifest.shape.embedding });
type BuiltShard = z.infer<typeof BuiltShard>;

export interface IndexShardPorts extends EmbedTextsPorts {
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write'>;
  /** Called for each row added to the index. */
  readonly watch: Pick<WorkerWatch, 'rowDone'>;
}

/**
 * Computes the words of a shard's rows, and their vectors if the installation has an embedding model. An existing shard
 * stays unchanged.
 * @throws {ServiceError} `model_unavailable`
 */
export async function indexShard(
  ports: IndexShardPorts,
  { dataset_id: datasetId, run_id: buildId, n }: IndexPlan,
): Promise<{ status: 'finished' }> {
  const { objects } = ports;
  const shardKey = objectKeys.indexShard(datasetId, buildId, n);
  if ((await objects.head(shardKey)) !== null) return { status: 'finished' };
  const body = await objects.read(objectKeys.indexTexts(datasetId, buildId, n));
  if (body === null) throw new ServiceError('run_interrupted', 'The texts of the index are gone.');
  const { texts, ends } = readTexts(body);
  const words = writeWordShard(texts, ends);
  const packed = await pack(words, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  await objects.write(objectKeys.indexWords(datasetId, buildId, n), packed, OCTETS);
  let embedding: BuiltShard['embedding'] = null;
  if (ports.embedder !== null) {
    const { model, vectors } = await embedTexts(ports, texts);
    embedding = { model, dimensions: vectors[0]?.length ?? 0 };
    await objects.write(
      objectKeys.indexVectors(datasetId, buildId, n),
      writeVectorShard(model, vectors),
      OCTETS,
    );
  }
  const built: BuiltShard = { n, rows: texts.length, word_bytes: words.length, embedding };
  await objects.write(shardKey, JSON.stringify(built), 'application/json');
  for (const _ of texts) ports.watch.rowDone();
  return { status: 'finished' };
}

const pack = promisify(brotliCompress);
/** Higher levels take far more time and hardly reduce the size. */
const BROTLI_QUALITY = 5;
const OCTETS = 'application/octet-stream';
const NEWLINE = 0x0a;

/** The texts of a shard, and the end of each line, in bytes. */
function readTexts(body: Buffer): { texts: string[]; ends: number[] } {
  const texts: string[] = [];
  const ends: number[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(NEWLINE, start) + 1;
    texts.push(IndexedText.parse(JSON.parse(body.toString('utf8', start, end))).text);
    ends.push(end);
    start = end;
  }
  return { texts, ends };
}

export interface FinishIndexPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'list' | 'remove'>;
  /** Called if an earlier build could not be removed; it is deleted with the dataset. */
  readonly onFailure: (error: unknown) => void;
}

const AT_ONCE = 16;

/**
 * Makes the build the index of the dataset and deletes the objects of an earlier one. Deletes the build instead if it
 * failed, or if the dataset is deleted or has other rows now. A build in the manifest stays as long as the dataset: it
 * is complete, and searches read it. Idempotent.
 * @throws if a shard is missing
 */
export async function finishIndex(
  ports: FinishIndexPorts,
  context: RunContext,
  plan: PlannedIndex | null,
  error: ErrorData | null,
  now: number,
): Promise<{ status: 'built' | 'superseded' | 'failed' }> {
  const { objects } = ports;
  const { dataset_id: datasetId, run_id: buildId } = context;
  const own = objectKeys.indexBuild(datasetId, buildId);
  await removeBelow(objects, objectKeys.indexPlansOf(datasetId, buildId));
  const dataset = await ports.datasets.find(datasetId);
  const stored = await readIndexManifest(objects, datasetId);
  const isWanted = dataset !== null && searchedRun(dataset) === plan?.rows_of;
  if (plan === null || error !== null || !isWanted) {
    if (dataset === null) await removeBelow(objects, objectKeys.index(datasetId));
    else if (stored?.build_id !== buildId) await removeBelow(objects, own);
    return { status: error === null ? 'superseded' : 'failed' };
  }

  const shards = await readShards(objects, context, plan.chunk_count);
  const embedding = shards[0]?.embedding ?? null;
  const manifest: IndexManifest = {
    version: 1,
    dataset_id: datasetId,
    rows_of: plan.rows_of,
    build_id: buildId,
    built_at: timestamp(now),
    row_count: plan.row_count,
    embedding,
    shards: shards.map(({ n, rows, word_bytes }) => ({ n, rows, word_bytes })),
  };
  await objects.write(objectKeys.indexManifest(datasetId), JSON.stringify(manifest), 'application/json');
  // The dataset may have been erased meanwhile, possibly before the manifest existed.
  if ((await ports.datasets.find(datasetId)) === null) {
    await removeBelow(objects, objectKeys.index(datasetId));
    return { status: 'superseded' };
  }
  if (stored !== null && stored.build_id !== buildId) {
    await removeBelow(objects, objectKeys.indexBuild(datasetId, stored.build_id)).catch(ports.onFailure);
  }
  return { status: 'built' };
}

async function readShards(
  objects: Pick<ObjectStore, 'read'>,
  { dataset_id: datasetId, run_id: buildId }: RunContext,
  count: number,
): Promise<BuiltShard[]> {
  const shards: BuiltShard[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => first + at);
    shards.push(
      ...(await Promise.all(
        numbers.map((n) => readJson(objects, objectKeys.indexShard(datasetId, buildId, n), BuiltShard)),
      )),
    );
  }
  const models = new Set(shards.map(({ embedding }) => JSON.stringify(embedding)));
  if (models.size > 1) {
    throw new ServiceError('run_interrupted', 'The embedding model of the installation changed meanwhile.');
  }
  return shards;
}

async function removeBelow(objects: Pick<ObjectStore, 'list' | 'remove'>, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const key of objects.list(prefix)) keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
}
