import { type ObjectScanner, scannedKey } from './raw-object.ts';

/** Finds selected columns among a scanned object's members, by comparing bytes if rows have the same layout. */
export class MemberSlots {
  readonly #slotByName: Map<string, number>;
  readonly #members: Int32Array;
  /** The last key at each member's position, with its slot (-1: none). */
  readonly #lastKeys: Buffer[] = [];
  readonly #lastSlots: number[] = [];

  constructor(names: readonly string[]) {
    this.#slotByName = new Map(names.map((name, slot) => [name, slot]));
    this.#members = new Int32Array(names.length);
  }

  /** For each name the index of its member in the scanner's last object, or -1. The array is reused. */
  find(bytes: Buffer, scanner: ObjectScanner): Int32Array {
    const members = this.#members.fill(-1);
    for (let index = 0; index < scanner.count; index += 1) {
      const slot = this.#slotAt(bytes, scanner, index);
      if (slot !== -1) members[slot] = index;
    }
    return members;
  }

  #slotAt(bytes: Buffer, scanner: ObjectScanner, index: number): number {
    const start = scanner.keyStarts[index] as number;
    const end = scanner.keyEnds[index] as number;
    const last = this.#lastKeys[index];
    if (last !== undefined && isSlice(last, bytes, start, end)) return this.#lastSlots[index] as number;
    const slot = this.#slotByName.get(scannedKey(bytes, scanner, index)) ?? -1;
    this.#lastKeys[index] = Buffer.from(bytes.subarray(start, end));
    this.#lastSlots[index] = slot;
    return slot;
  }
}

/** Whether `bytes` from `start` to `end` are exactly `expected`. */
export function isSlice(expected: Buffer, bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (expected.length !== length) return false;
  for (let at = 0; at < length; at += 1) {
    if (expected[at] !== bytes[start + at]) return false;
  }
  return true;
}
