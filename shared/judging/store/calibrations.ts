import * as z from 'zod';
import type { TrialStore } from '#shared/models/decide/trials.ts';
import { type Key, keys } from '#shared/platform/store/keys.ts';
import { getItem, putItem, type Table } from '#shared/platform/store/table.ts';
import { BlindCalibration, type BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import { type CalibrationKey, type CalibrationStore, JudgeCalibration } from '../decide/calibration.ts';
import { SafetyCalibration, type SafetyCalibrationStore } from '../decide/safety/safety-calibration.ts';

const keyOf = (key: CalibrationKey): Key => keys.calibration(key.model_id, key.prompt_version, key.set_hash);

const Trials = z.record(z.string(), z.unknown());

/** For which trials of a measurement that broke off are kept. */
const TRIALS_SECONDS = 90 * 86_400;

const trialsKeyOf = ({ model_id, prompt_version, set_hash }: CalibrationKey): Key =>
  keys.calibration(model_id, `${prompt_version}#trials`, set_hash);

/** A new calibration of a judge replaces the earlier one. */
export function createCalibrationStore(
  table: Table,
): CalibrationStore & SafetyCalibrationStore & BlindCalibrationStore & TrialStore {
  return {
    async findTrials(key) {
      const item = await getItem(table, trialsKeyOf(key));
      return item === null ? {} : Trials.parse(item.trials);
    },

    async saveTrials(key, trials) {
      const expires_at = Math.floor(table.now() / 1000) + TRIALS_SECONDS;
      await putItem(table, { ...trialsKeyOf(key), trials, expires_at });
    },

    async findCalibration(key) {
      const item = await getItem(table, keyOf(key));
      return item === null ? null : JudgeCalibration.parse(item);
    },

    async saveCalibration(calibration) {
      await putItem(table, { ...calibration, ...keyOf(calibration) });
    },

    async findSafetyCalibration(key) {
      const item = await getItem(table, keyOf(key));
      return item === null ? null : SafetyCalibration.parse(item);
    },

    async findBlindCalibration(key) {
      const item = await getItem(table, keyOf(key));
      return item === null ? null : BlindCalibration.parse(item);
    },

    async saveBlindCalibration(calibration) {
      await putItem(table, { ...calibration, ...keyOf(calibration) });
    },

    async saveSafetyCalibration(calibration) {
      await putItem(table, { ...calibration, ...keyOf(calibration) });
    },
  };
}
