import {
  concludeSafetyCalibration,
  type SafetyCalibration,
  type SafetyCalibrationStore,
  safetyCalibrationKeyOf,
} from '#shared/domain/adaptation/safety-calibration.ts';
import { SAFETY_CALIBRATION_SET } from '#shared/domain/adaptation/safety-calibration-set.ts';
import { judgeSafety } from '#shared/domain/adaptation/safety-scorer.ts';
import {
  believedKinds,
  type CalibrationStore,
  calibrationKeyOf,
  concludeCalibration,
  type GradeTrial,
  type JudgeCalibration,
  type PairTrial,
} from '#shared/domain/evaluation/calibration.ts';
import type { CalibrationPair } from '#shared/domain/evaluation/calibration-pairs/pair.ts';
import { CALIBRATION_SET } from '#shared/domain/evaluation/calibration-set.ts';
import { comparePair, scoreByRubric } from '#shared/domain/evaluation/judge.ts';
import {
  AskFailure,
  type AskFailureCode,
  type Asking,
  type CallMeter,
} from '#shared/domain/model/ask-model.ts';
import type { ModelClient } from '#shared/domain/model/port.ts';
import { RunRequestObject } from '#shared/domain/runs/run-request.ts';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import type { ObjectStore } from '#shared/domain/storage/object-store.ts';
import { readJson } from './json-objects.ts';

interface Measuring<Store> {
  readonly judge: ModelClient;
  readonly store: Store;
  readonly asking: Asking;
  readonly meter: CallMeter;
}

/**
 * The calibrations that a run needs of its judge: as a judge of answers, and of safety where the run asks for it.
 *
 * @throws {ModelOutage} when the judge does not answer
 * @throws {JudgeUnavailable} when it is refused
 */
export async function calibrateForRun(
  measuring: Measuring<CalibrationStore & SafetyCalibrationStore>,
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
): Promise<JudgeCalibration> {
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const calibration = await calibrateJudge(measuring);
  if (specification.safety !== null) await calibrateSafety(measuring);
  return calibration;
}

/**
 * The calibration of a judge: the one that is kept, or else measured now and kept. Measuring takes two
 * calls a pair of the set, 262 together, and 262 more to grade answers alone where the judge is believed in some kind of
 * pair; once for each model, prompts and set.
 *
 * @throws {ModelOutage} when the judge does not answer
 * @throws {JudgeUnavailable} when it is refused; nothing is kept then
 */
export async function calibrateJudge(options: Measuring<CalibrationStore>): Promise<JudgeCalibration> {
  const { judge, store, asking, meter } = options;
  const kept = await store.findCalibration(calibrationKeyOf(judge.modelId));
  if (kept !== null) {
    return kept;
  }
  const calibration = await measureJudge(judge, asking, meter);
  await store.saveCalibration(calibration);
  return calibration;
}

/** Pairs that are asked about first: a provider that refuses all of these questions refuses all others. */
const PROBED_PAIRS = 3;

/**
 * Measures a judge on the whole calibration set. One that is believed in no kind of pair may grade nothing either, so
 * that it is not asked for grades.
 *
 * @throws {ModelOutage} when the judge does not answer
 * @throws {JudgeUnavailable} when none of the first questions, or fewer than half of all, get past its provider
 */
export async function measureJudge(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
): Promise<JudgeCalibration> {
  const refusals = newRefusals();
  const compareAll = (pairs: readonly CalibrationPair[]): Promise<PairTrial[]> =>
    Promise.all(
      pairs.map(async (pair) => {
        const answers = { request: pair.request, first: pair.better, second: pair.worse };
        return { pair, verdict: await refusals.orNull(() => comparePair(judge, answers, asking, meter)) };
      }),
    );
  const probed = await compareAll(CALIBRATION_SET.slice(0, PROBED_PAIRS));
  refusals.requireFewerThan(1);
  const trials = [...probed, ...(await compareAll(CALIBRATION_SET.slice(PROBED_PAIRS)))];
  refusals.requireFewerThan(0.5);
  const compared = concludeCalibration(judge.modelId, trials, null);
  if (believedKinds(compared).length === 0) return compared;

  const grade = (request: string, answer: string): Promise<number | null> =>
    refusals.orNull(async () => (await scoreByRubric(judge, { request, answer }, asking, meter)).score);
  const grades = await Promise.all(
    CALIBRATION_SET.map(async ({ request, better, worse }): Promise<GradeTrial> => {
      const [first, second] = await Promise.all([grade(request, better), grade(request, worse)]);
      return { better: first, worse: second };
    }),
  );
  refusals.requireFewerThan(0.5);
  return concludeCalibration(judge.modelId, trials, grades);
}

/**
 * The judge was kept from answering, so nothing is known of how it judges: a setting that its provider does not take, a
 * quota, a model that is gone. `message` is public.
 */
export class JudgeUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`judge unavailable: ${reason}`, { cause });
    this.name = 'JudgeUnavailable';
  }
}

/** Failures of which the model is at fault: it answered, but not with what was asked for. */
const OF_THE_MODEL: ReadonlySet<AskFailureCode> = new Set(['answer_unusable', 'wrong_language']);

/** Questions, and those of them that were refused. */
interface Refusals {
  /** The answer, or null where the model could not be brought to give one. */
  orNull<T>(ask: () => Promise<T>): Promise<T | null>;
  /** @throws {JudgeUnavailable} where this share of the questions so far, or more of them, was refused */
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
        // An outage is no answer at all, and ends the calibration.
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
 * The safety calibration of a judge: the one that is kept, or else measured now with one call a case and kept.
 *
 * @throws {ModelOutage} when the judge does not answer
 */
async function calibrateSafety(options: Measuring<SafetyCalibrationStore>): Promise<SafetyCalibration> {
  const { judge, store, asking, meter } = options;
  const kept = await store.findSafetyCalibration(safetyCalibrationKeyOf(judge.modelId));
  if (kept !== null) {
    return kept;
  }
  const calibration = await measureSafety(judge, asking, meter);
  await store.saveSafetyCalibration(calibration);
  return calibration;
}

/**
 * Measures a judge on the whole safety calibration set.
 *
 * @throws {ModelOutage} when the judge does not answer
 * @throws {JudgeUnavailable} when fewer than half of the questions get past its provider
 */
export async function measureSafety(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
): Promise<SafetyCalibration> {
  const refusals = newRefusals();
  const trials = await Promise.all(
    SAFETY_CALIBRATION_SET.map(async (known) => ({
      known,
      scores: await refusals.orNull(() => judgeSafety(judge, known, asking, meter)),
    })),
  );
  refusals.requireFewerThan(0.5);
  return concludeSafetyCalibration(judge.modelId, trials);
}
