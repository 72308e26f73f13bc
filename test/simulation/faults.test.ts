import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind, Faults } from './faults.ts';
import { createSeededRandom } from './random.ts';

/** Which of the occasions for a slow request have one. */
function slowOnes(rates: ReadonlyMap<FaultKind, number>, asked: readonly FaultKind[]): number[] {
  const faults = new Faults(createSeededRandom(7), rates, {}, () => {});
  return Array.from({ length: 200 }, (_, n) => n).filter(() => {
    for (const kind of asked) faults.strikes(kind, () => '');
    return faults.strikes('slow', () => '');
  });
}

test('a kind of fault that a simulation lacks, or that strikes besides, changes nothing of when another strikes', () => {
  const alone = slowOnes(new Map([['slow', 0.1]]), []);

  expect(alone.length).toBeGreaterThan(5);
  expect(slowOnes(new Map([['slow', 0.1]]), ['late object'])).toEqual(alone);
  expect(slowOnes(new Map(FAULT_KINDS.map((kind) => [kind, 0.1])), ['late object', 'throttled'])).toEqual(
    alone,
  );
});
