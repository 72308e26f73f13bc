import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { assembleRun, finishRun } from '#shared/operations/finish-run.ts';
import { resultsOf, startRun, writeResults } from '#test/helpers/active-run.ts';
import { createWorld } from '#test/helpers/world.ts';

const OUTCOMES = ['changed', 'kept', 'failed', 'dropped'] as const;

test('a run never settles more than it was quoted, and exactly that when no row was dropped or failed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 320 }),
      fc.option(fc.integer({ min: 1, max: 320 })),
      fc.subarray([...OUTCOMES], { minLength: 1 }),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      async (rows, maxRows, outcomes, draws) => {
        const world = createWorld();
        const active = await startRun(world, {
          rows,
          chunkRows: 150,
          ...(maxRows === null ? {} : { request: { job_specification: { max_rows: maxRows } } }),
        });
        const { context, run } = active;
        for (const stretch of active.stretches) {
          const results = resultsOf(
            stretch,
            (row) => outcomes[(draws[row % draws.length] ?? 0) % outcomes.length] ?? 'changed',
          );
          await writeResults(world, objectKeys.result(run.run_id, stretch.n), results);
        }
        const ports = {
          datasets: world.store.datasets,
          runs: world.store.runs,
          objects: world.objects,
          settleRun: world.settleRun,
        };
        const now = Date.parse(run.started_at) + 60_000;
        const error = await assembleRun(ports, context, { mustBeComplete: true, now }).then(
          () => null,
          ({ code, message }) => ({ code, message, level: 'error' as const }),
        );
        const { counts, settled_credits: settled } = await finishRun(ports, context, error, now);

        const delivered = (counts?.changed ?? 0) + (counts?.kept ?? 0);
        expect(settled).toBe(Math.ceil(delivered / 100));
        expect(settled).toBeLessThanOrEqual(run.reserved_credits);
        if (counts?.failed === 0 && counts.dropped === 0) expect(settled).toBe(run.reserved_credits);
        expect((await world.store.ledger.findBalance(run.team_id))?.held).toBe(0);
      },
    ),
    { numRuns: 40 },
  );
});
