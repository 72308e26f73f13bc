import { describe, expect, it } from 'vitest';
import {
  averagePrecision,
  exchangeAnswers,
  measureLabelNoise,
  measureNeighbours,
  shiftAnswers,
  type TruthRow,
} from '#lab/effect/witnesses/neighbours.ts';
import type { Embed } from '#shared/witnesses/decide/neighbours/neighbours-witness.ts';

/** One dimension for each letter. */
const embed: Embed = async (texts) =>
  texts.map((text) => {
    const vector = new Float32Array(26);
    for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
      const at = letter.charCodeAt(0) - 97;
      vector[at] = (vector[at] as number) + 1;
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  });

const rows = Array.from(
  { length: 40 },
  (_, n): TruthRow => ({
    prompt: `Who won race ${n + 500} of ${String.fromCharCode(97 + (n % 26)).repeat(8)}?`,
    completion: `Race ${n + 500} of ${String.fromCharCode(97 + (n % 26)).repeat(8)} had no winner.`,
    right: true,
  }),
);

describe('damage of known rows', () => {
  it('exchanged answers are as many as asked for, the same for a seed, and marked as wrong', () => {
    const exchanged = exchangeAnswers(rows, 0.1, 7);

    expect(exchanged.filter(({ right }) => !right)).toHaveLength(4);
    expect(exchanged).toEqual(exchangeAnswers(rows, 0.1, 7));
    expect(exchanged).not.toEqual(exchangeAnswers(rows, 0.1, 8));
    expect(exchanged.map(({ completion }) => completion).sort()).toEqual(
      rows.map(({ completion }) => completion).sort(),
    );
  });

  it('shifted answers are those of the next row, and wrong from the given row on', () => {
    const shifted = shiftAnswers(rows, 30);

    expect(shifted.filter(({ right }) => right)).toHaveLength(30);
    expect(shifted[30]?.completion).toBe(rows[31]?.completion);
  });
});

describe('measures of the witness', () => {
  it('counts tell flagged rows that are right from those that are wrong', async () => {
    const counts = await measureNeighbours(exchangeAnswers(rows, 0.1, 7), embed);

    expect(counts).toMatchObject({ right: 36, rightFlagged: 0, wrong: 4 });
    expect(counts.wrongFlagged).toBeGreaterThan(2);
  });

  it('the average precision is 1 where all wrong rows come first', () => {
    expect(averagePrecision([0.9, 0.1, 0.8], [true, false, true])).toBe(1);
    expect(averagePrecision([0.1, 0.9, 0.8], [true, false, false])).toBeCloseTo(1 / 3);
    expect(averagePrecision([0.1], [false])).toBe(0);
  });

  it('exchanged labels rank before others where labels follow from prompts', async () => {
    const labelled = Array.from({ length: 120 }, (_, n) => ({
      prompt:
        n % 2 === 0
          ? `aaa bab ${'abc'.charAt(n % 3)}${'ab'.charAt((n >> 2) % 2)}`
          : `xyx zzy ${'xyz'.charAt(n % 3)}`,
      label: n % 2 === 0 ? 'first' : 'last',
    }));
    const measure = await measureLabelNoise(labelled, { share: 0.1, seed: 3, embed });

    expect(measure.wrong).toBeGreaterThan(4);
    expect(measure.averagePrecision).toBeGreaterThan(0.95);
  });
});
