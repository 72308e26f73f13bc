import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { requirePilot } from './decide/require-pilot.ts';
import { describePilot, listPilots, readPilotRows, reviewPilot } from './read-pilot.ts';
import type { PairVerdictsRequest, ReviewedPilot } from './schema/pair-verdicts.ts';
import type { Pilot, PilotRowsPage, PilotRowsQuery } from './schema/pilot.ts';

type OfDataset = Pick<DatasetRecord, 'dataset_id'>;

/** Reads pilots of a dataset that its caller has been shown to own. */
export interface PilotReader {
  /** @throws {ServiceError} `pilot_not_found` */
  read(dataset: OfDataset, pilotId: string): Promise<Pilot>;
  /** @throws {ServiceError} `pilot_not_found` */
  rows(dataset: OfDataset, pilotId: string, page: PilotRowsQuery): Promise<PilotRowsPage>;
  /** @throws {ServiceError} `pilot_not_found`, and as `reviewPilot` */
  review(dataset: OfDataset, pilotId: string, asked: PairVerdictsRequest): Promise<ReviewedPilot>;
  /** The newest forty, newest first. */
  list(dataset: OfDataset): Promise<Pilot[]>;
}

export const pilotReader = /* @__PURE__ */ need<PilotReader>(
  { table: 'read', bucket: { read: ['runs'] } },
  (use) => {
    const ports = {
      runs: createRunRepository(use(theTable)),
      objects: use(theObjects),
    };
    return {
      read: async ({ dataset_id }, pilotId) =>
        describePilot(ports, requirePilot(await ports.runs.find(dataset_id, pilotId))),
      rows: async ({ dataset_id }, pilotId, page) =>
        readPilotRows(ports, requirePilot(await ports.runs.find(dataset_id, pilotId)), page),
      review: async ({ dataset_id }, pilotId, asked) =>
        reviewPilot(ports, requirePilot(await ports.runs.find(dataset_id, pilotId)), asked),
      list: (dataset) => listPilots(ports, dataset),
    };
  },
);
