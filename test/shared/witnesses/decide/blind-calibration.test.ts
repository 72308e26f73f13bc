import { expect, it } from 'vitest';
import { knownRow } from '#shared/witnesses/calibrate-blind.ts';
import { blindKindOf } from '#shared/witnesses/decide/blind-answers.ts';
import {
  type BlindCalibration,
  type BlindFigures,
  blindCalibrationKeyOf,
  blindRates,
  FALSE_CORRECTION_MAX,
  wrongProbability,
  wrongShareOf,
} from '#shared/witnesses/decide/blind-calibration.ts';
import { KNOWN_QUESTIONS } from '#shared/witnesses/decide/known-questions.ts';

const figures = (fields: Partial<BlindFigures> = {}): BlindFigures => ({
  ...{ asked: 60, right: 60, right_differed: 0, right_confirmed: 0 },
  ...{ wrong: 60, wrong_differed: 60, wrong_confirmed: 60 },
  ...fields,
});
const calibrationOf = (kinds: BlindCalibration['kinds']): BlindCalibration => ({
  ...blindCalibrationKeyOf('a-model'),
  kinds,
});

it('every known question has an answer that can be compared, and a wrong one of the same kind', () => {
  for (const known of KNOWN_QUESTIONS) {
    const row = knownRow(known);
    const kinds = [blindKindOf(row), blindKindOf({ ...row, answer: known.wrong })];
    expect(kinds[0], known.prompt).not.toBeNull();
    expect(kinds[1], known.prompt).toBe(kinds[0]);
    expect(known.right).not.toBe(known.wrong);
  }
  expect(new Set(KNOWN_QUESTIONS.map(({ prompt }) => prompt)).size).toBe(KNOWN_QUESTIONS.length);
});

it('a model is believed for no kind that was not measured', () => {
  expect(blindRates(null, 'label')).toBeNull();
  expect(blindRates(calibrationOf({ label: figures() }), 'number')).toBeNull();
  expect(blindRates(calibrationOf({ label: figures({ right: 0 }) }), 'label')).toBeNull();
});

it('kinds without an error share their rows, and one that is worse than all stands alone', () => {
  const rates = (kinds: BlindCalibration['kinds'], kind: 'label' | 'number') =>
    blindRates(calibrationOf(kinds), kind)?.confirmed.falseAlarm;
  const [alone, together] = [
    rates({ label: figures() }, 'label'),
    rates({ label: figures(), number: figures() }, 'label'),
  ];
  expect(alone).toBeGreaterThan(FALSE_CORRECTION_MAX);
  expect(together).toBeLessThanOrEqual(FALSE_CORRECTION_MAX);
  const spoiled = { label: figures({ right_confirmed: 3, right_differed: 3 }), number: figures() };
  expect(rates(spoiled, 'label')).toBeCloseTo(3.5 / 61);
  expect(rates(spoiled, 'number')).toBeCloseTo(3.5 / 121);
});

it('the probability that a row is wrong follows from the share of wrong rows and the rates', () => {
  const rates = { falseAlarm: 0.05, sensitivity: 0.9 };
  expect(wrongProbability(0.1, true, rates)).toBeCloseTo(0.09 / (0.09 + 0.045));
  expect(wrongProbability(0.1, false, rates)).toBeCloseTo(0.01 / (0.01 + 0.855));
});

it('the share of wrong rows is that of the rows that differ, less false alarms', () => {
  const rates = { falseAlarm: 0.02, sensitivity: 1 };
  const opinions = (differing: number, of: number) =>
    Array.from({ length: of }, (_, n) => ({ differs: n < differing, rates }));
  expect(wrongShareOf([])).toBeCloseTo(0.05);
  expect(wrongShareOf(opinions(300, 1000))).toBeCloseTo(0.282, 2);
  expect(wrongShareOf(opinions(20, 1000))).toBeLessThan(0.01);
  expect(wrongShareOf(opinions(1000, 1000))).toBe(0.9);
});

it('a witness that hardly tells wrong rows from right ones says nothing about their share', () => {
  const rates = { falseAlarm: 0.4, sensitivity: 0.6 };
  const opinions = Array.from({ length: 1000 }, () => ({ differs: true, rates }));
  expect(wrongShareOf(opinions)).toBeLessThan(0.05);
});
