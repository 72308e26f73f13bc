import { listTrainings } from '#shared/contracts/training.ts';
import { selectTrainings, trainingsCursor } from '#shared/domain/training/listing.ts';
import { toTrainingRun } from '#shared/domain/training/record.ts';
import { cursorKey } from '#shared/runtime/deps/cursor-key.ts';
import { trainings } from '#shared/runtime/deps/trainings.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  listTrainings,
  { trainings, cursorKey },
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
