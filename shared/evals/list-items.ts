import { pageOf } from '#shared/openai/decide/page.ts';
import { PAGE_BYTES_MAX } from '#shared/openai/read-page.ts';
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

/** The output items of a block of rows; none where it is not done. */
export const readBlock = (
  objects: Pick<ObjectStore, 'read'>,
  { team_id, run_id }: EvalRunRecord,
  n: number,
): Promise<OutputItem[]> => readJsonLines(objects, objectKeys.evalItems(team_id, run_id, n), OutputItem);

/** Letters of the object that finds the items of a status without a look at the others. */
const LETTERS = { pass: 'p', fail: 'f', error: 'e' } as const;

/** Keeps the statuses of the output items of a run, from the first row on. */
export async function writeStatuses(
  objects: Pick<ObjectStore, 'write'>,
  { team_id, run_id }: Pick<EvalRunRecord, 'team_id' | 'run_id'>,
  items: readonly Pick<OutputItem, 'status'>[],
): Promise<void> {
  const letters = items.map(({ status }) => LETTERS[status]).join('');
  await objects.write(objectKeys.evalStatuses(team_id, run_id), letters, 'text/plain');
}

/** The blocks with items of a status, in order; null of a run that keeps none. */
async function blocksWith(
  objects: Pick<ObjectStore, 'read'>,
  { team_id, run_id }: EvalRunRecord,
  status: OutputItem['status'],
): Promise<number[] | null> {
  const kept = await objects.read(objectKeys.evalStatuses(team_id, run_id));
  if (kept === null) return null;
  const blocks = new Set<number>();
  for (const [row, letter] of [...kept.toString('latin1')].entries())
    if (letter === LETTERS[status]) blocks.add(Math.floor(row / BLOCK_ROWS));
  return [...blocks];
}

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
  const step = order === 'asc' ? 1 : -1;
  const all = [...Array(Math.ceil(run.result_counts.total / BLOCK_ROWS)).keys()];
  const some = (status === undefined ? null : await blocksWith(objects, run, status)) ?? all;
  const blocks = some.filter((n) => from === null || (n - Math.floor(from / BLOCK_ROWS)) * step >= 0);
  const found: OutputItem[] = [];
  let bytes = 0;
  for (const n of step === 1 ? blocks : blocks.reverse()) {
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
