import { expect, it } from 'vitest';
import { requireLocalModel } from '#local/model/catalog.ts';
import { knownRow } from '#shared/witnesses/calibrate-blind.ts';
import { blindKindOf } from '#shared/witnesses/decide/blind-answers.ts';
import {
  type BlindCalibration,
  type BlindFigures,
  blindCalibrationKeyOf,
} from '#shared/witnesses/decide/blind-calibration.ts';
import { blindRates, mayCorrect, wrongProbability } from '#shared/witnesses/decide/blind-rates.ts';
import { knownBlindCalibrations } from '#shared/witnesses/decide/known-blind-calibrations.ts';
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
  const rate = (kinds: BlindCalibration['kinds'], kind: 'label' | 'number') =>
    blindRates(calibrationOf(kinds), kind)?.confirmed.falseAlarm;
  expect(rate({ label: figures(), number: figures() }, 'label')).toBeCloseTo(0.5 / 121);
  const spoiled = { label: figures({ right_confirmed: 3, right_differed: 3 }), number: figures() };
  expect(rate(spoiled, 'label')).toBeCloseTo(3.5 / 61);
  expect(rate(spoiled, 'number')).toBeCloseTo(3.5 / 121);
});

it('a model corrects only if it spoiled none of enough right answers, and of enough of the kind', () => {
  const many = figures({ right: 200 });
  const of = (kinds: BlindCalibration['kinds']) => mayCorrect(calibrationOf(kinds), 'label');
  expect(of({ label: many })).toBe(true);
  expect(of({ label: figures({ right: 199 }) })).toBe(false);
  expect(of({ label: many, number: figures({ right_confirmed: 1 }) })).toBe(false);
  expect(of({ number: many, label: figures({ right: 19 }) })).toBe(false);
  expect(of({ number: many })).toBe(false);
});

it('the probability that a row is wrong follows from the share of wrong rows and the rates', () => {
  const rates = { falseAlarm: 0.05, sensitivity: 0.9 };
  expect(wrongProbability(0.1, true, rates)).toBeCloseTo(0.09 / (0.09 + 0.045));
  expect(wrongProbability(0.1, false, rates)).toBeCloseTo(0.01 / (0.01 + 0.855));
});

it('a calibration of a witness that was measured beforehand is of today’s prompts and questions, and of served weights', () => {
  expect(knownBlindCalibrations.length).toBeGreaterThanOrEqual(1);
  for (const known of knownBlindCalibrations) {
    expect(known, `measure ${known.model_id} anew with lab/calibrate.ts`).toMatchObject(
      blindCalibrationKeyOf(known.model_id),
    );
    expect(known.weights_sha256).toBe(requireLocalModel(known.model_id).weights.sha256);
  }
});
