import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire.ts';
import { listComparisons } from '#shared/training/contracts.ts';
import { shownComparison, toComparisonSummary } from '#shared/training/decide/comparison.ts';
import { selectTrainings, trainingsCursor } from '#shared/training/decide/listing.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  listComparisons,
  { trainings: trainings('read'), cursorKey },
  async ({ caller, query }, { trainings, cursorKey }) => {
    const { team_id } = caller;
    const key = await cursorKey();
    const selected = selectTrainings(team_id, query, key, 'comparisons');
    const { trainings: page, next } = await trainings.list(team_id, selected);

    return {
      items: page.map((record) => toComparisonSummary(shownComparison(record))),
      next_cursor: next === null ? null : trainingsCursor(team_id, query, next, key, 'comparisons'),
    };
  },
);
