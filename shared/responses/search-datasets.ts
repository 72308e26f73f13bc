import * as z from 'zod';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { datasetNotFound } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { type Hit, Nearest } from '#shared/growth/decide/pool/exact-search.ts';
import { type EmbedTextsPorts, embedTexts } from '#shared/models/embed-texts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { growsDataset } from '#shared/runs/decide/run-kinds.ts';
import { claimOfSearchIndex } from './build-index.ts';
import type { FoundRow } from './decide/dataset-search.ts';
import { fuseRanks, RANKS } from './decide/retrieval/fuse-ranks.ts';
import {
  IndexedText,
  type IndexManifest,
  isCurrent,
  searchedRun,
} from './decide/retrieval/index-manifest.ts';
import { paidRows } from './decide/retrieval/paid-rows.ts';
import { rankByWords } from './decide/retrieval/rank-by-words.ts';
import { termsOf } from './decide/retrieval/terms.ts';
import type { ShardMatches } from './decide/retrieval/word-shard.ts';
import { groupsOf, type IndexCache, IndexGone, type IndexGroup, readIndexManifest } from './index-cache.ts';
import type { SearchReply, SearchRequest } from './schema/dataset-search.ts';

export interface SearchDatasetsPorts extends EmbedTextsPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find' | 'listOfDataset'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'readRange'>;
  readonly executions: Pick<Executions, 'find' | 'start'>;
  readonly claims: Pick<Claims, 'isTaken'>;
  readonly cache: IndexCache;
}

interface SearchedDataset {
  readonly dataset: DatasetRecord;
  readonly manifest: IndexManifest;
}

/** The same with errors as data: they are part of the response. */
export async function answerSearch(ports: SearchDatasetsPorts, request: SearchRequest): Promise<SearchReply> {
  try {
    return { rows: await searchDatasets(ports, request), refusal: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, retryAfterSeconds = null } = error;
    return { rows: [], refusal: { code, message, retry_after_seconds: retryAfterSeconds } };
  }
}

/**
 * Finds the best rows for a query over all datasets as if they were one: exactly, by vectors and by words, with fused
 * rankings. Without a query it only checks whether a search would fail. A damaged index is rebuilt.
 * @throws {ServiceError} `dataset_not_found`, `dataset_not_adapted`, `index_not_ready`, `model_unavailable`
 */
export async function searchDatasets(
  ports: SearchDatasetsPorts,
  request: SearchRequest,
): Promise<FoundRow[]> {
  const { query, limit } = request;
  const ids = [...new Set(request.dataset_ids)];
  const embedding = query === null ? null : embedQuery(ports, query);
  // Errors of the checks come first.
  embedding?.catch(() => {});
  const searched = await requireIndexes(ports, request.team_id, ids);
  if (query === null) return [];
  const vector = (await embedding) ?? null;
  const terms = [...new Set(termsOf(query))];
  try {
    const { hits, placeOf } = await rank(ports, searched, vector, terms, limit);
    return await Promise.all(
      hits.map(async ({ row, score }) => {
        const place = placeOf(row);
        const { dataset_id, name: dataset_name } = place.of.dataset;
        return { dataset_id, dataset_name, ...(await readText(ports.objects, place)), score };
      }),
    );
  } catch (error) {
    if (error instanceof IndexGone) await rebuildLost(ports, searched, error.manifest);
    throw error;
  }
}

async function readText(
  objects: SearchDatasetsPorts['objects'],
  { of: { manifest }, n, from, to }: Place,
): Promise<IndexedText> {
  const key = objectKeys.indexTexts(manifest.dataset_id, manifest.build_id, n);
  try {
    const line = await objects.readRange(key, from, to);
    return IndexedText.parse(JSON.parse(line.toString('utf8')));
  } catch (error) {
    if ((await objects.head(key)) === null) throw new IndexGone(manifest);
    throw error;
  }
}

/**
 * Starts a build to replace a damaged one, unless there is a newer one.
 * @throws {ServiceError} `index_not_ready` if it does
 */
async function rebuildLost(
  ports: SearchDatasetsPorts,
  searched: readonly SearchedDataset[],
  { dataset_id, build_id }: IndexManifest,
): Promise<void> {
  const now = await readIndexManifest(ports.objects, dataset_id);
  const lost = searched.find(({ manifest }) => manifest.build_id === build_id);
  if (lost === undefined || now?.build_id !== build_id) return;
  await startBuild(ports, lost.dataset, lost.manifest.rows_of);
  throw beingBuilt(lost.dataset);
}

/** Null if the installation has no model for it. */
async function embedQuery(ports: SearchDatasetsPorts, query: string): Promise<Float32Array | null> {
  if (ports.embedder === null || query.trim() === '') return null;
  const { vectors } = await embedTexts(ports, [query]);
  return vectors[0] ?? null;
}

/** Maximum builds of an index that searches start, one after another has failed. */
const BUILDS_MAX = 5;
const SECONDS_UNTIL_READY = 15;

/** The execution that builds the index of a run's rows; the adaptation itself starts the first one. */
export const indexBuildId = (runId: string, attempt: number): string => `${runId}-index-${attempt}`;

async function requireIndexes(
  ports: SearchDatasetsPorts,
  teamId: string,
  ids: readonly string[],
): Promise<SearchedDataset[]> {
  const found = await Promise.allSettled(ids.map((id) => requireIndex(ports, teamId, id)));
  return found.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

async function requireIndex(
  ports: SearchDatasetsPorts,
  teamId: string,
  id: string,
): Promise<SearchedDataset> {
  // The id becomes part of keys before the dataset is looked up.
  if (!z.uuid().safeParse(id).success) throw datasetNotFound();
  const [dataset, manifest] = await Promise.all([
    ports.datasets.find(id),
    readIndexManifest(ports.objects, id),
  ]);
  if (dataset?.team_id !== teamId) throw datasetNotFound();
  const runId = searchedRun(dataset);
  if (runId === null) throw notAdapted(dataset);
  if (manifest !== null && isCurrent(manifest, runId, ports.embedder?.modelId ?? null)) {
    return { dataset, manifest };
  }
  const run = await ports.runs.find(id, runId);
  // What a run that grows a dataset has delivered can be searched also where it failed.
  if (run === null || (run.status !== 'succeeded' && !growsDataset(run))) throw notAdapted(dataset);
  // Most datasets were paid for by the run that is searched: the others are not read for each question.
  if (paidRows([run]) === 0 && paidRows(await ports.runs.listOfDataset(id)) === 0) throw notAdapted(dataset);
  await startBuild(ports, dataset, runId);
  throw beingBuilt(dataset);
}

function beingBuilt({ dataset_id }: DatasetRecord): ServiceError {
  return new ServiceError(
    'index_not_ready',
    `The search index of the dataset ${dataset_id} is being built. Try again in a moment.`,
    { retryAfterSeconds: SECONDS_UNTIL_READY },
  );
}

function notAdapted({ dataset_id }: DatasetRecord): ServiceError {
  return new ServiceError(
    'dataset_not_adapted',
    `The dataset ${dataset_id} has no adapted rows to search. Adapt it, and wait until it has succeeded.`,
  );
}

/** Starts a build unless one of the dataset is running, of whatever rows: the next search starts that of the newest ones. */
async function startBuild(
  { executions, claims }: Pick<SearchDatasetsPorts, 'executions' | 'claims'>,
  { dataset_id, team_id }: DatasetRecord,
  runId: string,
): Promise<void> {
  if (await claims.isTaken(claimOfSearchIndex(dataset_id))) return;
  for (let attempt = 1; attempt <= BUILDS_MAX; attempt += 1) {
    const buildId = indexBuildId(runId, attempt);
    const status = await executions.find('build-index', buildId);
    if (status === 'running') return;
    if (status === 'missing') {
      await executions.start('build-index', { run_id: buildId, dataset_id, team_id });
      return;
    }
  }
  throw new ServiceError(
    'service_unavailable',
    `The search index of the dataset ${dataset_id} could not be built in ${BUILDS_MAX} attempts. Ask your operator to check the executions of build-index.`,
    { retryAfterSeconds: 60 },
  );
}

interface Place {
  readonly of: SearchedDataset;
  /** Its shard. */
  readonly n: number;
  /** Byte range of its line in the object of its texts, inclusive. */
  readonly from: number;
  readonly to: number;
}

/** The best rows, numbered consecutively over the datasets, and the location of their texts. */
async function rank(
  ports: SearchDatasetsPorts,
  searched: readonly SearchedDataset[],
  vector: Float32Array | null,
  terms: readonly string[],
  limit: number,
): Promise<{ hits: Hit[]; placeOf: (row: number) => Place }> {
  const byVector = new Nearest(RANKS);
  const matches: ShardMatches[] = [];
  const shards: { readonly first: number; readonly n: number; readonly of: SearchedDataset }[] = [];
  const groups = searched.flatMap((of) =>
    groupsOf(of.manifest, vector !== null).map((group) => ({ of, group })),
  );
  let first = 0;
  const look = ({ of, group }: (typeof groups)[number], loaded: IndexGroup): void => {
    const { vectors, words } = loaded;
    if (vector !== null && vectors !== null) {
      for (const { row, score } of vectors.search([vector], RANKS)[0] ?? [])
        byVector.offer(first + row, score);
    }
    for (const [at, shard] of words.entries()) {
      const found = shard.match(terms);
      matches.push(found);
      shards.push({ first, n: group.firstShard + at, of });
      first += found.rows;
    }
  };
  await ports.cache.forEach(
    groups.map(({ group }) => group),
    (at, loaded) => look(groups[at] as (typeof groups)[number], loaded),
  );

  const byWords = rankByWords(matches, terms.length, RANKS);
  const hits = fuseRanks(vector === null ? [byWords] : [byVector.sorted(), byWords], limit);
  const placeOf = (row: number): Place => {
    const at = shards.findLastIndex((shard) => shard.first <= row);
    const { n, of, first: firstOfShard } = shards[at] as (typeof shards)[number];
    const ends = (matches[at] as ShardMatches).textEnds;
    const line = row - firstOfShard;
    return {
      of,
      n,
      from: line === 0 ? 0 : (ends[line - 1] as number),
      to: (ends[line] as number) - 1,
    };
  };
  return { hits, placeOf };
}
