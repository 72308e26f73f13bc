import { afterEach, expect, test, vi } from 'vitest';
import { logger } from '#shared/runtime/logger.ts';
import { context } from '#test/helpers/call.ts';
import { handler } from '../../../functions/consumers/sweep-runs.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('goes on from page to page, sums up, and logs the runs that it could not settle', async () => {
  vi.spyOn(logger, 'info').mockImplementation(() => {});
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
  const asked: (string | undefined)[] = [];
  const sweepRuns = async ({ after }: { after?: string }) => {
    asked.push(after);
    return after === undefined
      ? { examined: 1000, settled: 3, failures: [], next: 'more' }
      : { examined: 5, settled: 1, failures: [{ run_id: 'run-1', cause: new Error('denied') }], next: null };
  };

  expect(await handler.with({ sweepRuns })({}, context())).toEqual({ examined: 1005, settled: 4 });
  expect(asked).toEqual([undefined, 'more']);
  expect(logged).toHaveBeenCalledWith(
    'run not swept',
    expect.objectContaining({ run_id: 'run-1', error_message: 'denied' }),
  );
});
