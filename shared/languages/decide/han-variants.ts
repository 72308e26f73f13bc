/** Characters that only one of the two Chinese scripts uses. */
export interface HanVariants {
  readonly Hans: ReadonlySet<string>;
  readonly Hant: ReadonlySet<string>;
}

let variants: HanVariants | null = null;

/**
 * The characters of GB 2312 (simplified) that Big5 (traditional) lacks, and vice versa. Each standard covers one
 * script, and Node.js includes both tables.
 */
export function hanVariants(): HanVariants {
  if (variants === null) {
    const simplified = charactersOf('gbk', [0xb0, 0xf7], [[0xa1, 0xfe]]);
    const traditional = charactersOf(
      'big5',
      [0xa4, 0xf9],
      [
        [0x40, 0x7e],
        [0xa1, 0xfe],
      ],
    );
    const without = (those: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
      new Set([...those].filter((character) => !others.has(character)));
    variants = { Hans: without(simplified, traditional), Hant: without(traditional, simplified) };
  }
  return variants;
}

/** The Han characters that an encoding maps to two bytes in these ranges. */
function charactersOf(
  encoding: string,
  [leadFirst, leadLast]: readonly [number, number],
  trails: readonly (readonly [number, number])[],
): Set<string> {
  const decoder = new TextDecoder(encoding);
  const characters = new Set<string>();
  for (let lead = leadFirst; lead <= leadLast; lead += 1) {
    for (const [first, last] of trails) {
      for (let trail = first; trail <= last; trail += 1) {
        const text = decoder.decode(Uint8Array.of(lead, trail));
        if (/^\p{Script=Han}$/u.test(text)) characters.add(text);
      }
    }
  }
  return characters;
}
