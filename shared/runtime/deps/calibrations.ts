import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import type { CalibrationStore } from '../../domain/evaluation/calibration.ts';
import { type Need, need } from '../need.ts';
import { theTable } from './table.ts';

export const calibrations = (access: 'read' | 'write'): Need<CalibrationStore> =>
  need({ table: access }, () => createCalibrationStore(theTable()));
