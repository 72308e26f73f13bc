import { newAsking, newLimit, reportingOutage } from '#shared/models/asking.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { theClock } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { type Access, theRandom, theTable } from '#shared/platform/wire.ts';
import { circuitOpened } from '#shared/runs/measure-worker.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';
import type { BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import { type JudgeMeasurement, JudgeUnavailable } from './calibrate-judge.ts';
import type { CalibrationStore } from './decide/calibration.ts';
import type { SafetyCalibrationStore } from './decide/safety/safety-calibration.ts';
import { createCalibrationStore } from './store/calibrations.ts';
import { createCustomEvalRepository } from './store/custom-evals.ts';

/** Stored calibrations of judges. */
export const calibrations = (access: Access) =>
  need({ table: access }, (use) => createCalibrationStore(use(theTable)));

export const customEvals = (access: Access) =>
  need({ table: access }, (use) => createCustomEvalRepository(use(theTable)));

/** A judge whose calibration takes longer is not used; the task that calibrates it has 900 seconds. */
const CALIBRATION_SECONDS_MAX = 780;

const TOO_SLOW = `judge unavailable: it could not be measured within ${CALIBRATION_SECONDS_MAX} seconds`;

type Calibrating = JudgeMeasurement<CalibrationStore & SafetyCalibrationStore & BlindCalibrationStore>;

const judges = /* @__PURE__ */ models(['judge'], (use) => use(modelConcurrency));

/**
 * Calibrates the configured judge; null without one, or if its provider rejects it or it is too slow: the work goes on
 * without a judge.
 */
export const withJudge = /* @__PURE__ */ need(
  [judges, { table: 'write' }],
  (use) =>
    async <T>(
      calibrate: (parts: Calibrating) => Promise<T>,
      /** Called with the model that could not be measured, and the reason; with null without a judge model. */
      onSilent: (modelId: string | null, reason: string) => void = () => undefined,
    ): Promise<T | null> => {
      const judge = (await use(judges)()).generator('judge');
      if (judge === null) {
        onSilent(null, 'The installation has no judge model');
        return null;
      }
      const [clock, random] = [use(theClock), use(theRandom)];
      const limit = newLimit(clock, random, use.env.modelConcurrency(), circuitOpened);
      const parts = {
        judge,
        store: createCalibrationStore(use(theTable)),
        asking: {
          ...newAsking(clock, random, limit, use.env.modelOutageSeconds()),
          signal: AbortSignal.timeout(CALIBRATION_SECONDS_MAX * 1000),
        },
        meter: newCallMeter(),
      };
      try {
        return await reportingOutage(() => calibrate(parts));
      } catch (error) {
        const isTooSlow = error instanceof DOMException && error.name === 'TimeoutError';
        if (!isTooSlow && !(error instanceof JudgeUnavailable)) throw error;
        const reason = isTooSlow ? TOO_SLOW : error.message;
        logger.warn(reason);
        onSilent(judge.modelId, reason);
        return null;
      }
    },
);
