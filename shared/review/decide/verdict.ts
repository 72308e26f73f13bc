import * as z from 'zod';
import { sha256Hex } from '#shared/platform/canonical-json.ts';
import { Doubter } from '#shared/runs/schema/doubt.ts';

/** What one reviewer says of one row, as stored. */
export const VerdictRecord = z.object({
  dataset_id: z.string(),
  row: z.int().min(0),
  reviewer: z.string(),
  verdict: z.enum(['right', 'wrong', 'mended']),
  /** Hash of what the reviewer saw. */
  content_hash: z.string(),
  /** Of a mended row: the hash of the row with its new text, and the item that has the text. */
  mended_hash: z.string().optional(),
  text_id: z.string().optional(),
  /** Bytes of that text in UTF-8. */
  mended_bytes: z.int().min(0).optional(),
  /** Names the rows that the reviewer saw, which are as they were while this is that of the delivered ones. */
  seen_in: z.string(),
  version: z.int().min(1),
  /**
   * Why the row was looked at: for its doubt, because it was drawn at random, or because its reviewer chose it, as those
   * do who accept the same edit of many rows.
   */
  drawn_as: z.enum(['doubtful', 'audit', 'chosen']),
  /** How many rows the dataset had: those that came since were not there to be drawn. Absent in verdicts of earlier releases. */
  rows: z.int().min(0).optional(),
  /** Whether the reviewer saw what a review has made of a row that was wrong when it was drawn; absent for no. */
  was_wrong: z.boolean().optional(),
  /** Who doubted what the reviewer saw, for what, and how probably it was wrong; absent where nobody did. */
  doubted: z
    .object({ witness: Doubter, kind: z.string().nullable(), probability: z.number().min(0).max(1) })
    .optional(),
  /** Who sent it. */
  user_id: z.string(),
  recorded_at: z.iso.datetime(),
});
export type VerdictRecord = z.infer<typeof VerdictRecord>;

/** The place of a verdict among those of a dataset. */
export type VerdictPlace = Pick<VerdictRecord, 'row' | 'reviewer'>;

/** Stores what reviewers say of the rows of datasets. Each reviewer has one verdict about a row. */
export interface VerdictRepository {
  /** All verdicts of a dataset, by row and reviewer. Consistent read. */
  list(datasetId: string): Promise<VerdictRecord[]>;
  /** A page of them, after a place. */
  page(
    datasetId: string,
    page: { readonly after: VerdictPlace | null; readonly limit: number },
  ): Promise<{ verdicts: VerdictRecord[]; next: VerdictPlace | null }>;
  /** The mended texts by the ids of their items. */
  readTexts(datasetId: string, textIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Records verdicts, each in place of the one that its reviewer had of the row. Texts are there before the verdicts that
   * name them. What others record at the same time is not touched.
   */
  record(
    datasetId: string,
    verdicts: readonly { readonly record: VerdictRecord; readonly completion: string | null }[],
  ): Promise<void>;
  /** Takes verdicts back; those that are not there are ignored. */
  withdraw(datasetId: string, places: readonly VerdictPlace[]): Promise<void>;
  /** Removes texts that no verdict names any more. */
  removeTexts(datasetId: string, textIds: readonly string[]): Promise<void>;
  /** Erases every verdict and text of a dataset; safe to repeat. */
  erase(datasetId: string): Promise<number>;
}

/** Hash of what a reviewer sees of a row: 32 hexadecimal digits. */
export function contentHash({
  prompt,
  completion,
}: {
  readonly prompt: string | null;
  readonly completion: string | null;
}): string {
  return sha256Hex(JSON.stringify([prompt, completion])).slice(0, 32);
}
