import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey } from '#shared/platform/wire.ts';
import { listTrainings } from '#shared/training/contracts.ts';
import { selectTrainings, trainingsCursor } from '#shared/training/decide/listing.ts';
import { toTrainingRun } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  listTrainings,
  { trainings: trainings('read'), cursorKey },
  async ({ caller, query }, { trainings, cursorKey }) => {
    const { team_id } = caller;
    const key = await cursorKey();
    const { trainings: page, next } = await trainings.list(team_id, selectTrainings(team_id, query, key));

    return {
      runs: page.map(toTrainingRun),
      next_cursor: next === null ? null : trainingsCursor(team_id, query, next, key),
    };
  },
);
