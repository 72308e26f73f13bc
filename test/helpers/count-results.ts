import { RunResult } from '#shared/runs/schema/run-result.ts';
import type { RowObjects } from '#test/helpers/row-objects.ts';

/** The results that a batch has written. */
export function resultsIn({ contents }: Pick<RowObjects, 'contents'>, key = 'results/0.jsonl'): RunResult[] {
  const lines = (contents.get(key) ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => RunResult.parse(JSON.parse(line)));
}

/** The number of results, of their calls, and of those with each outcome. */
export function countResults(results: readonly RunResult[]) {
  const counts = {
    total: results.length,
    changed: 0,
    kept: 0,
    failed: 0,
    dropped: 0,
    not_selected: 0,
    calls: 0,
  };
  for (const { outcome, calls } of results) {
    counts[outcome] += 1;
    counts.calls += calls;
  }
  return counts;
}
