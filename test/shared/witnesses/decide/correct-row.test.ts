import { expect, test } from 'vitest';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { knownRow } from '#shared/witnesses/calibrate-blind.ts';
import type { BlindOpinion, BlindRow } from '#shared/witnesses/decide/blind-answers.ts';
import { blindCalibrationKeyOf } from '#shared/witnesses/decide/blind-calibration.ts';
import { correctRow, REPLACED_MIN, weighOpinion } from '#shared/witnesses/decide/correct-row.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';

const prompt = 'Which planet is closest to the Sun? Answer with its name only.';
const row: BlindRow = { ...knownRow({ prompt, right: 'Mercury', wrong: 'Venus' }), answer: 'Venus' };
const WRONG = JSON.stringify({ verdict: 'wrong', quote: 'Venus', reason: 'It is Mercury.' });
const FINE = JSON.stringify({ verdict: 'right', quote: '', reason: '' });
const opinion: BlindOpinion = { kind: 'string', votes: 2, agreed: 'Mercury', differs: true };

/** Corrects the row by a critic with these replies. */
async function correct(
  wrongIfConfirmed: number | null,
  replies: string[],
  { of = row, says = opinion, written = '' }: { of?: BlindRow; says?: BlindOpinion; written?: string } = {},
) {
  const { client, requests } = replying(...replies);
  const weighed = { opinion: says, wrong: 0.5, wrongIfConfirmed };
  const { answer } = await correctRow(
    client,
    of,
    weighed,
    async () => written,
    askingInTests(),
    newCallMeter(),
  );
  return { answer, calls: requests.length };
}

test('a row is corrected from a probability of 0.9 on, and below it the critic is not asked', async () => {
  expect(await correct(0.91, [WRONG, FINE])).toEqual({ answer: 'Mercury', calls: 2 });
  expect(await correct(0.9, [WRONG, FINE])).toEqual({ answer: 'Mercury', calls: 2 });
  expect(await correct(0.89, [WRONG, FINE])).toEqual({ answer: null, calls: 0 });
  expect(await correct(null, [WRONG, FINE])).toEqual({ answer: null, calls: 0 });
});

test('a row is not corrected where the answers do not differ from it, or do not agree', async () => {
  for (const says of [
    { ...opinion, differs: false },
    { ...opinion, agreed: null },
  ]) {
    expect(await correct(0.99, [WRONG, FINE], { says })).toEqual({ answer: null, calls: 0 });
  }
});

test('a row is not corrected if the critic finds no error in it, or one in the agreed answer too, or says nothing', async () => {
  const alsoWrong = JSON.stringify({ verdict: 'wrong', quote: 'Mercury', reason: 'No.' });

  expect(await correct(0.99, [FINE])).toEqual({ answer: null, calls: 1 });
  expect(await correct(0.99, [WRONG, alsoWrong])).toEqual({ answer: null, calls: 2 });
  expect(await correct(0.99, [WRONG, 'I agree', 'I agree'])).toMatchObject({ answer: null });
  expect(await correct(0.99, ['I agree', 'I agree'])).toMatchObject({ answer: null });
});

test('a worked solution is replaced by one that ends with the agreed result, and a short result by that', async () => {
  const question = 'Anna has 3 bags of 4 apples. How many apples does she have?';
  const solution = 'She has 3 bags.\nEach has 4 apples, so that is 3 + 4 = 7.\n#### 7';
  const worked = { ...row, request: question, prompt: question, answer: solution };
  const error = JSON.stringify({ verdict: 'wrong', quote: '3 + 4', reason: 'Multiply.' });
  const says: BlindOpinion = { kind: 'result', votes: 2, agreed: '12', differs: true };
  const right = 'Three bags of 4 apples are 3 * 4 = 12.\n#### 12';

  expect((await correct(0.99, [error, FINE], { of: worked, says, written: right })).answer).toBe(right);
  expect((await correct(0.99, [error, FINE], { of: worked, says, written: solution })).answer).toBeNull();
  const short = JSON.stringify({ verdict: 'wrong', quote: '7', reason: 'Multiply.' });
  expect((await correct(0.99, [short, FINE], { of: { ...worked, answer: '7' }, says })).answer).toBe('12');
});

test('an opinion weighs nothing without an agreed answer, or for a kind on which the model was not measured', () => {
  const rows = { asked: 60, right: 60, right_differed: 1, right_confirmed: 0 };
  const measured = { ...rows, wrong: 60, wrong_differed: 55, wrong_confirmed: 50 };
  const calibration = { ...blindCalibrationKeyOf('a-model'), kinds: { string: measured } };

  expect(weighOpinion(null, calibration)).toBeNull();
  expect(weighOpinion({ ...opinion, agreed: null }, calibration)).toBeNull();
  expect(weighOpinion({ ...opinion, kind: 'label' }, calibration)).toBeNull();
  expect(weighOpinion(opinion, calibration)?.wrong).toBeGreaterThan(0.5);
  expect(weighOpinion({ ...opinion, differs: false }, calibration)?.wrong).toBeLessThan(0.05);
});

test('an opinion is surer about a row that is doubted already, and replaces it no sooner', () => {
  const rows = { asked: 200, right: 200, right_differed: 60, right_confirmed: 0 };
  const weak = { ...rows, wrong: 60, wrong_differed: 46, wrong_confirmed: 6 };
  const calibration = { ...blindCalibrationKeyOf('a-model'), kinds: { string: weak } };
  const [alone, doubted] = [undefined, 0.68].map((prior) => weighOpinion(opinion, calibration, prior));

  expect(doubted?.wrong).toBeGreaterThan((alone?.wrong ?? 1) + 0.3);
  expect(alone?.wrongIfConfirmed).toBeLessThan(REPLACED_MIN);
  expect(doubted?.wrongIfConfirmed).toBe(alone?.wrongIfConfirmed);
});

test('an opinion replaces a row later that is less probably wrong than usual', () => {
  const measured = { asked: 200, right: 200, right_differed: 1, right_confirmed: 0 };
  const kinds = { string: { ...measured, wrong: 60, wrong_differed: 55, wrong_confirmed: 50 } };
  const calibration = { ...blindCalibrationKeyOf('a-model'), kinds };

  expect(weighOpinion(opinion, calibration, 0.01)?.wrongIfConfirmed).toBeLessThan(
    weighOpinion(opinion, calibration)?.wrongIfConfirmed ?? 0,
  );
});
