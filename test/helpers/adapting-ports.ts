import type { AdaptBatchPorts } from '#shared/adaptation/adapt-batch.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { World } from './world.ts';

/** What a worker that adapts rows needs, with one model for all that it writes, and without a judge, calibrations or a search. */
export const adaptingPorts = (
  { objects, store: { runs, unbilled } }: Pick<World, 'objects' | 'store'>,
  model: ModelClient,
  clock: AdaptBatchPorts['clock'],
): AdaptBatchPorts => ({
  objects,
  runs,
  unbilled,
  calibrations: {
    findCalibration: async () => null,
    findBlindCalibration: async () => null,
    findSafetyCalibration: async () => null,
  },
  search: null,
  fetchImage: async () => null,
  models: { rewrite: model, answer: model, judge: null, embedder: null },
  callsPerWorker: 4,
  contextTokensMax: 4096,
  outageSecondsMax: 60,
  clock,
  random: () => 0.5,
});
