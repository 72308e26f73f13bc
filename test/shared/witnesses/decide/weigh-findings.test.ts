import { describe, expect, test } from 'vitest';
import { FLAGGED_MIN } from '#shared/witnesses/decide/doubtful.ts';
import type { FindingKind } from '#shared/witnesses/decide/finding-kinds.ts';
import { weighFindings } from '#shared/witnesses/decide/weigh-findings.ts';
import type { WitnessFinding } from '#shared/witnesses/decide/witness.ts';

const said = (kind: FindingKind, score?: number): WitnessFinding => ({
  witness: 'neighbours',
  says: 'wrong',
  kind,
  reason: '',
  score,
});
const nothing = (rows: number): WitnessFinding[][] => Array.from({ length: rows }, () => []);

describe('the probability that a row is wrong', () => {
  test('the probability is the usual share where no witness says anything, and the dataset has no share of its own', () => {
    expect(weighFindings(nothing(3))).toEqual({
      shareWrong: null,
      silent: null,
      probabilities: [0.05, 0.05, 0.05],
    });
    expect(weighFindings([])).toEqual({ shareWrong: null, silent: null, probabilities: [] });
  });

  test('the probability is higher for a surer finding, and lower for the rows of which nothing is said', () => {
    const { probabilities } = weighFindings([
      [said('label_contradicted', 0.9995)],
      [said('label_contradicted', 0.92)],
      ...nothing(98),
    ]);
    const [sure = 0, weak = 0, silent = 0] = probabilities;
    expect(sure).toBeGreaterThan(0.5);
    expect(weak).toBeLessThan(0.5);
    expect(silent).toBeLessThan(0.05);
  });

  test('the probability of the same finding is higher in a dataset in which more rows are found wrong', () => {
    const at = (found: number): number =>
      weighFindings([
        ...Array.from({ length: found }, () => [said('answered_differently', 0.45)]),
        ...nothing(200 - found),
      ]).probabilities[0] as number;
    expect(at(60)).toBeGreaterThan(at(2));
  });

  test('the probability falls for code that passes its examples, and is the product of witnesses that speak of one row', () => {
    const passed: WitnessFinding = { ...said('examples_passed'), witness: 'execution', says: 'fine' };
    const failed: WitnessFinding = { ...said('example_failed'), witness: 'execution' };
    const { probabilities } = weighFindings([
      [passed],
      [failed],
      [passed, said('answer_of_other_row', 0.55)],
      [said('answer_of_other_row', 0.55)],
      ...nothing(96),
    ]);
    const [fine = 1, broken = 0, both = 0, one = 0] = probabilities;
    expect(fine).toBeLessThan(0.02);
    expect(broken).toBeGreaterThan(0.9);
    expect(both).toBeLessThan(one);
  });

  test.each([
    [1, 1],
    [1, 100],
    [20, 100],
    [1, 200],
    [200, 200],
  ])(
    'the probability of %i findings that were not measured in %i rows orders them, and flags none',
    (found, rows) => {
      for (const kind of ['query_invalid', 'code_invalid'] as const) {
        const { shareWrong, probabilities } = weighFindings([
          ...Array.from({ length: found }, () => [said(kind)]),
          ...nothing(rows - found),
        ]);
        expect(shareWrong).toBeNull();
        expect(probabilities[0]).toBeGreaterThan(0.3);
        expect(probabilities[0]).toBeLessThan(FLAGGED_MIN);
        expect(probabilities[found] ?? 0.05).toBe(0.05);
      }
    },
  );

  test('the probability of a finding that was not measured flags no row among many that are found wrong, unless one that was measured joins it', () => {
    const { probabilities } = weighFindings([
      [said('query_invalid')],
      [said('query_invalid'), said('answered_differently', 0.45)],
      ...Array.from({ length: 50 }, () => [said('example_failed')]),
      ...nothing(48),
    ]);
    expect(probabilities[0]).toBeLessThan(FLAGGED_MIN);
    expect(probabilities[1]).toBeGreaterThan(FLAGGED_MIN);
  });

  test('the probability stays finite where every row is found wrong', () => {
    const { shareWrong, probabilities } = weighFindings(
      Array.from({ length: 50 }, () => [said('answer_of_other_row', 1)]),
    );
    expect(shareWrong).toBeLessThan(1);
    expect(Math.min(...probabilities)).toBeGreaterThan(0.99);
  });
});
