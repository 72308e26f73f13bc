import { datasets, versions } from '#shared/datasets/wire.ts';
import { findFinished, type NamedRead } from '#shared/exports/find-read.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { publishDataset } from '#shared/publishing/contracts.ts';
import { startPublication } from '#shared/publishing/start-publication.ts';
import { publicationQueue } from '#shared/publishing/wire.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = serve(
  publishDataset,
  { ...publicationQueue, datasets: datasets('read'), versions: versions('read'), runs: runs('read') },
  async ({ caller, params, body, now }, { datasets, versions, runs, ...queue }) => {
    const dataset = await datasets.require(caller, params.dataset_id);
    const ports = {
      ...queue,
      findRead: (...asked: [typeof dataset, NamedRead]) => findFinished({ versions, runs }, ...asked),
    };
    return startPublication(ports, caller, dataset, body, now);
  },
);
