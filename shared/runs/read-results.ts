import { linesIn, readLines, writeNewLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

/**
 * Results of a batch by row: from its result object, or else from its checkpoints, which then become the result, be there any or
 * not: a worker that has not written its result by then can no longer, so that what is counted is what is delivered. An unreadable
 * line is ignored: its row counts as missing, and the run can still be ended.
 * @param parse returns null for an invalid result
 * @param complete is called with the results of checkpoints, in order; returns those that are written
 */
export async function readResults<T extends { readonly row: number }>(
  objects: Pick<ObjectStore, 'read' | 'writeNew' | 'list'>,
  { run_id: runId, n }: { readonly run_id: string; readonly n: number },
  parse: (value: unknown) => T | null,
  complete: (results: readonly T[]) => Promise<readonly T[]> = async (results) => results,
): Promise<Map<number, T>> {
  const resultKey = objectKeys.result(runId, n);
  const byRow = new Map<number, T>();
  const take = (lines: readonly string[]): void => {
    for (const line of lines) {
      const result = parseLine(line, parse);
      if (result !== null && !byRow.has(result.row)) byRow.set(result.row, result);
    }
  };
  const written = await objects.read(resultKey);
  if (written !== null) {
    take(linesIn(written));
    return byRow;
  }
  for await (const key of objects.list(objectKeys.checkpoints(runId, n))) {
    take(await readLines(objects, key));
  }
  const inOrder = [...byRow.values()].sort((a, b) => a.row - b.row);
  const results = inOrder.length === 0 ? [] : await complete(inOrder);
  if (await writeNewLines(objects, resultKey, results)) return byRow;
  // The worker, or another assembly, was first.
  byRow.clear();
  take(await readLines(objects, resultKey));
  return byRow;
}

function parseLine<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line));
  } catch {
    return null;
  }
}
