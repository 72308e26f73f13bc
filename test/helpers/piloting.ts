import { handler as create } from '#functions/api/datasets/pilots/create.ts';
import { handler as get } from '#functions/api/datasets/pilots/get.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { PilotRequestObject } from '#shared/pilots/decide/request-object.ts';
import type { Pilot } from '#shared/pilots/schema/pilot.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { RowScore, SampledRow } from '#shared/runs/schema/row-score.ts';
import { BatchPlan, type RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { advancePilot, endPilot } from '#test/helpers/operations.ts';
import { linesOf, writeResults, writeRows } from './active-run.ts';
import { NOW, seedDataset, seedTeam } from './records.ts';
import type { World } from './world.ts';

export const MAPPING = { prompt: 'question', completion: 'answer' };
export const COLUMNS = [
  { name: 'note', type: 'BIGINT' },
  { name: 'question', type: 'VARCHAR' },
  { name: 'answer', type: 'VARCHAR' },
];

export interface Piloted {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
}

/** A dataset of questions and answers that no check finds fault with. */
export async function seedQuestions(world: World, rows = 60, credits = 1000): Promise<Piloted> {
  const caller = await seedTeam(world.store, credits);
  const dataset = await seedDataset(world.store, caller, { row_count: rows, columns: COLUMNS });
  const lines = Array.from({ length: rows }, (_, row) =>
    JSON.stringify({
      note: row,
      question: `What is town number ${row} of the valley known for?`,
      answer: `Town number ${row} of the valley is known for its old mill and for the market beside the river.`,
    }),
  );
  await writeRows(world, dataset.dataset_id, lines, 25);
  return { caller, dataset };
}

export async function startPilot(
  world: World,
  { caller, dataset }: Piloted,
  body: object = {},
): Promise<RunContext> {
  const response = await world.call(create, {
    as: caller,
    params: { dataset_id: dataset.dataset_id },
    body: { column_mapping: MAPPING, ...body },
  });
  if (response.status !== 202) throw new Error(`The pilot was refused: ${response.problem.message}`);
  return {
    run_id: response.body.pilot_id ?? '',
    dataset_id: dataset.dataset_id,
    team_id: caller.team_id,
  };
}

/** How the answers of an arm end, so that a judge of the test knows them. */
export const SIGNATURES: readonly string[] = ['', 'People like it.', 'Many come by.', 'It is a fine place.'];

/** What the workers of a pilot do in a test. */
export interface PilotWorkers {
  /** The result of a row of the sample by an arm; null leaves the row undone. */
  readonly adapt: (arm: number, row: number) => Pick<RunResult, 'outcome'> & Partial<RunResult>;
  /** The winner of a comparison with the original. */
  readonly judge?: (row: SampledRow) => 'before' | 'after' | null;
}

/** Runs the steps of a pilot as the state machine does, with workers of the test; returns the steps that had work. */
export async function runPilot(
  world: World,
  context: RunContext,
  workers: PilotWorkers,
  until = Number.POSITIVE_INFINITY,
  from = 0,
): Promise<{ worker: string; lines: number }[]> {
  const worked: { worker: string; lines: number }[] = [];
  for (let step = from; step < until; step += 1) {
    const { worker, plan_key, chunk_count } = await world.use(advancePilot)({ ...context, step });
    if (worker === 'none') return worked;
    const plan = chunk_count === 0 ? [] : linesOf(world.objects.text(plan_key));
    if (plan.length > 0) worked.push({ worker, lines: plan.length });
    for (const line of plan) {
      const value: unknown = JSON.parse(line);
      if (worker === 'adapt') await adapt(world, BatchPlan.parse(value), workers);
      else await score(world, ScorePlan.parse(value), workers);
    }
  }
  return worked;
}

const armOf = (requestKey: string | undefined): number => Number(/arms\/(\d+)\//.exec(requestKey ?? '')?.[1]);

async function adapt(world: World, batch: BatchPlan, { adapt: adaptRow }: PilotWorkers): Promise<void> {
  const arm = armOf(batch.request_key);
  const sample = linesOf(world.objects.text(batch.chunk_key));
  const results = Array.from({ length: batch.row_count }, (_, place): RunResult => {
    const row = batch.first_row + place;
    const { question, answer } = JSON.parse(sample[row] ?? '{}');
    const result = adaptRow(arm, row);
    const isKept = result.outcome !== 'changed';
    return {
      row,
      cells: {
        enhanced_prompt: question,
        enhanced_completion: isKept ? answer : `${answer} ${SIGNATURES[arm]}`,
      },
      ...(isKept ? { reason: { code: 'sound', message: 'Nothing is wrong.' } } : {}),
      tokens: { input: 10, output: 5 },
      calls: 1,
      seconds: 2,
      ...result,
    };
  });
  await writeResults(world, objectKeys.result(batch.run_id, batch.n), results);
}

async function score(world: World, plan: ScorePlan, { judge }: PilotWorkers): Promise<void> {
  const rows = linesOf(world.objects.text(plan.sample_key)).map((line) => SampledRow.parse(JSON.parse(line)));
  const scores = rows.map(
    (row, place): RowScore => ({
      row: plan.first_row + place,
      dataset_row: row.dataset_row,
      before: null,
      after: null,
      ...(row.checks === undefined ? {} : { checks: row.checks }),
      ...(row.before === null || row.before === row.after || judge === undefined
        ? {}
        : {
            comparison: {
              winner: judge(row),
              by: 'judge' as const,
              characters: { before: row.before.length, after: row.after.length },
            },
          }),
    }),
  );
  const body = scores.map((each) => `${JSON.stringify(RowScore.parse(each))}\n`).join('');
  await world.objects.write(objectKeys.evaluationScores(plan.run_id, plan.n), body, 'application/jsonl');
}

export async function endPilotNow(world: World, context: RunContext, error: ErrorData | null = null) {
  return world.use(endPilot)(context, error, NOW);
}

export async function readPilot(world: World, { caller }: Piloted, context: RunContext): Promise<Pilot> {
  const { body } = await world.call(get, {
    as: caller,
    params: { dataset_id: context.dataset_id, pilot_id: context.run_id },
  });
  return body;
}

export function requestOf(world: World, { run_id }: RunContext): PilotRequestObject {
  return PilotRequestObject.parse(JSON.parse(world.objects.text(objectKeys.runRequest(run_id))));
}
