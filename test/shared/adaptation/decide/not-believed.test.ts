import { describe, expect, test } from 'vitest';
import {
  blindNotBelieved,
  judgeNotBelieved,
  notMeasured,
  safetyNotBelieved,
} from '#shared/adaptation/decide/not-believed.ts';
import { assembleCalibration } from '#shared/judging/decide/calibration.ts';
import { CALIBRATION_SET } from '#shared/judging/decide/calibration-set.ts';
import { BLIND_KINDS } from '#shared/witnesses/decide/blind-answers.ts';
import type { BlindCalibration, BlindFigures } from '#shared/witnesses/decide/blind-calibration.ts';

const figures = (changes: Partial<BlindFigures> = {}): BlindFigures => ({
  asked: 60,
  right: 60,
  right_differed: 0,
  right_confirmed: 0,
  wrong: 60,
  wrong_differed: 58,
  wrong_confirmed: 57,
  ...changes,
});
const blind = (each: BlindFigures): BlindCalibration => ({
  model_id: 'm',
  prompt_version: 'p',
  set_hash: 's',
  kinds: Object.fromEntries(BLIND_KINDS.map((kind) => [kind, each])),
});
const total = 60 * BLIND_KINDS.length;

describe('what is said of models that are believed for nothing', () => {
  test('a judge that is right about every pair is believed, and one that is wrong is told with its count', () => {
    const judged = (first: 'first' | 'second') =>
      assembleCalibration(
        'm',
        CALIBRATION_SET.map((pair) => ({
          pair,
          verdict: { better: first, frontNamed: 1 as const },
        })),
        null,
      );

    const [right, wrong] = [judgeNotBelieved(judged('first')), judgeNotBelieved(judged('second'))];

    expect(right).toBeNull();
    expect(wrong).toMatchObject({ witness: 'judge', model: 'm', code: 'wrong_too_often' });
    expect(wrong?.message).toContain(`of ${CALIBRATION_SET.length} known pairs`);
  });

  test('a model that contradicts right answers as often as wrong ones flags nothing, and its figures are told', () => {
    const note = blindNotBelieved(blind(figures({ right_differed: 30, right_confirmed: 29 })), {
      verification: 'flag',
    });

    expect(note).toMatchObject({ witness: 'blind_answers', code: 'wrong_too_often' });
    expect(note?.message).toContain(`contradicted ${30 * BLIND_KINDS.length} of ${total} right answers`);
  });

  test('a model that flags is not noted unless it was to correct and has spoiled a known answer', () => {
    const spoiling = blind(figures({ right_differed: 1, right_confirmed: 1 }));

    expect(blindNotBelieved(blind(figures()), { verification: 'correct' })).toBeNull();
    expect(blindNotBelieved(spoiling, { verification: 'flag' })).toBeNull();
    expect(blindNotBelieved(spoiling, { verification: 'correct' })).toMatchObject({
      code: 'corrects_nothing',
      message: expect.stringContaining('replaces no answer'),
    });
  });

  test('a model of which no kind is measured yet is told to flag nothing', () => {
    expect(blindNotBelieved({ ...blind(figures()), kinds: {} }, { verification: 'flag' })).toMatchObject({
      code: 'wrong_too_often',
    });
  });

  test('a missing judge, one that was not measured, and one of safety say why', () => {
    expect(notMeasured(null, 'There is none')).toMatchObject({ code: 'no_model', model: null });
    expect(notMeasured('m', 'It is too slow')).toMatchObject({
      code: 'not_measured',
      message: expect.stringMatching(/^It is too slow\. The checks alone/),
    });
    expect(safetyNotBelieved('m', 0.5).message).toContain('50 %');
  });
});
