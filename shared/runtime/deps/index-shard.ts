import { systemClock } from '../../adapters/model/system-clock.ts';
import { indexShard as index } from '../../operations/build-index.ts';
import type { IndexPlan } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { measureWorker } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { callsPerWorker } from './worker-ports.ts';

const embedding = models(['embed'], callsPerWorker);

/** Computes the words and the vectors of a shard. */
export const indexShard = need<(plan: IndexPlan) => ReturnType<typeof index>>(
  { ...embedding.uses, bucket: { read: ['datasets'], write: ['datasets'] } },
  () => async (plan) => {
    const ports = {
      embedder: (await embedding.get()()).embedder(),
      callsMax: callsPerWorker(),
      outageSecondsMax: env.modelOutageSeconds(),
      clock: systemClock,
      random: Math.random,
      objects: theObjects(),
    };
    return measureWorker('index-shard', (watch) => index({ ...ports, watch }, plan));
  },
);
