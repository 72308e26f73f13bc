import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import type { JudgeCalibration } from '../../domain/evaluation/calibration.ts';
import { newCallMeter } from '../../domain/model/ask-model.ts';
import { calibrateForRun } from '../../operations/calibrate-judge.ts';
import { newAsking, newLimit, reportingOutage } from '../../operations/judging.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { circuitOpened } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

const judges = models(['judge'], () => env.modelConcurrency());

/**
 * The calibration of the configured judge, measured where it is not kept yet, as is that of its sense of safety where
 * the run asks for it; null where there is no judge.
 */
export const calibrateJudge = need<(context: RunContext) => Promise<JudgeCalibration | null>>(
  { ...judges.uses, table: 'write', bucket: { read: ['runs'] } },
  () => {
    const store = createCalibrationStore(theTable());
    const objects = theObjects();
    return async ({ run_id: runId }) => {
      const judge = (await judges.get()()).generator('judge');
      if (judge === null) return null;
      const limit = newLimit(systemClock, Math.random, env.modelConcurrency(), circuitOpened);
      const measuring = {
        judge,
        store,
        asking: newAsking(systemClock, Math.random, limit, env.modelOutageSeconds()),
        meter: newCallMeter(),
      };
      return reportingOutage(() => calibrateForRun(measuring, objects, runId));
    };
  },
);
