import type { EmbeddingClient } from '#shared/models/decide/port.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { assembleIndex, indexShard, type PlannedIndex, planIndex } from '#shared/responses/build-index.ts';
import { IndexCache } from '#shared/responses/index-cache.ts';
import { indexBuildId, type SearchDatasetsPorts } from '#shared/responses/search-datasets.ts';
import { IndexPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  linesOf,
  resultOf,
  startRun,
  writeResults,
} from './active-run.ts';
import { createFastClock } from './fast-clock.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

const DIMENSIONS = 24;
export const SEARCH_MODEL = 'a-search-embedder';

/** Texts lie in the directions of their words, whatever their order: a text that is another's is next to it. */
export function wordEmbedder(modelId = SEARCH_MODEL): EmbeddingClient & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    modelId,
    embedded,
    embed: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(DIMENSIONS);
        for (const word of text.toLowerCase().split(/\W+/)) {
          let hash = 7;
          for (const unit of word) hash = Math.imul(hash, 31) + unit.charCodeAt(0);
          for (let n = 0; n < DIMENSIONS; n += 1) {
            hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
            vector[n] = (vector[n] as number) + ((hash >>> 8) / 2 ** 23 - 1);
          }
        }
        const length = Math.hypot(...vector);
        return vector.map((value) => value / length);
      });
    },
  };
}

const asking = (embedder: EmbeddingClient | null) => ({
  embedder,
  callsMax: 2,
  outageSecondsMax: 10,
  clock: createFastClock(10),
  random: () => 0.5,
});

export const searchPorts = (
  { store, objects, executions }: World,
  { embedder = wordEmbedder() as EmbeddingClient | null, bytesMax = 1e9 } = {},
): SearchDatasetsPorts => ({
  ...asking(embedder),
  datasets: store.datasets,
  runs: store.runs,
  objects,
  executions,
  claims: store.claims,
  cache: new IndexCache(objects, bytesMax),
});

/** A dataset whose adaptation has succeeded, with these texts as its enhanced prompts and answers. */
export async function adapted(
  world: World,
  rows: readonly (readonly [prompt: string, answer: string])[],
  {
    dataset,
    dropped,
    selected,
  }: Pick<ActiveRunOptions, 'dataset'> & {
    readonly dropped?: readonly number[];
    /** How many of the first rows the run works on; all, if it is not given. */
    readonly selected?: number;
  } = {},
): Promise<ActiveRun> {
  const active = await startRun(world, { rows: rows.length, ...(dataset === undefined ? {} : { dataset }) });
  return finishWith(world, active, rows, dropped, selected);
}

/** Ends an adaptation with these texts as its enhanced prompts and answers. */
export async function finishWith(
  world: World,
  active: ActiveRun,
  rows: readonly (readonly [prompt: string, answer: string])[],
  droppedRows: readonly number[] = [],
  selected = rows.length,
): Promise<ActiveRun> {
  const dropped = new Set(droppedRows);
  for (const batch of active.batches) {
    const results = Array.from({ length: batch.row_count }, (_, place): RunResult => {
      const row = batch.first_row + place;
      const [prompt, answer] = rows[row] as (typeof rows)[number];
      if (dropped.has(row)) return resultOf(row, 'dropped');
      return { ...resultOf(row), cells: { enhanced_prompt: prompt, enhanced_completion: answer } };
    }).filter(({ row }) => row < selected);
    await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
  }
  await settle(world, active, dropped.size);
  return active;
}

/** Ends the run of a dataset. */
export async function settle(
  world: World,
  { run, dataset }: Pick<ActiveRun, 'run' | 'dataset'>,
  dropped = 0,
  failed = false,
  expanded = 0,
): Promise<void> {
  const total = dataset.row_count ?? 0;
  await world.endRun({
    dataset_id: run.dataset_id,
    run_id: run.run_id,
    error: failed ? { code: 'run_interrupted', message: 'm', level: 'error' } : null,
    billedCredits: run.reserved_credits,
    counts: {
      total,
      changed: total - dropped,
      kept: 0,
      dropped,
      failed: 0,
      not_selected: 0,
      expanded,
      expansion_failed: 0,
    },
    now: NOW,
  });
}

export const buildOf = ({ run, dataset }: Pick<ActiveRun, 'run' | 'dataset'>, attempt = 1): RunContext => ({
  run_id: indexBuildId(run.run_id, attempt),
  dataset_id: dataset.dataset_id,
  team_id: dataset.team_id,
});

export const plan = (world: World, context: RunContext): Promise<PlannedIndex> =>
  planIndex(
    {
      datasets: world.store.datasets,
      runs: world.store.runs,
      objects: world.objects,
      claims: world.store.claims,
      modelConcurrency: 4,
    },
    context,
  );

export async function work(
  world: World,
  planned: PlannedIndex,
  embedder: EmbeddingClient | null = wordEmbedder(),
): Promise<void> {
  for (const line of linesOf(world.objects.text(planned.plan_key))) {
    await indexShard(
      {
        ...asking(embedder),
        objects: world.objects,
        claims: world.store.claims,
        watch: { rowDone: () => {} },
      },
      IndexPlan.parse(JSON.parse(line)),
    );
  }
}

const FAILURE: ErrorData = { code: 'model_unavailable', message: 'm', level: 'error' };

export const finish = (
  { store, objects }: World,
  context: RunContext,
  planned: PlannedIndex | null,
  {
    error = planned === null ? FAILURE : null,
    onFailure = (failure: unknown): void => {
      throw failure;
    },
  } = {},
) =>
  assembleIndex(
    { datasets: store.datasets, runs: store.runs, claims: store.claims, objects, onFailure },
    context,
    planned,
    error,
    NOW,
  );

/** What the machine does where the end of a build has failed. */
export const discard = (world: World, context: RunContext, planned: PlannedIndex) =>
  finish(world, context, planned, { error: FAILURE });

/** What the machine does. */
export async function buildIndex(
  world: World,
  context: RunContext,
  embedder: EmbeddingClient | null = wordEmbedder(),
) {
  const planned = await plan(world, context);
  await work(world, planned, embedder);
  return finish(world, context, planned);
}
