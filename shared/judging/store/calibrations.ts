import { type Key, keys } from '#shared/platform/store/keys.ts';
import { getItem, putItem, type Table } from '#shared/platform/store/table.ts';
import { BlindCalibration, type BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import { type CalibrationKey, type CalibrationStore, JudgeCalibration } from '../decide/calibration.ts';
import { SafetyCalibration, type SafetyCalibrationStore } from '../decide/safety/safety-calibration.ts';

const keyOf = (key: CalibrationKey): Key => keys.calibration(key.model_id, key.prompt_version, key.set_hash);

/** A new calibration of a judge replaces the earlier one. */
export function createCalibrationStore(
  table: Table,
): CalibrationStore & SafetyCalibrationStore & BlindCalibrationStore {
  return {
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
