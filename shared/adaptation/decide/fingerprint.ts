import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { canonicalJson, sha256Hex } from '#shared/platform/canonical-json.ts';

/** Changes whenever the rows or the columns of a dataset do. */
export function fingerprintOf({
  manifest_key,
  row_count,
  columns,
}: Pick<DatasetRecord, 'manifest_key' | 'row_count' | 'columns'>): string {
  return sha256Hex(canonicalJson({ manifest_key, row_count, columns }));
}
