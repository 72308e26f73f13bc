import { readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

/**
 * Results of a batch by row: from its result object, or else from its checkpoints, which then become the result. An
 * unreadable line is ignored: its row counts as missing, and the run can still be ended.
 * @param parse returns null for an invalid result
 * @param complete is called with the results of checkpoints, in order; returns those that are written
 */
export async function readResults<T extends { readonly row: number }>(
  objects: Pick<ObjectStore, 'read' | 'write' | 'list'>,
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
  const lines = await readLines(objects, resultKey);
  if (lines.length > 0) {
    take(lines);
    return byRow;
  }
  for await (const key of objects.list(objectKeys.checkpoints(runId, n))) {
    take(await readLines(objects, key));
  }
  if (byRow.size > 0) {
    const inOrder = [...byRow.values()].sort((a, b) => a.row - b.row);
    await writeLines(objects, resultKey, await complete(inOrder));
  }
  return byRow;
}

function parseLine<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line));
  } catch {
    return null;
  }
}
