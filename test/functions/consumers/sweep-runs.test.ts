import { afterEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/consumers/sweep-runs.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { context } from '#test/helpers/call.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('goes on from page to page, sums up, and says what is wrong in the log and in metrics', async () => {
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

  expect(await handler.with({ sweepRuns, inspectRuns, sweepMeters })({}, context())).toEqual({
    examined: 1005,
    handed_over: 4,
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
  expect(warned).toHaveBeenCalledWith('answers lost', { answers: 2 });
  expect(warned).toHaveBeenCalledWith('run stands still', { run_id: 'run-2' });
  expect(Object.fromEntries(written().map(({ name, values }) => [name, values]))).toEqual({
    AnswersLost: [2],
    RunsActive: [7],
    RunsStuck: [2],
    RunsSwept: [4],
    HoldsWithoutRun: [1],
    SweepsDone: [1],
  });
});
