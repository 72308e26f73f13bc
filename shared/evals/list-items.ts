import { pageOf } from '#shared/openai/decide/page.ts';
import { PAGE_DEFAULT } from '#shared/openai/schema/page.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { fitItem } from './decide/fit-item.ts';
import { type EvalRunRecord, notFound, rowOfItem } from './decide/records.ts';
import { type ListOutputItemsQuery, OutputItem } from './schema/eval.ts';

/** Rows whose output items are one object. */
export const BLOCK_ROWS = 20;

/** Bytes of the items of a page: a function answers 6 MB. */
const PAGE_BYTES_MAX = 4_000_000;

/** The output items of a block of rows; none where it is not done. */
export const readBlock = (
  objects: Pick<ObjectStore, 'read'>,
  { team_id, run_id }: EvalRunRecord,
  n: number,
): Promise<OutputItem[]> => readJsonLines(objects, objectKeys.evalItems(team_id, run_id, n), OutputItem);

/**
 * A page of the output items of a run. It grows while the run goes on.
 * @throws {ServiceError} `invalid_request` where `after` is none of them
 */
export async function listItems(
  objects: Pick<ObjectStore, 'read'>,
  run: EvalRunRecord,
  { after, limit = PAGE_DEFAULT, order = 'asc', status }: ListOutputItemsQuery,
) {
  const from = after === undefined ? null : rowOfItem(run, after);
  if (after !== undefined && from === null)
    throw invalidField('query.after', 'is not an output item of this run');
  const { passed, failed, errored } = run.result_counts;
  const counts = { pass: passed, fail: failed, error: errored };
  // Blocks without such an item are not read one by one.
  if (status !== undefined && run.status === 'completed' && counts[status] === 0) return pageOf([], false);
  const step = order === 'asc' ? 1 : -1;
  const blocks = Math.ceil(run.result_counts.total / BLOCK_ROWS);
  const first = from === null ? (step === 1 ? 0 : blocks - 1) : Math.floor(from / BLOCK_ROWS);
  const found: OutputItem[] = [];
  let bytes = 0;
  for (let n = first; n >= 0 && n < blocks; n += step) {
    const block = await readBlock(objects, run, n);
    for (const item of step === 1 ? block : block.reverse()) {
      const { datasource_item_id: row } = item;
      if (from !== null && (row - from) * step <= 0) continue;
      if (status !== undefined && item.status !== status) continue;
      const shown = fitItem(item, PAGE_BYTES_MAX);
      bytes += Buffer.byteLength(JSON.stringify(shown));
      if (found.length === limit || (bytes > PAGE_BYTES_MAX && found.length > 0)) return pageOf(found, true);
      found.push(shown);
    }
  }
  return pageOf(found, false);
}

/** @throws {ServiceError} `eval_not_found` */
export async function requireItem(
  objects: Pick<ObjectStore, 'read'>,
  run: EvalRunRecord,
  id: string,
): Promise<OutputItem> {
  const row = rowOfItem(run, id);
  const block = row === null ? [] : await readBlock(objects, run, Math.floor(row / BLOCK_ROWS));
  const item = block.find((each) => each.datasource_item_id === row);
  if (item !== undefined) return fitItem(item, PAGE_BYTES_MAX);
  throw notFound('There is no output item with this id of this run. Check the id, or list those of the run.');
}
