import { expect, test } from 'vitest';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { knownRow } from '#shared/witnesses/calibrate-blind.ts';
import type { BlindRow } from '#shared/witnesses/decide/blind-answers.ts';
import { correctRow } from '#shared/witnesses/decide/correct-row.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';

const prompt = 'Which planet is closest to the Sun? Answer with its name only.';
const row: BlindRow = { ...knownRow({ prompt, right: 'Mercury', wrong: 'Venus' }), answer: 'Venus' };
const WRONG = JSON.stringify({ verdict: 'wrong', quote: 'Venus', reason: 'It is Mercury.' });
const FINE = JSON.stringify({ verdict: 'right', quote: '', reason: '' });

/** Corrects the row by a critic with these replies. */
async function correct(wrongIfConfirmed: number | null, ...replies: string[]) {
  const { client, requests } = replying(...replies);
  const opinion = { kind: 'string', votes: 2, agreed: 'Mercury', differs: true } as const;
  const weighed = { opinion, wrong: 0.5, wrongIfConfirmed };
  const { answer } = await correctRow(client, row, weighed, async () => '', askingInTests(), newCallMeter());
  return { answer, calls: requests.length };
}

test('a row is corrected from a probability of 0.9 on, and below it the critic is not asked', async () => {
  expect(await correct(0.91, WRONG, FINE)).toEqual({ answer: 'Mercury', calls: 2 });
  expect(await correct(0.9, WRONG, FINE)).toEqual({ answer: 'Mercury', calls: 2 });
  expect(await correct(0.89, WRONG, FINE)).toEqual({ answer: null, calls: 0 });
  expect(await correct(null, WRONG, FINE)).toEqual({ answer: null, calls: 0 });
});

test('a row is not corrected if the critic finds no error in it, or one in the agreed answer too', async () => {
  const alsoWrong = JSON.stringify({ verdict: 'wrong', quote: 'Mercury', reason: 'No.' });

  expect(await correct(0.99, FINE)).toEqual({ answer: null, calls: 1 });
  expect(await correct(0.99, WRONG, alsoWrong)).toEqual({ answer: null, calls: 2 });
});
