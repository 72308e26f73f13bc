import * as z from 'zod';
import type { DatasetRecord } from '../datasets/record.ts';

/** Rows of one shard: what a worker embeds in a few minutes, also where the model is slow. */
export const INDEX_SHARD_ROWS = 2048;

/** A row as it is indexed: its place in the dataset's download, and what it is found by and read as. */
export const IndexedText = z.object({ row: z.int().min(0), text: z.string().min(1) });
export type IndexedText = z.infer<typeof IndexedText>;

export const IndexShard = z.object({
  n: z.int().min(0),
  rows: z.int().min(1),
  /** Of its words when they are unpacked. */
  word_bytes: z.int().min(1),
});
export type IndexShard = z.infer<typeof IndexShard>;

/** The manifest of a search index. It is written last, so that everything it names exists. */
export const IndexManifest = z.object({
  version: z.literal(1),
  dataset_id: z.string(),
  /** The run whose rows are indexed. */
  rows_of: z.string(),
  /** Its shards lie below this build's prefix. */
  build_id: z.string(),
  built_at: z.iso.datetime(),
  /** Rows of the download; those without text are in no shard. */
  row_count: z.int().min(0),
  /** The model whose vectors the shards hold, of unit length; null where there was none, and words are all. */
  embedding: z.object({ model: z.string(), dimensions: z.int().min(1) }).nullable(),
  shards: z.array(IndexShard),
});
export type IndexManifest = z.infer<typeof IndexManifest>;

/**
 * The run whose rows a search of the dataset is of: its latest adaptation, or the run that made it of others. While it is
 * adapted anew these are the rows that it still has. Null where no run has written rows, and where the latest one failed.
 */
export function searchedRun(
  dataset: Pick<DatasetRecord, 'state' | 'last_run_id' | 'made_by_run_id'>,
): string | null {
  if (dataset.state !== 'succeeded' && dataset.state !== 'running') return null;
  return dataset.last_run_id ?? dataset.made_by_run_id ?? null;
}

/**
 * Whether an index answers a search of a run's rows with the model that is configured now. One of another model has to be
 * built anew, since vectors of two models cannot be compared; without a model the words of any index serve.
 */
export function isCurrent(
  manifest: Pick<IndexManifest, 'rows_of' | 'embedding' | 'shards'>,
  runId: string,
  modelId: string | null,
): boolean {
  const { rows_of, embedding, shards } = manifest;
  return rows_of === runId && (modelId === null || shards.length === 0 || embedding?.model === modelId);
}
