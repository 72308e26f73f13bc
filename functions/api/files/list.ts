import { type ListSelection, sortValue } from '#shared/datasets/decide/listing.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { listFiles } from '#shared/openai/contracts/files.ts';
import { toFile } from '#shared/openai/decide/files.ts';
import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { pageOf } from '#shared/openai/decide/page.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '#shared/openai/schema/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses } from '#shared/platform/wire.ts';

export const handler = serve(
  listFiles,
  { datasets: datasets('read'), freeUses },
  async ({ caller, query: { after, limit = PAGE_DEFAULT, order, purpose }, now }, { datasets, freeUses }) => {
    // Metrics go with their jobs, which name them.
    if (purpose === 'fine-tune-results') return pageOf([], false);
    const last =
      after === undefined ? null : await datasets.require(caller, datasetIdOf(after, 'query.after'));
    const selection: ListSelection = {
      limit: Math.min(limit, PAGE_MAX),
      sort: 'created_at',
      descending: order !== 'asc',
      createdAfter: null,
      createdBefore: null,
      contains: null,
      states: null,
      kinds: null,
      createdByUserId: null,
      ...(purpose === undefined ? {} : { purpose }),
      after: last === null ? null : sortValue(last, 'created_at'),
    };
    const page = await datasets.list(caller.team_id, selection, () =>
      freeUses.admit(caller, 'scans_per_hour', now),
    );
    return pageOf(page.datasets.map(toFile), page.next !== null);
  },
);
