import { expect, test } from 'vitest';
import { calibrationKeyOf } from '#shared/judging/decide/calibration.ts';
import { createCalibrationStore } from '#shared/judging/store/calibrations.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { createMemoryTable } from '#test/helpers/memory-table.ts';

const KEY = calibrationKeyOf('m');

test('trials of a measurement are kept beside its calibration, for 90 days', async () => {
  let now = Date.parse('2026-11-01T00:00:00Z');
  const store = createCalibrationStore(createMemoryTable(() => now));
  expect(await store.findTrials(KEY)).toEqual({});

  await store.saveTrials(KEY, { 'pair 0': { better: 'first', frontNamed: 1 }, 'better 0': 7.5 });
  expect(await store.findCalibration(KEY)).toBeNull();
  const whole = calibrationOf('m');
  await store.saveCalibration(whole);

  expect(await store.findTrials(KEY)).toEqual({
    'pair 0': { better: 'first', frontNamed: 1 },
    'better 0': 7.5,
  });
  expect(await store.findCalibration(KEY)).toEqual(whole);
  expect(await store.findTrials(calibrationKeyOf('another'))).toEqual({});

  now += 90 * 86_400_000 + 1000;
  expect(await store.findTrials(KEY)).toEqual({});
});
