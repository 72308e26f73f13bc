import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import type { ActiveRun } from './active-run.ts';
import type { World } from './world.ts';

/** Leaves what a run has made of its first rows in Spanish, before it ends. */
export async function leaveExpansion(
  world: World,
  { batches, context, run: { run_id } }: ActiveRun,
  rows: number,
): Promise<void> {
  const n = batches.length;
  const key = objectKeys.expansionSelection(run_id, n);
  const plan: ExpandPlan = { ...context, n, first_row: 0, row_count: rows, batch: 0, selection_key: key };
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const write = (to: string, values: readonly object[]): Promise<unknown> =>
    world.objects.write(
      to,
      values.map((value) => `${JSON.stringify(value)}\n`).join(''),
      'application/jsonl',
    );
  await write(objectKeys.expansionPlan(run_id), [plan]);
  await write(
    key,
    numbers.map((row) => ({ row, target: 0 })),
  );
  await write(
    objectKeys.result(run_id, n),
    numbers.map((row) => ({
      row,
      source_row: row,
      target: 0,
      outcome: 'expanded',
      cells: { enhanced_prompt: '¿qué?', enhanced_completion: `así ${row}.`, expansion_language: 'es' },
      tokens: { input: 9, output: 9 },
      calls: 1,
    })),
  );
}
