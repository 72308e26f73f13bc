/** A number from 0 to 1 for each row, in no order: datasets repeat with any regular step. */
function placeOf(row: number): number {
  let mixed = Math.imul(row ^ (row >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** About `max` of the rows, always the same ones; all if they are fewer. */
export function drawRows(rows: readonly number[], max: number): readonly number[] {
  return rows.length <= max ? rows : rows.filter((row) => placeOf(row) * rows.length < max);
}
