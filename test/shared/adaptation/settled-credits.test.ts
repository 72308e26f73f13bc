import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planExpansion } from '#shared/adaptation/plan-expansion.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { ExpansionSelection } from '#shared/runs/schema/expansion.ts';
import { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import type { ExpansionResult } from '#shared/runs/schema/run-result.ts';
import { type ActiveRun, finishBatches, linesOf, noBatchJobs, startRun } from '#test/helpers/active-run.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const OUTCOMES = ['changed', 'kept', 'failed', 'dropped'] as const;
const LANGUAGES = ['es', 'de', 'sw'];

/** Leaves a result for every row that is to be added, as if the workers of the expansion had finished. */
async function finishExpansion(
  world: World,
  { context, run }: ActiveRun,
  outcomeOf: (row: number) => ExpansionResult['outcome'],
): Promise<void> {
  await planExpansion({ objects: world.objects, modelConcurrency: 1 }, context);
  for (const line of linesOf(world.objects.text(objectKeys.expansionPlan(run.run_id)))) {
    const { n, first_row, selection_key } = ExpandPlan.parse(JSON.parse(line));
    const results = linesOf(world.objects.text(selection_key)).map((selection, place): ExpansionResult => {
      const { row, target } = ExpansionSelection.parse(JSON.parse(selection));
      const outcome = outcomeOf(first_row + place);
      return {
        row: first_row + place,
        source_row: row,
        target,
        outcome,
        ...(outcome === 'failed'
          ? { reason: { code: 'a_reason', message: 'For a reason.' } }
          : { cells: {} }),
        tokens: { input: 1, output: 1 },
        calls: 1,
      };
    });
    const body = results.map((result) => `${JSON.stringify(result)}\n`).join('');
    await world.objects.write(objectKeys.result(run.run_id, n), body, 'application/jsonl');
  }
}

test('a run whose rows were all dropped fails, settles nothing and delivers no empty result', async () => {
  const world = createWorld();
  const active = await startRun(world, { rows: 30, chunkRows: 150 });
  await finishBatches(world, active, () => 'dropped');
  const ports = { datasets: world.store.datasets, runs: world.store.runs, objects: world.objects };

  await expect(
    assembleRun(ports, active.context, { now: Date.parse(active.run.started_at) }),
  ).rejects.toMatchObject({
    code: 'too_many_rows_failed',
    message: expect.stringContaining('All of 30 rows were dropped'),
  });
});

test('a run never settles more than it was quoted, and exactly that when no row was dropped or failed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: fc.integer({ min: 1, max: 320 }),
        maxRows: fc.option(fc.integer({ min: 1, max: 320 })),
        hasImage: fc.boolean(),
        languages: fc.subarray(LANGUAGES),
        sampleRate: fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
        outcomes: fc.subarray([...OUTCOMES], { minLength: 1 }),
        doesExpansionFail: fc.boolean(),
        draws: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      }),
      async ({ rows, maxRows, hasImage, languages, sampleRate, outcomes, doesExpansionFail, draws }) => {
        const drawOf = (row: number): number => draws[row % draws.length] ?? 0;
        const request: Partial<AdaptRequest> = {
          column_mapping: {
            prompt: 'question',
            completion: 'answer',
            ...(hasImage ? { image: 'note' } : {}),
          },
          ...(maxRows === null ? {} : { job_specification: { max_rows: maxRows } }),
          ...(languages.length === 0
            ? {}
            : { language_expansion: { type: 'translate', languages, sample_rate: sampleRate } }),
        };
        const world = createWorld();
        const active = await startRun(world, {
          rows,
          chunkRows: 150,
          request,
          dataset: { image_column_formats: { note: 'url' } },
        });
        const { context, run } = active;
        await finishBatches(world, active, (row) => outcomes[drawOf(row) % outcomes.length] ?? 'changed');
        if (languages.length > 0) {
          await finishExpansion(world, active, (row) =>
            doesExpansionFail && drawOf(row) % 3 === 0 ? 'failed' : 'expanded',
          );
        }
        const ports = {
          datasets: world.store.datasets,
          runs: world.store.runs,
          objects: world.objects,
          trainings: world.store.trainings,
          endRun: world.endRun,
          endBatchJobs: noBatchJobs,
        };
        const now = Date.parse(run.started_at) + 60_000;
        const error = await assembleRun(ports, context, { now }).then(
          () => null,
          ({ code, message }) => ({ code, message, level: 'error' as const }),
        );
        const { counts, settled_credits: settled } = await endAdaptation(ports, context, error, now);
        if (counts === null) throw new Error('The run has no counts.');

        const delivered = counts.changed + counts.kept + (counts.expanded ?? 0);
        expect(settled).toBe(Math.ceil(delivered / 100) * (hasImage ? 10 : 1));
        expect(settled).toBeLessThanOrEqual(run.reserved_credits);
        if (counts.failed === 0 && counts.dropped === 0 && (counts.expansion_failed ?? 0) === 0) {
          expect(settled).toBe(run.reserved_credits);
        }
        expect((await world.store.ledger.findBalance(run.team_id))?.held).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});
