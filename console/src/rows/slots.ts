/**
 * Rows of a table that is taller than a browser lets an element be: about 33 million pixels in Chromium, 17.9 million in
 * Firefox. Such a table has fewer places (slots) than rows. What is on a slot moves: slot `s` holds row `s + shift`.
 * Small steps of scrolling leave the shift, so that they pass every row; a jump, such as with the scrollbar, sets it so
 * that the middle of the scrollbar is the middle of the rows.
 */
export interface SlotTable {
  readonly rows: number;
  /** Places in the table; as many as rows, where they fit. */
  readonly slots: number;
  /** Rows that are seen at once, in whole or in part. */
  readonly seen: number;
}

export interface SlotPosition {
  /** The first slot that is seen. */
  readonly slot: number;
  readonly shift: number;
}

/** Height that every browser gives an element, in pixels. */
export const HEIGHT_MAX = 15_000_000;

export function slotTableOf(rows: number, rowHeight: number, viewHeight: number): SlotTable {
  return {
    rows,
    slots: Math.min(rows, Math.floor(HEIGHT_MAX / rowHeight)),
    seen: Math.max(1, Math.ceil(viewHeight / rowHeight)),
  };
}

/** Where a row is shown as the first one: in proportion, but with room to scroll on to both ends. */
export function positionOf({ rows, slots, seen }: SlotTable, row: number): SlotPosition {
  const last = Math.max(0, rows - seen);
  const lastSlot = Math.max(0, slots - seen);
  const first = Math.min(Math.max(0, row), last);
  if (slots >= rows) return { slot: first, shift: 0 };
  const room = 4 * seen;
  const proportional = Math.round((first / last) * lastSlot);
  const slot = Math.min(
    Math.max(proportional, Math.min(first, room)),
    lastSlot - Math.min(last - first, room),
  );
  return { slot, shift: first - slot };
}

/**
 * Where the table is after it was scrolled to `slot`.
 * @returns the new position; if its slot is another than `slot`, the table has to be scrolled there, and shows the same rows
 */
export function scrolledTo(table: SlotTable, from: SlotPosition, slot: number): SlotPosition {
  const { rows, slots, seen } = table;
  if (slots >= rows) return { slot, shift: 0 };
  const isJump = Math.abs(slot - from.slot) > 2 * seen;
  const spare = rows - slots;
  if (isJump) {
    const lastSlot = Math.max(1, slots - seen);
    return { slot, shift: slot >= lastSlot ? spare : Math.round((slot / lastSlot) * spare) };
  }
  const { shift } = from;
  const isAtStart = slot < seen && shift > 0;
  const isAtEnd = slot > slots - 2 * seen && shift < spare;
  return isAtStart || isAtEnd ? positionOf(table, slot + shift) : { slot, shift };
}
