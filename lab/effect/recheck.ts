import { checkAnswer } from './check-answer.ts';
import { datasetsOf } from './load-rows.ts';
import { readDataset, seeRow } from './program.ts';
import { inputHash, type LabResult } from './result.ts';
import type { LabRow } from './row.ts';

/**
 * Checks existing results with the current checkers: a fixed checker needs no new run. Results of the service's own
 * checks are kept if stored, because they belong to the run; else they are computed now.
 * @param all the rows of the half, because learning uses the whole dataset
 */
export async function recheck(
  all: readonly LabRow[],
  wanted: readonly LabRow[],
  held: ReadonlyMap<string, LabResult>,
): Promise<Map<string, LabResult>> {
  const isWanted = new Set(wanted.map(({ id }) => id));
  const checked = new Map<string, LabResult>();
  for (const members of datasetsOf(all).values()) {
    const reading = await readDataset(members);
    await Promise.all(
      members.map(async (row) => {
        const result = held.get(row.id);
        if (!isWanted.has(row.id) || result === undefined || result.input_hash !== inputHash(row)) return;
        const [before, after] = await Promise.all([
          checkAnswer(row.check, result.original),
          checkAnswer(row.check, result.adapted),
        ]);
        checked.set(row.id, {
          ...result,
          ...(result.checks === undefined ? seeRow(row, result, reading) : {}),
          before_ok: before.ok,
          after_ok: after.ok,
          why: after.why,
        });
      }),
    );
  }
  // In row order, whatever the order of completion.
  return new Map(
    wanted.flatMap(({ id }) => {
      const result = checked.get(id);
      return result === undefined ? [] : [[id, result] as const];
    }),
  );
}
