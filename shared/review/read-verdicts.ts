import * as z from 'zod';
import { keyOfMapping } from '#shared/exports/decide/form-columns.ts';
import type { OpenTexts } from '#shared/exports/read-texts.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { CurrentHash } from './decide/judge-rows.ts';
import { contentHash, type VerdictRecord } from './decide/verdict.ts';

/** Rows after which what was read is remembered: of a request that ends before, the next goes on there. */
const ROWS_AT_ONCE = 5000;

/** The hashes of rows that a version has, by row. What it has never changes. */
const RowHashes = z.record(z.string(), z.string());

/**
 * Says what the delivered rows have, of rows with verdicts. A verdict on the rows that are delivered now has seen it. Rows of
 * verdicts on other versions are read once for each version, in their order, and remembered beside its row index as far as they
 * were read.
 */
export async function readCurrent(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  datasetId: string,
  texts: OpenTexts,
  verdicts: readonly VerdictRecord[],
): Promise<CurrentHash> {
  const hashes = new Map<number, string>();
  for (const { row, seen_in, content_hash } of verdicts) {
    if (seen_in === texts.key) hashes.set(row, content_hash);
  }
  const others = new Set(
    verdicts.map(({ row }) => row).filter((row) => !hashes.has(row) && texts.isDelivered(row)),
  );
  if (others.size > 0) {
    const key = objectKeys.rowHashes(datasetId, texts.version, keyOfMapping(texts.mapping));
    const known = (await findJson(objects, key, RowHashes)) ?? {};
    const missing: number[] = [];
    for (const row of others) {
      const hash = known[row];
      if (hash === undefined) missing.push(row);
      else hashes.set(row, hash);
    }
    for (let at = 0; at < missing.length; at += ROWS_AT_ONCE) {
      await texts.each(missing.slice(at, at + ROWS_AT_ONCE), (row, each) => {
        const hash = contentHash(each);
        hashes.set(row, hash);
        known[row] = hash;
      });
      await objects.write(key, JSON.stringify(known), 'application/json');
    }
  }
  return (row) => (texts.isDelivered(row) ? (hashes.get(row) ?? null) : null);
}
