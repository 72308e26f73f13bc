/** A deterministic random number generator in [0, 1). */
export type Random = () => number;

/** Mulberry32, seeded by a mix of the given integers (constants of splitmix32). */
export function createRandom(...seeds: readonly number[]): Random {
  let state = 0;
  for (const seed of seeds) {
    state = mix((state + 0x9e3779b9) ^ mix(seed >>> 0) ^ mix(Math.floor(seed / 2 ** 32)));
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers below `count` in random order (Fisher and Yates). */
export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const moved = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = moved;
  }
  return order;
}

function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return bits ^ (bits >>> 15);
}
