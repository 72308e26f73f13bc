import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import type { JudgeCalibration } from '../../domain/evaluation/calibration.ts';
import { newCallMeter } from '../../domain/model/ask-model.ts';
import { calibrateJudge as calibrate } from '../../operations/calibrate-judge.ts';
import { newAsking, newLimit, reportingOutage } from '../../operations/judging.ts';
import { env } from '../env.ts';
import { circuitOpened } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theTable } from './table.ts';

const judges = models(['judge'], () => env.modelConcurrency());

/** The calibration of the configured judge, measured where it is not kept yet; null where there is no judge. */
export const calibrateJudge = need<() => Promise<JudgeCalibration | null>>(
  { ...judges.uses, table: 'write' },
  () => {
    const store = createCalibrationStore(theTable());
    return async () => {
      const judge = (await judges.get()()).generator('judge');
      if (judge === null) return null;
      const limit = newLimit(systemClock, Math.random, env.modelConcurrency(), circuitOpened);
      const measuring = {
        judge,
        store,
        asking: newAsking(systemClock, Math.random, limit, env.modelOutageSeconds()),
        meter: newCallMeter(),
      };
      return reportingOutage(() => calibrate(measuring));
    };
  },
);
