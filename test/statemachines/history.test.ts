import { expect, it } from 'vitest';
import * as z from 'zod';
import { BATCH_HOURS_MAX, BATCH_PASSES_MAX, secondsToWait } from '#shared/adaptation/decide/batch-jobs.ts';
import { ROUNDS_MAX } from '#shared/growth/decide/invent/selection.ts';
import { waitSeconds } from '#shared/ingest/land-rows.ts';
import { STEPS } from '#shared/pilots/decide/steps.ts';
import { secondsToPlace } from '#shared/runs/reading-places.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { CreateTrainingRequest } from '#shared/training/schema/training.ts';
import { expressionsIn, levelsOf, type Machine, reachableFrom, type State } from './definition.ts';

/** Events after which Step Functions ends an execution, whatever it was at. */
const EVENTS_MAX = 25_000;

const iterationsMax = (): number => {
  const schema = JSON.stringify(
    z.toJSONSchema(CreateTrainingRequest, { io: 'input', unrepresentable: 'any' }),
  );
  return Number(/"max_iterations":\{[^}]*"maximum":(\d+)/.exec(schema)?.[1]);
};

/** When an execution that waits as long as it may looks again, in seconds after its start. */
function looksOf(pipeline: string, secondsToNext: (waited: number) => number, from = 0): number[] {
  const seconds = pipelines.find(({ id }) => id === pipeline)?.timeoutSeconds ?? Number.NaN;
  const looks: number[] = [];
  for (let waited = from; waited < seconds; waited += secondsToNext(waited)) looks.push(waited);
  return looks;
}

/** How often an append looks for a place, and then whether its dataset is idle, in the time that both have together. */
const [placeLooks, idleLooks] = looksOf('ingest', secondsToPlace)
  .map((placed, n) => [n + 1, looksOf('ingest', waitSeconds, placed).length] as const)
  .reduce((most, each) => (each[0] + each[1] > most[0] + most[1] ? each : most));

/** How often a run looks at its batch jobs, in all passes and the time that they have together. */
function batchLooks(): number {
  const seconds = (BATCH_HOURS_MAX * 3600) / BATCH_PASSES_MAX;
  const job = { submitted_at: 0, cancelled_at: null, held_since: null, unreachable_since: null };
  let count = 1;
  for (let waited = 0; waited < seconds; count += 1) {
    waited += secondsToWait([{ ...job, is_recorded: false }], waited * 1000);
  }
  // A job that is cancelled at the end is looked at twice more.
  return count * BATCH_PASSES_MAX + 2;
}

/** How often loops are passed that a task ends, not a counter of the machine; by one of their states. */
const ENDED_BY_TASKS: Readonly<Record<string, number>> = {
  'batch-jobs: Advance Batch': batchLooks(),
  'import: Plan First Files': looksOf('import', secondsToPlace).length,
  'ingest: Plan Ingest': placeLooks,
  'ingest: Record Rows': idleLooks,
  'invent: Make Candidates': ROUNDS_MAX,
  'pilot: Advance Pilot': STEPS.length,
  // Each iteration has as many attempts as the machine's own counter allows.
  'train: Propose Hyperparams': iterationsMax() * 3,
};

/** Events of a state that is entered once, with every repetition that it may make. */
function eventsOf(state: State): number {
  const retries = (state.Retry ?? []).reduce((sum, { MaxAttempts }) => sum + Number(MaxAttempts), 0);
  // Entered, scheduled, started, submitted, succeeded and exited; a repetition is scheduled, started, submitted, failed.
  if (state.Type === 'Task') return 6 + 4 * retries;
  // Entered, map run started, map run succeeded, exited; the items are executions of their own.
  if (state.Type === 'Map') return 4 + 4 * retries;
  return 2;
}

/** The states from which a state is reached again, with it; just the state where there is no way back. */
function loopOf(machine: Machine, name: string): string[] {
  const others = [...reachableFrom(machine, name)].filter(
    (other) => other !== name && reachableFrom(machine, other).has(name),
  );
  return [name, ...others].sort();
}

/** The counter that a loop's own choice looks at before it goes on. */
function counterOf(machine: Machine, loop: readonly string[]): number | undefined {
  const limits = loop.flatMap((name) => {
    const state = machine.States[name];
    if (state?.Type !== 'Choice') return [];
    return (state.Choices ?? []).flatMap((choice) =>
      expressionsIn(choice.Condition).flatMap(({ expression }) => {
        const [, counter, sign, limit] = /\$(\w+) (<|>=) (\d+)/.exec(expression) ?? [];
        const goesOn = loop.includes(choice.Next);
        const counts = Object.values(machine.States).some(
          ({ Assign = {} }) => Assign[counter ?? ''] === `{% $${counter} + 1 %}`,
        );
        return counts && limit !== undefined && goesOn === (sign === '<') ? [Number(limit)] : [];
      }),
    );
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
}

const levels = pipelines.flatMap(({ id }) => levelsOf(id));

it.each(levels.map((level) => [level.name, level] as const))(
  'an execution of %s ends before its history is full, even if every task is repeated as often as it may be',
  (_, { name: machineName, machine }) => {
    let events = 2;
    for (const [name, state] of Object.entries(machine.States)) {
      const loop = loopOf(machine, name);
      const isLoop = loop.length > 1;
      const told = loop.map((each) => ENDED_BY_TASKS[`${machineName}: ${each}`]).find((n) => n !== undefined);
      const times = isLoop ? (told ?? counterOf(machine, loop)) : 1;
      expect(times, `The loop ${loop.join(' → ')} has no end that this test knows.`).toBeDefined();
      // A loop is entered once before its counter has counted.
      events += eventsOf(state) * ((times ?? Number.NaN) + (isLoop ? 1 : 0));
    }

    expect(events).toBeLessThan(EVENTS_MAX);
  },
);

it('an execution is looked at with loops', () => {
  const loops = levels.flatMap(({ machine }) =>
    Object.keys(machine.States).filter((name) => loopOf(machine, name).length > 1),
  );

  expect(loops.length).toBeGreaterThan(10);
});
