import {
  concludeSafetyCalibration,
  type SafetyCalibration,
  type SafetyCalibrationStore,
  safetyCalibrationKeyOf,
} from '#shared/domain/adaptation/safety-calibration.ts';
import { SAFETY_CALIBRATION_SET } from '#shared/domain/adaptation/safety-calibration-set.ts';
import { judgeSafety } from '#shared/domain/adaptation/safety-scorer.ts';
import {
  type CalibrationStore,
  calibrationKeyOf,
  concludeCalibration,
  type JudgeCalibration,
  type PairTrial,
} from '#shared/domain/evaluation/calibration.ts';
import { CALIBRATION_SET, type CalibrationPair } from '#shared/domain/evaluation/calibration-set.ts';
import { comparePair, scoreByRubric } from '#shared/domain/evaluation/judge.ts';
import { AskFailure, type Asking, type CallMeter } from '#shared/domain/model/ask-model.ts';
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
 * The calibration of a judge: the one that is kept, or else measured now with 96 calls and kept.
 *
 * @throws {ModelOutage} when the judge does not answer
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

/** Measures a judge on the whole calibration set. */
export async function measureJudge(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
): Promise<JudgeCalibration> {
  const trials = await Promise.all(CALIBRATION_SET.map((pair) => tryPair(judge, pair, asking, meter)));
  return concludeCalibration(judge.modelId, trials);
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

/** Measures a judge on the whole safety calibration set. */
export async function measureSafety(
  judge: ModelClient,
  asking: Asking,
  meter: CallMeter,
): Promise<SafetyCalibration> {
  const trials = await Promise.all(
    SAFETY_CALIBRATION_SET.map(async (known) => ({
      known,
      scores: await orNull(() => judgeSafety(judge, known, asking, meter)),
    })),
  );
  return concludeSafetyCalibration(judge.modelId, trials);
}

async function tryPair(
  judge: ModelClient,
  pair: CalibrationPair,
  asking: Asking,
  meter: CallMeter,
): Promise<PairTrial> {
  const { request, better, worse } = pair;
  const score = async (answer: string): Promise<number | null> =>
    orNull(async () => (await scoreByRubric(judge, { request, answer }, asking, meter)).score);
  const [betterScore, worseScore, verdict] = await Promise.all([
    score(better),
    score(worse),
    orNull(() => comparePair(judge, { request, first: better, second: worse }, asking, meter)),
  ]);
  return { pair, betterScore, worseScore, verdict };
}

/** A judge that cannot be brought to answer has answered wrongly; an outage is no answer at all, and ends it. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AskFailure) {
      return null;
    }
    throw error;
  }
}
