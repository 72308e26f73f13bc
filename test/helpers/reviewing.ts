import { handler as review } from '#functions/api/datasets/review/list.ts';
import { handler as apply } from '#functions/api/datasets/verdicts/apply.ts';
import { handler as list } from '#functions/api/datasets/verdicts/list.ts';
import { handler as record } from '#functions/api/datasets/verdicts/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ApplyRequest, GivenVerdict } from '#shared/review/schema/verdict.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { linesOf, readPlan, writeResults } from './active-run.ts';
import { applyVerdicts, endReview } from './operations.ts';
import { NOW } from './records.ts';
import type { World } from './world.ts';

type OfDataset = { readonly dataset_id: string };

/** The requests of a reviewer of one dataset. */
export function reviewer(world: World, caller: Caller, { dataset_id }: OfDataset) {
  const call = { as: caller, params: { dataset_id } };
  const look = (limit = 50, as = caller) =>
    world.call(review, { ...call, as, query: { limit: String(limit) } });
  /** The hash of a row that is among those to be looked at. */
  const hashOf = async (row: number): Promise<string> => {
    const { body } = await look();
    const found = body.rows.find((each) => each.row === row);
    if (found === undefined) throw new Error(`Row ${row} is not to be looked at.`);
    return found.content_hash;
  };
  return {
    look,
    hashOf,
    say: (verdicts: readonly GivenVerdict[], as: string | undefined = undefined) =>
      world.call(record, { ...call, body: { verdicts, ...(as === undefined ? {} : { reviewer: as }) } }),
    apply: (body: ApplyRequest = {}, as = caller) => world.call(apply, { ...call, as, body }),
    list: (query: Record<string, string> = {}) => world.call(list, { ...call, query }),
  };
}

/** Leaves what witnesses say of the rows of a run, in its results and beside them. */
export async function leaveDoubts(
  world: World,
  { dataset_id, run_id }: OfDataset & { readonly run_id: string },
  rows: RunDoubts['rows'],
  shareWrong: number | null = 0.1,
): Promise<void> {
  const doubts: RunDoubts = {
    share_wrong: shareWrong,
    silent: shareWrong === null ? null : shareWrong / 2,
    row_count: 60,
    looked_at: { program: 0, execution: 0, neighbours: 60 },
    missing: [],
    not_looked_at: 0,
    not_listed: 0,
    rows,
    asked: null,
  };
  await world.objects.write(objectKeys.doubts(run_id), JSON.stringify(doubts), 'application/json');
  const doubtOf = new Map(rows.map(({ row, ...doubt }) => [row, doubt]));
  for (const { n } of readPlan(world, run_id)) {
    const key = objectKeys.result(run_id, n);
    const results = linesOf(world.objects.text(key)).map((line) => RunResult.parse(JSON.parse(line)));
    await writeResults(
      world,
      key,
      results.map((result) => {
        const doubt = doubtOf.get(result.row);
        return doubt === undefined ? result : { ...result, doubt };
      }),
    );
  }
  // It is built again from the results.
  await world.objects.remove([objectKeys.rowIndex(dataset_id, run_id)]);
}

/** A row that neighbours contradict. */
export const doubted = (row: number, probability: number, proposal?: string): RunDoubts['rows'][number] => ({
  row,
  probability,
  reasons: [
    { witness: 'neighbours', kind: 'label_contradicted', message: 'Rows like this one have another label.' },
  ],
  ...(proposal === undefined ? {} : { proposal }),
});

/** Does what the state machine of a review does. */
export async function runReview(world: World, datasetId: string, runId: string): Promise<void> {
  const run = await world.store.runs.find(datasetId, runId);
  if (run === null) throw new Error('The review was not launched.');
  const context = { run_id: runId, dataset_id: datasetId, team_id: run.team_id };
  const deadlineMs = Date.now() + 900_000;
  const { status } = await world.use(applyVerdicts)(context, { deadlineMs, now: NOW });
  if (status !== 'finished') throw new Error('The review is not finished.');
  await world.use(endReview)(context, null, NOW);
}
