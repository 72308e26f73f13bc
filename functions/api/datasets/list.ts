import { listDatasets } from '#shared/contracts/datasets.ts';
import { datasetsCursor, selectDatasets } from '#shared/domain/datasets/listing.ts';
import { toDatasetListItem } from '#shared/domain/datasets/view.ts';
import { cursorKey } from '#shared/runtime/deps/cursor-key.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  listDatasets,
  { datasets: datasets('read'), cursorKey },
  async ({ caller, query }, { datasets, cursorKey }) => {
    const key = await cursorKey();
    const { datasets: page, next } = await datasets.list(
      caller.team_id,
      selectDatasets(caller.team_id, query, key),
    );

    return {
      datasets: page.map(toDatasetListItem),
      next_cursor: next === null ? null : datasetsCursor(caller.team_id, query, next, key),
    };
  },
);
