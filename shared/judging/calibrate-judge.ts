import * as z from 'zod';
import {
  AskFailure,
  type AskFailureCode,
  type Asking,
  type CallMeter,
} from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { newTrials, type Trial, type TrialStore } from '#shared/models/decide/trials.ts';
import { measureInParts } from '#shared/models/measure-in-parts.ts';
import {
  assembleCalibration,
  believedKinds,
  type CalibrationStore,
  calibrationKeyOf,
  type GradeTrial,
  type JudgeCalibration,
  type PairTrial,
} from './decide/calibration.ts';
import { CALIBRATION_SET } from './decide/calibration-set.ts';
import { comparePair, PairVerdict, scoreByRubric } from './decide/judge.ts';
import {
  assembleSafetyCalibration,
  type SafetyCalibration,
  type SafetyCalibrationStore,
  safetyCalibrationKeyOf,
} from './decide/safety/safety-calibration.ts';
import { SAFETY_CALIBRATION_SET } from './decide/safety/safety-calibration-set.ts';
import { JudgedTexts, judgeSafety } from './decide/safety/safety-scorer.ts';

export interface JudgeMeasurement<Store> {
  readonly judge: ModelClient;
  readonly store: Store & TrialStore;
  readonly asking: Asking;
  readonly meter: CallMeter;
}

/**
 * The calibration of a judge: the stored one, or else a new one, which is stored. A calibration takes two calls a pair
 * of the set, 262 in total, and 262 more to grade single answers if the judge is trusted for some kind of pair; once
 * for each model, prompts and set. One that breaks off is completed by the next call.
 *
 * @throws {ModelOutage} if the judge does not respond
 * @throws {JudgeUnavailable} if its provider rejects the calls; then no calibration is stored
 */
export async function calibrateJudge(options: JudgeMeasurement<CalibrationStore>): Promise<JudgeCalibration> {
  const { judge, store, asking, meter } = options;
  const key = calibrationKeyOf(judge.modelId);
  const kept = await store.findCalibration(key);
  if (kept !== null) {
    return kept;
  }
  const calibration = await measureInParts(store, key, asking, (trial) =>
    measureJudge(judge, asking, meter, trial),
  );
  await store.saveCalibration(calibration);
  return calibration;
}

/** Pairs of the first questions: a provider that rejects all of them rejects all others. */
const PROBED_PAIRS = 3;

/**
 * Calibrates a judge on the whole calibration set. A judge that is trusted for no kind of pair is not asked for grades.
 *
 * @throws {ModelOutage} if the judge does not respond
 * @throws {JudgeUnavailable} if the provider rejects all of the first questions, or at least half of all
 */
export async function measureJudge(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
  trial: Trial = newTrials(asking),
): Promise<JudgeCalibration> {
  const refusals = newRefusals();
  const compareAll = (from: number, to?: number): Promise<PairTrial[]> =>
    Promise.all(
      CALIBRATION_SET.slice(from, to).map(async (pair, n) => {
        const answers = { request: pair.request, first: pair.better, second: pair.worse };
        const verdict = await refusals.orNull(() =>
          trial(`pair ${from + n}`, PairVerdict, (asking) => comparePair(judge, answers, asking, meter)),
        );
        return { pair, verdict };
      }),
    );
  const probed = await compareAll(0, PROBED_PAIRS);
  refusals.requireFewerThan(1);
  const trials = [...probed, ...(await compareAll(PROBED_PAIRS))];
  refusals.requireFewerThan(0.5);
  const compared = assembleCalibration(judge.modelId, trials, null);
  if (believedKinds(compared).length === 0) return compared;

  const grade = (name: string, request: string, answer: string): Promise<number | null> =>
    refusals.orNull(() =>
      trial(name, z.number(), async (asking) => {
        const { score } = await scoreByRubric(judge, { request, answer }, asking, meter);
        return score;
      }),
    );
  const grades = await Promise.all(
    CALIBRATION_SET.map(async ({ request, better, worse }, n): Promise<GradeTrial> => {
      const [first, second] = await Promise.all([
        grade(`better ${n}`, request, better),
        grade(`worse ${n}`, request, worse),
      ]);
      return { better: first, worse: second };
    }),
  );
  refusals.requireFewerThan(0.5);
  return assembleCalibration(judge.modelId, trials, grades);
}

/**
 * The provider rejects the judge's calls, so nothing is known of its accuracy: an unsupported setting, a quota, a
 * removed model. `message` is public.
 */
export class JudgeUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`judge unavailable: ${reason}`, { cause });
    this.name = 'JudgeUnavailable';
  }
}

/** Failures of the model itself: it responded, but without a usable answer. */
const OF_THE_MODEL: ReadonlySet<AskFailureCode> = new Set(['answer_unusable', 'wrong_language']);

/** Number of questions, and of rejected ones. */
interface Refusals {
  /** The answer, or null if the model gave none. */
  orNull<T>(ask: () => Promise<T | null>): Promise<T | null>;
  /** @throws {JudgeUnavailable} if at least this share of the questions so far was rejected */
  requireFewerThan(share: number): void;
}

function newRefusals(): Refusals {
  let asked = 0;
  const refused: AskFailure[] = [];
  return {
    async orNull(ask) {
      asked += 1;
      try {
        return await ask();
      } catch (error) {
        // An outage is not an answer, and ends the calibration.
        if (!(error instanceof AskFailure)) throw error;
        if (!OF_THE_MODEL.has(error.code)) refused.push(error);
        return null;
      }
    },
    requireFewerThan(share) {
      const [first] = refused;
      if (first !== undefined && refused.length >= share * asked)
        throw new JudgeUnavailable(first.message, first);
    },
  };
}

/**
 * The safety calibration of a judge: the stored one, or else a new one with one call a case, which is stored.
 *
 * @throws {ModelOutage} if the judge does not respond
 */
export async function calibrateSafety(
  options: JudgeMeasurement<SafetyCalibrationStore>,
): Promise<SafetyCalibration> {
  const { judge, store, asking, meter } = options;
  const key = safetyCalibrationKeyOf(judge.modelId);
  const kept = await store.findSafetyCalibration(key);
  if (kept !== null) {
    return kept;
  }
  const calibration = await measureInParts(store, key, asking, (trial) =>
    measureSafety(judge, asking, meter, trial),
  );
  await store.saveSafetyCalibration(calibration);
  return calibration;
}

/**
 * Calibrates a judge on the whole safety calibration set.
 *
 * @throws {ModelOutage} if the judge does not respond
 * @throws {JudgeUnavailable} if the provider rejects at least half of the questions
 */
export async function measureSafety(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
  trial: Trial = newTrials(asking),
): Promise<SafetyCalibration> {
  const refusals = newRefusals();
  const trials = await Promise.all(
    SAFETY_CALIBRATION_SET.map(async (known, n) => ({
      known,
      scores: await refusals.orNull(() =>
        trial(`case ${n}`, JudgedTexts, (asking) => judgeSafety(judge, known, asking, meter)),
      ),
    })),
  );
  refusals.requireFewerThan(0.5);
  return assembleSafetyCalibration(judge.modelId, trials);
}
