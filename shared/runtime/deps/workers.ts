import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { workforceOf } from '../../domain/runs/plan.ts';
import { adaptChunk as adapt } from '../../operations/adapt-chunk.ts';
import { scoreSample as score } from '../../operations/evaluate-dataset.ts';
import type { ChunkPlan, ScorePlan } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

const callsPerWorker = (): number => workforceOf(env.modelConcurrency()).callsPerWorker;

const adapting = models(['rewrite', 'answer', 'judge', 'embed'], callsPerWorker);
const scoring = models(['judge', 'embed'], callsPerWorker);

interface Invocation {
  /** Milliseconds since the epoch at which it is ended from outside. */
  readonly deadlineMs: number;
  /** Unique to the invocation. */
  readonly attempt: string;
}
type Worker<Plan> = (
  plan: Plan,
  invocation: Invocation,
) => Promise<{ status: 'finished' | 'unfinished' | 'stopped' }>;

/** Adapts one stretch of rows. */
export const adaptChunk = need<Worker<ChunkPlan>>(
  { ...adapting.uses, table: 'write', bucket: { read: ['datasets', 'runs'], write: ['runs'] } },
  () => async (stretch, invocation) => {
    const configured = await adapting.get()();
    const ports = {
      objects: theObjects(),
      runs: createRunRepository(theTable()),
      calibrations: createCalibrationStore(theTable()),
      models: {
        rewrite: configured.generator('rewrite'),
        answer: configured.generator('answer'),
        judge: configured.generator('judge'),
        embedder: configured.embedder(),
      },
      callsPerWorker: callsPerWorker(),
      outageSecondsMax: env.modelOutageSeconds(),
      contextTokensMax: env.modelContextTokens(),
      clock: systemClock,
      random: Math.random,
    };
    return adapt(ports, stretch, invocation);
  },
);

/** Scores one piece of an evaluation's sample. */
export const scoreSample = need<Worker<ScorePlan>>(
  { ...scoring.uses, table: 'read', bucket: { read: ['runs'], write: ['runs'] } },
  () => async (plan, invocation) => {
    const configured = await scoring.get()();
    const ports = {
      objects: theObjects(),
      calibrations: createCalibrationStore(theTable()),
      models: { judge: configured.generator('judge'), embedder: configured.embedder() },
      callsPerWorker: callsPerWorker(),
      outageSecondsMax: env.modelOutageSeconds(),
      clock: systemClock,
      random: Math.random,
    };
    return score(ports, plan, invocation);
  },
);
