import * as z from 'zod';
import { type DatasetRecord, deliveredRunId, hasResult } from '#shared/datasets/decide/record.ts';

/** Rows of one shard: a worker embeds them in a few minutes even with a slow model. */
export const INDEX_SHARD_ROWS = 2048;

/** An indexed row: its index in the dataset's download, and its searchable text. */
export const IndexedText = z.object({ row: z.int().min(0), text: z.string().min(1) });
export type IndexedText = z.infer<typeof IndexedText>;

export const IndexShard = z.object({
  n: z.int().min(0),
  rows: z.int().min(1),
  /** Uncompressed bytes of its words. */
  word_bytes: z.int().min(1),
});
export type IndexShard = z.infer<typeof IndexShard>;

/** The manifest of a search index. It is written last, so that everything it names exists. */
export const IndexManifest = z.object({
  version: z.literal(1),
  dataset_id: z.string(),
  /** The run whose rows are indexed. */
  rows_of: z.string(),
  /** Its shards have this build's prefix. */
  build_id: z.string(),
  built_at: z.iso.datetime(),
  /** Rows of the download; rows without text are in no shard. */
  row_count: z.int().min(0),
  /** The model of the shards' vectors, which have unit length; null if there was none, and the index has words only. */
  embedding: z.object({ model: z.string(), dimensions: z.int().min(1) }).nullable(),
  shards: z.array(IndexShard),
});
export type IndexManifest = z.infer<typeof IndexManifest>;

/**
 * The run whose rows a search covers: the latest successful adaptation, or the run that generated the dataset. During
 * another adaptation, and after its failure, these are still the dataset's rows. Null if no run has written rows.
 */
export function searchedRun(
  dataset: Pick<DatasetRecord, 'state' | 'result' | 'last_run_id' | 'made_by_run_id'>,
): string | null {
  if (!hasResult(dataset) && dataset.state !== 'running') return null;
  return deliveredRunId(dataset) ?? dataset.made_by_run_id ?? null;
}

/**
 * Whether an index can serve a search of a run's rows with the configured model. With another model it must be rebuilt,
 * because vectors of two models cannot be compared; without a model the words of any index suffice.
 */
export function isCurrent(
  manifest: Pick<IndexManifest, 'rows_of' | 'embedding' | 'shards'>,
  runId: string,
  modelId: string | null,
): boolean {
  const { rows_of, embedding, shards } = manifest;
  return rows_of === runId && (modelId === null || shards.length === 0 || embedding?.model === modelId);
}
