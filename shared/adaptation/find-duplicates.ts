import * as z from 'zod';
import { type Duplicate, DuplicateIndex } from '#shared/answers/decide/deduplication/duplicate-index.ts';
import { readBlock } from '#shared/answers/decide/deduplication/signature-block.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { BatchPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { RowReason } from '#shared/runs/schema/run-result.ts';

/** Signature objects that are prefetched: reading one takes longer than comparing its rows. */
const READS_AHEAD = 16;

/** A line of `runs/<run_id>/duplicates/<n>.jsonl`: the rows of batch n that the run drops. */
const DroppedRow = z.object({ row: z.int().min(0), reason: RowReason });
type DroppedRow = z.infer<typeof DroppedRow>;

/**
 * Finds duplicate rows and writes them where the workers of their batches read them. Holds about 256 bytes a row and
 * no text. Idempotent.
 * @throws {ServiceError} `run_interrupted` if a chunk was not signed
 */
export async function findDuplicates(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  context: RunContext,
): Promise<{ duplicates: number }> {
  const { run_id: runId } = context;
  const chunks = await readJsonLines(objects, objectKeys.signaturePlan(runId), BatchPlan);
  const batches = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  const index = new DuplicateIndex(chunks.reduce((sum, chunk) => sum + rowsOf(chunk), 0));
  let duplicates = 0;
  let nextBatch = 0;
  const bodies = readAhead(chunks, (chunk) => objects.read(objectKeys.signatures(runId, chunk.n)));
  for await (const [chunk, body] of bodies) {
    if (body === null) {
      throw new ServiceError(
        'run_interrupted',
        `The rows from ${chunk.first_row} on could not be compared with the others. Start the run again.`,
      );
    }
    const dropped = dropRepeated(index, chunk, body);
    duplicates += dropped.length;
    const end = chunk.first_row + chunk.row_count;
    for (
      let batch = batches[nextBatch];
      batch !== undefined && batch.first_row < end;
      batch = batches[nextBatch]
    ) {
      const { n, first_row: first, row_count: count } = batch;
      const own = dropped.filter(({ row }) => row >= first && row < first + count);
      if (own.length > 0) await writeLines(objects, objectKeys.duplicates(runId, n), own);
      nextBatch += 1;
    }
  }
  return { duplicates };
}

/** The dropped rows of a batch, each with its reason. */
export async function readDuplicates(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  batch: number,
): Promise<ReadonlyMap<number, RowReason>> {
  const dropped = await readJsonLines(objects, objectKeys.duplicates(runId, batch), DroppedRow);
  return new Map(dropped.map(({ row, reason }) => [row, reason]));
}

function dropRepeated(index: DuplicateIndex, chunk: BatchPlan, body: Buffer): DroppedRow[] {
  const count = rowsOf(chunk);
  const block = readBlock(body, count);
  const dropped: DroppedRow[] = [];
  for (let n = 0; n < count; n += 1) {
    const row = chunk.first_row + (chunk.selected?.[n] ?? n);
    const duplicate = index.add(row, block.words, block.at(n));
    if (duplicate !== null) dropped.push({ row, reason: reasonOf(duplicate) });
  }
  return dropped;
}

function reasonOf({ similarTo, isExact, similarity }: Duplicate): RowReason {
  return isExact
    ? {
        code: 'duplicate_exact',
        message: `The row has the same prompt and context as row ${similarTo}, which is kept`,
        similar_to_row: similarTo,
      }
    : {
        code: 'duplicate_near',
        message: `The prompt and context of the row are nearly those of row ${similarTo}, which is kept (similarity ${similarity.toFixed(2)})`,
        similar_to_row: similarTo,
      };
}

const rowsOf = (chunk: BatchPlan): number => chunk.selected?.length ?? chunk.row_count;

/** Items with the result of `read` for each, in order, with a few concurrent reads. */
async function* readAhead<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
): AsyncGenerator<readonly [T, R]> {
  const pending: Promise<R>[] = [];
  for (let next = 0; next < items.length; next += 1) {
    while (pending.length < READS_AHEAD && next + pending.length < items.length) {
      const reading = read(items[next + pending.length] as T);
      // Awaited in its turn; this prevents an unhandled rejection until then.
      reading.catch(() => {});
      pending.push(reading);
    }
    yield [items[next] as T, (await pending.shift()) as R];
  }
}
