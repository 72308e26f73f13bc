import { expect, it } from 'vitest';
import {
  HEIGHT_MAX,
  positionOf,
  type SlotPosition,
  scrolledTo,
  slotTableOf,
} from '../../../console/src/rows/slots.ts';

const HEIGHT = 132;
const VIEW = 700;
const SEEN = 6;
const ROWS = 3_000_000;
const huge = slotTableOf(ROWS, HEIGHT, VIEW);

const firstRow = ({ slot, shift }: SlotPosition): number => slot + shift;

it('a table that fits has a slot for each of 100,000 rows, which never moves', () => {
  const table = slotTableOf(100_000, HEIGHT, VIEW);
  expect(table).toEqual({ rows: 100_000, slots: 100_000, seen: SEEN });
  expect(positionOf(table, 99_000)).toEqual({ slot: 99_000, shift: 0 });
  expect(scrolledTo(table, { slot: 3, shift: 0 }, 50_000)).toEqual({ slot: 50_000, shift: 0 });
  expect(positionOf(table, 100_000)).toEqual({ slot: 99_994, shift: 0 });
});

it('a table that fits has a place for no rows, and for fewer rows than are seen', () => {
  expect(positionOf(slotTableOf(0, HEIGHT, VIEW), 4)).toEqual({ slot: 0, shift: 0 });
  expect(positionOf(slotTableOf(3, HEIGHT, VIEW), 2)).toEqual({ slot: 0, shift: 0 });
});

it('a table of three million rows is no taller than browsers allow', () => {
  expect(huge.slots * HEIGHT).toBeLessThanOrEqual(HEIGHT_MAX);
});

it('a table of three million rows shows the first rows at the top and the last rows at the bottom of the scrollbar', () => {
  const middle = positionOf(huge, ROWS / 2);
  expect(firstRow(scrolledTo(huge, middle, 0))).toBe(0);
  expect(firstRow(scrolledTo(huge, middle, huge.slots - SEEN))).toBe(ROWS - SEEN);
  const half = scrolledTo(huge, { slot: 0, shift: 0 }, Math.round(huge.slots / 2));
  expect(firstRow(half) / ROWS).toBeCloseTo(0.5, 3);
});

it.each([
  ['down', 1],
  ['up', -1],
])(
  'a table of three million rows passes every row on the way %s in small steps, to the end',
  (_, direction) => {
    const start = direction === 1 ? ROWS - 2000 : 2000;
    let position = positionOf(huge, start);
    expect(firstRow(position)).toBe(start);
    const last = direction === 1 ? ROWS - SEEN : 0;
    for (let expected = start; expected !== last; ) {
      const slot = Math.max(0, position.slot + direction);
      expect(slot).toBeLessThanOrEqual(huge.slots - SEEN);
      position = scrolledTo(huge, position, slot);
      expected += direction;
      expect(firstRow(position)).toBe(expected);
      expect(position.shift).toBeGreaterThanOrEqual(0);
      expect(position.shift).toBeLessThanOrEqual(ROWS - huge.slots);
    }
  },
);

it('a table of three million rows goes on in small steps wherever a jump ended', () => {
  for (let slot = 0; slot <= huge.slots - SEEN; slot += 7919) {
    const jumped = scrolledTo(huge, { slot: slot > 50_000 ? 0 : huge.slots - SEEN, shift: 0 }, slot);
    const row = firstRow(jumped);
    if (row < ROWS - SEEN) expect(firstRow(scrolledTo(huge, jumped, jumped.slot + 1))).toBe(row + 1);
    expect(row).toBeGreaterThanOrEqual(0);
  }
});
