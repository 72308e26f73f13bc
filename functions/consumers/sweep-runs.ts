import { queuedRunsSweeper, removedEvalsSweeper } from '#shared/evals/wire.ts';
import { teamsBehind } from '#shared/events/wire.ts';
import { sweepRuns as contract } from '#shared/lifecycle/background.ts';
import { erasureSweeper, inspectRuns, sweepMeters, sweepRuns } from '#shared/lifecycle/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { dueWebhooks } from '#shared/webhooks/wire.ts';

/** Runs of one page of the sweep, which bounds memory. */
const RUNS_AT_ONCE = 1000;

/** Ends of runs that one sweep starts: each takes a function with the memory for a whole run. */
const HANDED_OVER_MAX = 20;

/** Erasures that one sweep starts; the next one starts the others. */
const ERASURES_MAX = 400;

/** An event or a delivery that waits for longer is late: the sweep of each minute should have carried it on. */
const LATE_MILLISECONDS = 30 * 60_000;

/** Late webhooks that are named in the log. */
const LATE_MAX = 20;

/** Records what there is of something: a metric is billed by the hour in which it is written, zeros too. */
function recordSome(
  name: 'AnswersLost' | 'EventsLate' | 'RunsActive' | 'RunsStuck' | 'RunsSwept' | 'HoldsWithoutRun',
  value: number,
): void {
  if (value > 0) recordMetric(name, {}, value);
}

/** Sweeps runs of evals, or evals, and logs of which teams that failed. */
async function sweepEvals(
  message: string,
  sweep: () => Promise<readonly { readonly team_id: string; readonly cause: unknown }[]>,
): Promise<void> {
  const unswept = await sweep().catch((cause: unknown) => {
    logger.error(message, describeError(cause));
    return [];
  });
  for (const { team_id, cause } of unswept) logger.error(message, { team_id, ...describeError(cause) });
}

export const handler = runTask(
  contract,
  {
    sweepRuns,
    sweepErasures: erasureSweeper,
    inspectRuns,
    sweepMeters,
    sweepQueuedRuns: queuedRunsSweeper,
    sweepRemovedEvals: removedEvalsSweeper,
    teamsBehind,
    dueWebhooks,
  },
  async (_event, ports, { now }) => {
    const { sweepRuns, sweepErasures, inspectRuns, sweepMeters, teamsBehind, dueWebhooks } = ports;
    let examined = 0;
    let handedOver = 0;
    let failed = 0;
    let after: string | null = null;
    do {
      const sweep = await sweepRuns({
        now,
        runsMax: RUNS_AT_ONCE,
        handOverMax: HANDED_OVER_MAX - handedOver,
        ...(after === null ? {} : { after }),
      });
      for (const { run_id, cause } of sweep.failures) {
        logger.error('run not swept', { run_id, ...describeError(cause) });
      }
      examined += sweep.examined;
      handedOver += sweep.handed_over;
      failed += sweep.failures.length;
      after = sweep.next;
    } while (after !== null);

    await sweepEvals('queued runs of evals not swept', ports.sweepQueuedRuns);

    const meters = await sweepMeters(now);
    for (const { team_id, cause } of meters.failures) {
      logger.error('meter not swept', { team_id, ...describeError(cause) });
    }
    if (meters.lost > 0) logger.warn('answers lost', { answers: meters.lost });

    const { active, stuck, holdsWithoutRun } = await inspectRuns(now);
    for (const run_id of stuck) logger.warn('run stands still', { run_id });
    for (const hold of holdsWithoutRun) logger.error('hold without a run', hold);
    const late = timestamp(now - LATE_MILLISECONDS);
    const teams = await teamsBehind(late);
    for (const team_id of teams) logger.error('events are late', { team_id });
    const webhooks = await dueWebhooks(late, LATE_MAX);
    for (const webhook of webhooks) logger.error('deliveries are late', { ...webhook });
    recordSome('EventsLate', teams.length + webhooks.length);
    recordSome('AnswersLost', meters.lost);
    recordSome('RunsActive', active);
    recordSome('RunsStuck', stuck.length + failed);
    recordSome('RunsSwept', handedOver);
    recordSome('HoldsWithoutRun', holdsWithoutRun.length);
    recordMetric('SweepsDone', {});

    // At the end, for these may take long: the last one asks for each team that has deleted something of late.
    await sweepEvals('deleted evals not swept', ports.sweepRemovedEvals);
    const erasures = await sweepErasures(now, ERASURES_MAX).catch((cause: unknown) => {
      logger.error('erasures not swept', describeError(cause));
      return 0;
    });

    return {
      examined,
      handed_over: handedOver,
      erasures,
      answers_lost: meters.lost,
      credits_returned: meters.returned,
    };
  },
);
