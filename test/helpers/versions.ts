import { handler as append } from '#functions/api/datasets/rows/append.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DiffOf } from '#shared/exports/build-diff.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { buildDiff } from '#test/helpers/operations.ts';
import { type ActiveRun, finishRows, startRunOn } from './active-run.ts';
import { createFromFile, findDataset, landAppend } from './ingesting.ts';
import type { World } from './world.ts';

export const reload = (world: World, { dataset_id }: { dataset_id: string }): Promise<DatasetRecord> =>
  findDataset(world, dataset_id);

/** A dataset whose upload was read: its first version has so many rows of a question and an answer. */
export function ingestVersion(
  world: World,
  caller: Caller,
  rows: number,
  fields: Partial<DatasetRecord> = {},
): Promise<DatasetRecord> {
  const lines = Array.from({ length: rows }, (_, row) => `question ${row},answer ${row}\n`);
  return createFromFile(world, caller, `question,answer\n${lines.join('')}`, fields);
}

/** Adapts the rows of a dataset: the next version has these results. */
export async function adaptVersion(
  world: World,
  caller: Caller,
  dataset: { dataset_id: string },
  resultFor: (row: number) => RunResult | null,
  options: Parameters<typeof startRunOn>[3] & { readonly status?: 'succeeded' | 'failed' } = {},
): Promise<ActiveRun> {
  const started = await startRunOn(world, caller, await reload(world, dataset), options);
  return finishRows(world, started, resultFor, options.status);
}

/** Appends rows to a dataset, as its next version. */
export async function appendVersion(
  world: World,
  caller: Caller,
  { dataset_id }: { dataset_id: string },
  rows: readonly Record<string, string>[],
): Promise<string> {
  const { body } = await world.call(append, { as: caller, params: { dataset_id }, body: { rows } });
  await landAppend(world, dataset_id, body.append_id);
  return body.append_id ?? '';
}

/** The result of a row: its answer, unless another is given. */
export function answered(row: number, answer = `answer ${row}`): RunResult {
  const isChanged = answer !== `answer ${row}`;
  return {
    row,
    outcome: isChanged ? 'changed' : 'kept',
    ...(isChanged ? {} : { reason: { code: 'good_already', message: 'It is good.' } }),
    cells: { enhanced_prompt: `question ${row}`, enhanced_completion: answer },
    tokens: { input: 1, output: 1 },
    calls: 1,
  };
}

/** Makes the comparisons that were asked for. */
export async function makeDiffs(world: World): Promise<void> {
  for (const { functionId, payload } of world.invoked.splice(0)) {
    if (functionId !== 'tasks/exports/build-diff') continue;
    await world.use(buildDiff)(payload as DiffOf);
  }
}
