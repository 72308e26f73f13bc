import { newAsking, newLimit, reportingOutage } from '#shared/models/asking.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { models } from '#shared/models/wire/models.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { circuitOpened } from '#shared/runs/wire/measure-worker.ts';
import { calibrateJudge as calibrate, calibrateForRun, JudgeUnavailable } from '../calibrate-judge.ts';
import type { JudgeCalibration } from '../decide/evaluation/calibration.ts';
import { createCalibrationStore } from '../store/calibrations.ts';

const judges = /* @__PURE__ */ models(['judge'], (use) => use.env.modelConcurrency());

/** A judge whose calibration takes longer is not used; the task that calibrates it has 900 seconds. */
const CALIBRATION_SECONDS_MAX = 780;

const TOO_SLOW = `judge unavailable: it could not be measured within ${CALIBRATION_SECONDS_MAX} seconds`;

/** The ports for calibrating the configured judge; null without one. */
async function theMeasuring(use: Use) {
  const judge = (await use(judges)()).generator('judge');
  if (judge === null) return null;
  const [clock, random] = [use(theClock), use(theRandom)];
  const limit = newLimit(clock, random, use.env.modelConcurrency(), circuitOpened);
  return {
    judge,
    store: createCalibrationStore(use(theTable)),
    asking: {
      ...newAsking(clock, random, limit, use.env.modelOutageSeconds()),
      signal: AbortSignal.timeout(CALIBRATION_SECONDS_MAX * 1000),
    },
    meter: newCallMeter(),
  };
}

/**
 * The calibration of a judge; null if its provider rejects it or it is too slow: the work continues without a judge.
 */
async function unlessUnavailable(measure: () => Promise<JudgeCalibration>): Promise<JudgeCalibration | null> {
  try {
    return await reportingOutage(measure);
  } catch (error) {
    const isTooSlow = error instanceof DOMException && error.name === 'TimeoutError';
    if (!isTooSlow && !(error instanceof JudgeUnavailable)) throw error;
    logger.warn(isTooSlow ? TOO_SLOW : error.message);
    return null;
  }
}

/**
 * The calibration of the configured judge, measured if it is not stored yet, and its safety calibration if the run
 * needs it; null without a judge, or if its provider rejects it.
 */
export const calibrateJudge = /* @__PURE__ */ need<(context: RunContext) => Promise<JudgeCalibration | null>>(
  [judges, { table: 'write', bucket: { read: ['runs'] } }],
  (use) => {
    const objects = use(theObjects);
    return async ({ run_id: runId }) => {
      const measuring = await theMeasuring(use);
      return measuring === null ? null : unlessUnavailable(() => calibrateForRun(measuring, objects, runId));
    };
  },
);

/**
 * The calibration of the configured judge for comparing answers; null without a judge, or if its provider rejects it.
 */
export const calibrateJudgeOfAnswers = /* @__PURE__ */ need<() => Promise<JudgeCalibration | null>>(
  [judges, { table: 'write' }],
  (use) => async () => {
    const measuring = await theMeasuring(use);
    return measuring === null ? null : unlessUnavailable(() => calibrate(measuring));
  },
);
