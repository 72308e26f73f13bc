import { listDatasets } from '#shared/datasets/contracts.ts';
import { datasetsCursor, selectDatasets } from '#shared/datasets/decide/listing.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { cursorKey, freeUses } from '#shared/platform/wire.ts';
import { toDatasetListItem } from '#shared/runs/decide/view.ts';

export const handler = serve(
  listDatasets,
  { datasets: datasets('read'), cursorKey, freeUses },
  async ({ caller, query, now }, { datasets, cursorKey, freeUses }) => {
    const key = await cursorKey();
    const { datasets: page, next } = await datasets.list(
      caller.team_id,
      selectDatasets(caller.team_id, query, key),
      () => freeUses.admit(caller, 'scans_per_hour', now),
    );

    return {
      datasets: page.map(toDatasetListItem),
      next_cursor: next === null ? null : datasetsCursor(caller.team_id, query, next, key),
    };
  },
);
