import { afterEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/consumers/sweep-runs.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { context } from '#test/helpers/call.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('the sweep goes on from page to page, sums up, and says what is wrong in the log and in metrics', async () => {
  const written = collectMetrics();
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => {});
  const asked: (string | undefined)[] = [];
  const sweepRuns = async ({ after }: { after?: string }) => {
    asked.push(after);
    return after === undefined
      ? { examined: 1000, handed_over: 3, failures: [], next: 'more' }
      : {
          examined: 5,
          handed_over: 1,
          failures: [{ run_id: 'run-1', cause: new Error('denied') }],
          next: null,
        };
  };

  const stray = { team_id: 'team-1', run_id: 'run-3' };
  const inspectRuns = async () => ({ active: 7, stuck: ['run-2'], holdsWithoutRun: [stray] });

  const sweepMeters = async () => ({
    lost: 2,
    returned: 30,
    failures: [{ team_id: 'team-2', cause: new Error('throttled') }],
  });

  const asOf = vi.fn();
  const teamsBehind = async (before: string) => {
    asOf(before);
    return ['team-3'];
  };
  const late = { team_id: 'team-4', webhook_id: 'webhook-1' };
  const dueWebhooks = async (before: string) => {
    asOf(before);
    return [late];
  };

  const sweepErasures = async () => 2;
  const sweepQueuedRuns = async () => [{ team_id: 'team-5', cause: new Error('throttled') }];
  const sweep = handler.with({
    sweepRuns,
    sweepErasures,
    inspectRuns,
    sweepMeters,
    sweepQueuedRuns,
    sweepRemovedEvals: async () => [{ team_id: 'team-6', cause: new Error('throttled') }],
    teamsBehind,
    dueWebhooks,
  });
  expect(await sweep({}, context())).toEqual({
    examined: 1005,
    handed_over: 4,
    erasures: 2,
    answers_lost: 2,
    credits_returned: 30,
  });
  expect(asked).toEqual([undefined, 'more']);
  expect(logged).toHaveBeenCalledWith(
    'run not swept',
    expect.objectContaining({ run_id: 'run-1', error_message: 'denied' }),
  );
  expect(logged).toHaveBeenCalledWith('hold without a run', stray);
  expect(logged).toHaveBeenCalledWith(
    'meter not swept',
    expect.objectContaining({ team_id: 'team-2', error_message: 'throttled' }),
  );
  expect(logged).toHaveBeenCalledWith(
    'queued runs of evals not swept',
    expect.objectContaining({ team_id: 'team-5', error_message: 'throttled' }),
  );
  expect(logged).toHaveBeenCalledWith(
    'deleted evals not swept',
    expect.objectContaining({ team_id: 'team-6', error_message: 'throttled' }),
  );
  expect(logged).toHaveBeenCalledWith('events are late', { team_id: 'team-3' });
  expect(logged).toHaveBeenCalledWith('deliveries are late', late);
  for (const [before] of asOf.mock.calls) {
    expect(Date.now() - Date.parse(before)).toBeGreaterThanOrEqual(30 * 60_000);
    expect(Date.now() - Date.parse(before)).toBeLessThan(31 * 60_000);
  }
  expect(warned).toHaveBeenCalledWith('answers lost', { answers: 2 });
  expect(warned).toHaveBeenCalledWith('run stands still', { run_id: 'run-2' });
  expect(Object.fromEntries(written().map(({ name, values }) => [name, values]))).toEqual({
    AnswersLost: [2],
    EventsLate: [2],
    RunsActive: [7],
    RunsStuck: [2],
    RunsSwept: [4],
    HoldsWithoutRun: [1],
    SweepsDone: [1],
  });
});

test('the sweep goes on to the credits and alarms where the runs of evals that wait, deleted evals and erasures cannot be listed', async () => {
  const written = collectMetrics();
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  vi.spyOn(logger, 'warn').mockImplementation(() => {});
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const done: string[] = [];
  const sweep = handler.with({
    sweepRuns: async () => ({ examined: 1, handed_over: 0, failures: [], next: null }),
    sweepErasures: async () => {
      done.push('begun');
      throw new Error('throttled');
    },
    inspectRuns: async () => {
      done.push('inspected');
      return { active: 1, stuck: ['run-1'], holdsWithoutRun: [] };
    },
    sweepMeters: async () => ({ lost: 0, returned: 30, failures: [] }),
    sweepQueuedRuns: async () => {
      throw new Error('throttled');
    },
    sweepRemovedEvals: async () => {
      done.push('erased');
      throw new Error('throttled');
    },
    teamsBehind: async () => [],
    dueWebhooks: async () => [],
  });

  expect(await sweep({}, context())).toMatchObject({ credits_returned: 30 });

  // Last, since a backlog may take its time.
  expect(done).toEqual(['inspected', 'erased', 'begun']);
  expect(logged).toHaveBeenCalledWith(
    'queued runs of evals not swept',
    expect.objectContaining({ error_message: 'throttled' }),
  );
  expect(logged).toHaveBeenCalledWith(
    'deleted evals not swept',
    expect.objectContaining({ error_message: 'throttled' }),
  );
  expect(logged).toHaveBeenCalledWith(
    'erasures not swept',
    expect.objectContaining({ error_message: 'throttled' }),
  );
  expect(written().map(({ name }) => name)).toEqual(expect.arrayContaining(['RunsStuck', 'SweepsDone']));
});
