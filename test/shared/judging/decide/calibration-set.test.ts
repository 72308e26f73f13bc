import { describe, expect, it } from 'vitest';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { CALIBRATION_SET } from '#shared/judging/decide/calibration-set.ts';
import { withoutOrders } from '#shared/judging/decide/without-orders.ts';
import { PAIR_KINDS } from '#shared/runs/schema/pair-kind.ts';

const wordCount = (text: string): number => wordsOf(text).length;

it('the calibration set has 131 pairs, and no request and no pair of answers twice', () => {
  const requests = CALIBRATION_SET.map(({ request }) => request);
  const pairs = CALIBRATION_SET.map(({ better, worse }) => `${better}\n${worse}`);

  expect(CALIBRATION_SET).toHaveLength(131);
  expect(new Set(requests).size).toBe(requests.length);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const { better, worse } of CALIBRATION_SET) expect(better).not.toBe(worse);
});

it('the calibration set holds no text that a judge would be shown otherwise', () => {
  for (const { request, better, worse } of CALIBRATION_SET) {
    for (const text of [request, better, worse]) expect(withoutOrders(text)).toBe(text);
  }
});

describe.each(PAIR_KINDS)('in pairs that differ in %s', (kind) => {
  const pairs = CALIBRATION_SET.filter((pair) => pair.kind === kind);

  it('the calibration set in pairs of one kind has at least 16, of which the original is the better in about half', () => {
    const originals = pairs.filter(({ original }) => original === 'better').length;

    expect(pairs.length).toBeGreaterThanOrEqual(16);
    expect(originals).toBeGreaterThanOrEqual(9);
    expect(originals / pairs.length).toBeLessThanOrEqual(0.6);
  });

  it('the calibration set in pairs of one kind cannot be decided by length, neither for the longer nor for the shorter', () => {
    const longer = pairs.filter(({ better, worse }) => wordCount(better) > wordCount(worse)).length;
    const shorter = pairs.filter(({ better, worse }) => wordCount(better) < wordCount(worse)).length;
    const equal = pairs.length - longer - shorter;

    expect((longer + equal / 2) / pairs.length).toBeGreaterThanOrEqual(0.4);
    expect((longer + equal / 2) / pairs.length).toBeLessThanOrEqual(0.6);
  });
});
