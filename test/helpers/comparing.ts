import { handler as create } from '#functions/api/autoscientist/comparisons/create.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import {
  type Against,
  ComparePlan,
  type ExpandPlan,
  type RunContext,
} from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { assembleIteration, planComparison } from '#shared/training/compare-iteration.ts';
import { endTraining } from '#shared/training/end-training.ts';
import type { CreateComparisonRequest } from '#shared/training/schema/comparison.ts';
import type { TrainerReport, TrainingJob } from '#shared/training/schema/training-job.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  linesOf,
  resultOf,
  startRun,
  writeResults,
} from './active-run.ts';
import { calibrationOf } from './calibrations.ts';
import { deliverIteration, queueIteration } from './iterating.ts';
import { NOW } from './records.ts';
import { settle } from './searching.ts';
import type { World } from './world.ts';

/** A dataset whose adaptation has succeeded: every answer was bettered, if `result` says nothing else of its row. */
export async function seedComparable(
  world: World,
  options: ActiveRunOptions & {
    readonly result?: (row: number) => RunResult;
    /** Rows that the run adds in another language, of the first rows. */
    readonly added?: number;
  } = {},
): Promise<ActiveRun> {
  const { result = resultOf, added = 0, ...others } = options;
  const active = await startRun(world, { rows: 60, ...others });
  let dropped = 0;
  for (const batch of active.batches) {
    const results = Array.from({ length: batch.row_count }, (_, place) => result(batch.first_row + place));
    dropped += results.filter(({ outcome }) => outcome === 'dropped').length;
    await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
  }
  if (added > 0) await addRows(world, active, added);
  await settle(world, active, dropped, false, added);
  return active;
}

async function addRows(world: World, { context, run }: ActiveRun, added: number): Promise<void> {
  const write = (key: string, lines: readonly object[]): Promise<unknown> =>
    world.objects.write(key, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'application/jsonl');
  const rows = Array.from({ length: added }, (_, row) => row);
  const selection_key = `runs/${run.run_id}/selection.jsonl`;
  const n = 1000;
  const plan: ExpandPlan = { ...context, n, first_row: 0, row_count: added, batch: 0, selection_key };
  await write(objectKeys.expansionPlan(run.run_id), [plan]);
  await write(
    selection_key,
    rows.map((row) => ({ row, target: 0 })),
  );
  await write(
    objectKeys.result(run.run_id, n),
    rows.map((row) => resultOf(row)),
  );
}

export const askComparison = (
  world: World,
  { caller, dataset }: Pick<ActiveRun, 'caller' | 'dataset'>,
  body: Partial<CreateComparisonRequest> = {},
) => world.call(create, { as: caller, body: { dataset_id: dataset.dataset_id, ...body } });

/** Starts a comparison; answers what its tasks are given. */
export async function startComparison(
  world: World,
  active: ActiveRun,
  body: Partial<CreateComparisonRequest> = {},
): Promise<RunContext> {
  const { comparison_id } = (await askComparison(world, active, body)).body;
  return { ...active.context, run_id: comparison_id ?? '' };
}

export interface Trained {
  /** Rows that are held out on which the trained model finds the reference likelier than its base does. */
  readonly wins: number;
  readonly report?: Partial<TrainerReport>;
  /** The answer of the trained model; one without a defect, if omitted. */
  readonly answer?: (won: boolean, row: number) => string;
  /**
   * The verdict of a judge on a row that is held out, by its place: `undecided` for a kind that it is not believed for,
   * `lost` if its worker did not finish, null if it cannot be read. Without this it is believed for no kind of pair.
   */
  readonly judged?: (against: Against, place: number) => 'win' | 'loss' | 'tie' | 'undecided' | 'lost' | null;
  /** The judge of the installation: `judge` if it has verdicts, else none. */
  readonly judgeId?: string;
}

/** An answer that the checks find no defect in. */
export const soundAnswer = (won: boolean | null, row: number): string =>
  `Question ${row} has ${won === null ? 'a plain' : won ? 'a better' : 'a worse'} answer, which is this sentence.`;

/** One iteration, by a trainer that leaves this. */
export async function iterateComparison(
  world: World,
  context: RunContext,
  { wins, report = {}, judged, answer = soundAnswer, judgeId: installed }: Trained,
): Promise<{ readonly job: TrainingJob; readonly goesOn: boolean }> {
  const ports = { ...world.store, objects: world.objects };
  const judgeId = installed ?? (judged === undefined ? null : 'judge');
  const job = await queueIteration(world, context);
  const { iteration, attempt } = job;
  await deliverIteration(world, job, wins, report, (won, row) => ({
    base: soundAnswer(null, row),
    tuned: answer(won, row),
  }));
  const { plan_key: key } = await planComparison(
    {
      ...ports,
      calibrations: { findCalibration: async () => (judged === undefined ? null : calibrationOf('judge')) },
      judgeId,
      modelConcurrency: 2,
    },
    { ...context, iteration, attempt },
  );
  for (const line of key === null ? [] : linesOf(world.objects.text(key))) {
    const { n, against, first_row, sample_key } = ComparePlan.parse(JSON.parse(line));
    const verdicts = linesOf(world.objects.text(sample_key)).map((answer, at) => ({
      row: first_row + at,
      dataset_row: JSON.parse(answer).row as number,
      verdict: judged?.(against, first_row + at) ?? null,
    }));
    if (verdicts.some(({ verdict }) => verdict === 'lost')) continue;
    const body = verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join('');
    await world.objects.write(objectKeys.comparisonVerdicts(context.run_id, iteration, n), body, 'x');
  }
  const { goes_on } = await assembleIteration(
    { ...ports, judgeId },
    { ...context, iteration, attempt },
    null,
  );
  return { job, goesOn: goes_on };
}

export const finishComparison = (
  world: World,
  context: RunContext,
  error: Parameters<typeof endTraining>[2] = null,
) => endTraining({ ...world.store, objects: world.objects, endRun: world.endRun }, context, error, NOW);
