const DIMENSIONS = 32;

/** A number from -1 to 1 that a word and a place determine. */
function numberOf(word: string, at: number): number {
  let hash = at + 1;
  for (const character of word) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) + at;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 31 - 1;
}

/** Embeds texts by the sum of a vector for each word: texts that share words are near. */
export const embedWords = (texts: readonly string[]): Float32Array[] =>
  texts.map((text) => {
    const vector = new Float32Array(DIMENSIONS);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] as number) + numberOf(word, at);
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  });
