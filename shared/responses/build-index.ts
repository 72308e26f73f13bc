import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type * as z from 'zod';
import { deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { deliveredRows } from '#shared/exports/build-export.ts';
import { deliveredRowCount, openSource } from '#shared/growth/combine-rows.ts';
import { readVectorShard, writeVectorShard } from '#shared/growth/decide/pool/vector-shard.ts';
import { type EmbedTextsPorts, embeddedPart, embedTexts } from '#shared/models/embed-texts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson, readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { WorkerWatch } from '#shared/runs/decide/worker-watch.ts';
import type { IndexPlan, KnownVectors, RunContext } from '#shared/runs/schema/run-context.ts';
import { joinRows } from '#shared/tabular/decide/join-rows.ts';
import {
  INDEX_SHARD_ROWS,
  IndexedText,
  IndexManifest,
  IndexShard,
  searchedRun,
} from './decide/retrieval/index-manifest.ts';
import { paidRows } from './decide/retrieval/paid-rows.ts';
import { rowText, textColumns } from './decide/retrieval/row-text.ts';
import { TextPlaces } from './decide/retrieval/text-places.ts';
import { writeWordShard } from './decide/retrieval/word-shard.ts';
import { readIndexManifest } from './index-cache.ts';

export interface PlanIndexPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find' | 'listOfDataset'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly claims: Pick<Claims, 'take'>;
  readonly modelConcurrency: number;
}

/** The claim of the build of a dataset's search index: one at a time. */
export const claimOfSearchIndex = (datasetId: string): string => `search index of ${datasetId}`;

/** Seconds that a build holds its claim without a sign of life: twice the timeout of its tasks, which renew it. */
const CLAIM_SECONDS = 1800;

export interface PlannedIndex {
  readonly plan_key: string;
  readonly results_prefix: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
  /** The run whose rows are indexed; null if another build of the dataset is running, and this one has nothing to do. */
  readonly rows_of: string | null;
  readonly row_count: number;
}

/**
 * Writes the texts of a dataset's download, shard by shard, and says which of their vectors the index before has. Holds one
 * shard, and a number for each row of that index. Plans nothing while another build of the dataset is running. Idempotent.
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
  const planKey = objectKeys.indexPlan(datasetId, buildId);
  const planned = {
    plan_key: planKey,
    results_prefix: objectKeys.indexMap(datasetId, buildId),
    max_concurrency: workforceOf(ports.modelConcurrency).workers,
  };
  if (!(await ports.claims.take(claimOfSearchIndex(datasetId), CLAIM_SECONDS, buildId))) {
    return { ...planned, chunk_count: 0, rows_of: null, row_count: 0 };
  }
  const earlier = await readEarlierTexts(objects, datasetId);
  const source = await openSource(ports, context, { dataset_id: datasetId, run_id: deliveredRunId(dataset) });
  const wanted = textColumns(source.shape, dataset);
  const columns = source.shape.columns.filter(({ name }) => wanted.includes(name));

  const plan: IndexPlan[] = [];
  let shard: IndexedText[] = [];
  const store = async (): Promise<void> => {
    const n = plan.length;
    await writeLines(objects, objectKeys.indexTexts(datasetId, buildId, n), shard);
    plan.push({ ...context, n, known: earlier?.find(shard) ?? null });
    shard = [];
  };
  const runs = await ports.runs.listOfDataset(datasetId);
  const expected = deliveredRowCount(source.manifest.row_count, source.run);
  let left = paidRows(runs);
  // What was paid for stands behind the rows of its source.
  const from = runs.some((run) => kindOf(run).makes === 'grown_rows') ? Math.max(0, expected - left) : 0;
  let row = 0;
  const delivered = deliveredRows(objects, source.manifest, source.run);
  // Rows that the run did not pay for are not embedded: a run of one row would have a whole upload embedded.
  const isPartial = delivered.results !== undefined && delivered.withoutResult === 'keep';
  const paid = isPartial ? { ...delivered, withoutResult: 'blank' as const } : delivered;
  for await (const block of joinRows({ columns, ...paid })) {
    // A block contains complete lines.
    for (const line of block.toString('utf8', 0, block.length - 1).split('\n')) {
      const text = line === '' ? '' : rowText(line, wanted);
      if (text !== '' && row >= from && left > 0) {
        shard.push({ row, text });
        left -= 1;
      }
      row += 1;
      if (shard.length === INDEX_SHARD_ROWS) await store();
    }
  }
  if (shard.length > 0) await store();
  if (row !== expected) {
    throw new ServiceError('run_interrupted', `The dataset gave ${row} of its ${expected} rows.`);
  }

  await writeLines(objects, planKey, plan);
  return { ...planned, chunk_count: plan.length, rows_of: rowsOf, row_count: row };
}

/** Finds the rows of a shard whose vectors the index of the dataset has; null without such an index. */
async function readEarlierTexts(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
): Promise<{ find: (shard: readonly IndexedText[]) => IndexPlan['known'] } | null> {
  const manifest = await readIndexManifest(objects, datasetId);
  if (manifest === null || manifest.embedding === null) return null;
  const { build_id, shards } = manifest;
  const firsts: number[] = [];
  const places = new TextPlaces(shards.reduce((sum, { rows }) => sum + rows, 0));
  let place = 0;
  for (const { n, rows } of shards) {
    firsts.push(place);
    const texts = await readJsonLines(objects, objectKeys.indexTexts(datasetId, build_id, n), IndexedText);
    for (const [line, { text }] of texts.entries()) places.add(embeddedPart(text), place + line);
    place += rows;
  }
  const find = (rows: readonly IndexedText[]): IndexPlan['known'] => {
    const vectors: KnownVectors[] = [];
    for (const [at, { text }] of rows.entries()) {
      const found = places.placeOf(embeddedPart(text));
      if (found === null) continue;
      const shard = firsts.findLastIndex((first) => first <= found);
      const line = found - (firsts[shard] as number);
      const last = vectors.at(-1);
      const follows = last?.shard === shard && last.at + last.count === at && last.line + last.count === line;
      if (last !== undefined && follows) vectors[vectors.length - 1] = { ...last, count: last.count + 1 };
      else vectors.push({ at, shard, line, count: 1 });
    }
    return vectors.length === 0 ? null : { build_id, vectors };
  };
  return { find };
}

/** A worker's report on its shard. */
const BuiltShard = IndexShard.extend({ embedding: IndexManifest.shape.embedding });
type BuiltShard = z.infer<typeof BuiltShard>;

export interface IndexShardPorts extends EmbedTextsPorts {
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write'>;
  readonly claims: Pick<Claims, 'take'>;
  /** Called for each row added to the index. */
  readonly watch: Pick<WorkerWatch, 'rowDone'>;
}

/**
 * Computes the words of a shard's rows, and their vectors if the installation has an embedding model, which is asked for
 * those that the index before does not have. An existing shard stays unchanged.
 * @throws {ServiceError} `model_unavailable`
 */
export async function indexShard(
  ports: IndexShardPorts,
  { dataset_id: datasetId, run_id: buildId, n, known }: IndexPlan,
): Promise<{ status: 'finished' }> {
  const { objects } = ports;
  await ports.claims.take(claimOfSearchIndex(datasetId), CLAIM_SECONDS, buildId);
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
    const model = ports.embedder.modelId;
    const vectors = await vectorsOf(ports, texts, await readKnown(objects, datasetId, model, known));
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

/** Vectors of the same model that the index before has, by their places. Of what was lost there are none. */
async function readKnown(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  model: string,
  known: IndexPlan['known'],
): Promise<Map<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  if (known === null) return found;
  for (const n of new Set(known.vectors.map(({ shard }) => shard))) {
    const body = await objects.read(objectKeys.indexVectors(datasetId, known.build_id, n));
    if (body === null) continue;
    const shard = readVectorShard(body);
    if (shard.model !== model) return new Map();
    for (const { at, line, count } of known.vectors.filter((each) => each.shard === n)) {
      for (let each = 0; each < count; each += 1) {
        const from = (line + each) * shard.dimensions;
        // A copy: a view would keep the whole shard in memory.
        found.set(at + each, shard.vectors.slice(from, from + shard.dimensions));
      }
    }
  }
  return found;
}

/** The vectors of texts. The model is asked for those that are not known, once for each beginning. */
async function vectorsOf(
  ports: EmbedTextsPorts,
  texts: readonly string[],
  known: ReadonlyMap<number, Float32Array>,
): Promise<Float32Array[]> {
  const asked = [...new Set(texts.filter((_, at) => !known.has(at)).map(embeddedPart))];
  const { vectors } = await embedTexts(ports, asked);
  const byText = new Map(asked.map((text, at) => [text, vectors[at] as Float32Array]));
  return texts.map((text, at) => known.get(at) ?? (byText.get(embeddedPart(text)) as Float32Array));
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

export interface AssembleIndexPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly claims: Pick<Claims, 'release'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'list' | 'remove'>;
  /** Called if an earlier build could not be removed; it is deleted with the dataset. */
  readonly onFailure: (error: unknown) => void;
}

const AT_ONCE = 16;

/**
 * Makes the build the index of the dataset and deletes the objects of an earlier one. If the dataset has other rows now,
 * no search reads the build, but the next one takes its vectors from it. Deletes the build instead if it failed, or if the
 * dataset or the version is deleted. A build in the manifest stays as long as the dataset: it is complete, and searches
 * read it. Then another build of the dataset can run. Idempotent.
 * @throws if a shard is missing
 */
export async function assembleIndex(
  ports: AssembleIndexPorts,
  context: RunContext,
  plan: PlannedIndex | null,
  error: ErrorData | null,
  now: number,
): Promise<{ status: 'built' | 'superseded' | 'failed' }> {
  const ended = await makeIndex(ports, context, plan, error, now);
  await ports.claims.release(claimOfSearchIndex(context.dataset_id), context.run_id);
  return ended;
}

async function makeIndex(
  ports: AssembleIndexPorts,
  context: RunContext,
  plan: PlannedIndex | null,
  error: ErrorData | null,
  now: number,
): ReturnType<typeof assembleIndex> {
  const { objects } = ports;
  const { dataset_id: datasetId, run_id: buildId } = context;
  const own = objectKeys.indexBuild(datasetId, buildId);
  await removeBelow(objects, objectKeys.indexPlansOf(datasetId, buildId));
  const dataset = await ports.datasets.find(datasetId);
  const stored = await readIndexManifest(objects, datasetId);
  const rowsOf = plan?.rows_of ?? null;
  const newest = dataset === null ? null : searchedRun(dataset);
  // The rows may be those of a deleted version, and a build that took longer than its claim may come after a newer one.
  const isKept =
    dataset !== null &&
    (await hasRows(ports.runs, datasetId, rowsOf)) &&
    (rowsOf === newest || stored?.rows_of !== newest);
  if (plan === null || error !== null || rowsOf === null || !isKept) {
    if (dataset === null) await removeBelow(objects, objectKeys.index(datasetId));
    else if (stored?.build_id !== buildId) await removeBelow(objects, own);
    return { status: error === null ? 'superseded' : 'failed' };
  }

  const shards = await readShards(objects, context, plan.chunk_count);
  const embedding = shards[0]?.embedding ?? null;
  const manifest: IndexManifest = {
    version: 1,
    dataset_id: datasetId,
    rows_of: rowsOf,
    build_id: buildId,
    built_at: timestamp(now),
    row_count: plan.row_count,
    embedding,
    shards: shards.map(({ n, rows, word_bytes }) => ({ n, rows, word_bytes })),
  };
  await objects.write(objectKeys.indexManifest(datasetId), JSON.stringify(manifest), 'application/json');
  // The dataset or the version may have been erased meanwhile, possibly before the manifest existed.
  const isErased = (await ports.datasets.find(datasetId)) === null;
  if (isErased || !(await hasRows(ports.runs, datasetId, rowsOf))) {
    await removeBelow(objects, objectKeys.index(datasetId));
    return { status: 'superseded' };
  }
  if (stored !== null && stored.build_id !== buildId) {
    await removeBelow(objects, objectKeys.indexBuild(datasetId, stored.build_id)).catch(ports.onFailure);
  }
  return { status: rowsOf === newest ? 'built' : 'superseded' };
}

/** Whether the rows of a run are there: its version may have been deleted. */
async function hasRows(
  runs: AssembleIndexPorts['runs'],
  datasetId: string,
  runId: string | null,
): Promise<boolean> {
  const run = runId === null ? null : await runs.find(datasetId, runId);
  return run !== null && run.results_deleted_at === undefined;
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
