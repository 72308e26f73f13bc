const BYTES = [
  0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95,
  0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
];

/** The characters of Windows-1252 whose code points are not their bytes, by their bytes. */
export const WINDOWS_1252: ReadonlyMap<number, string> = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, n) => [BYTES[n] as number, character]),
);

/** Decodes Windows-1252: the decoder of Node 20 takes it for Latin-1. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (character) => WINDOWS_1252.get(character.charCodeAt(0)) ?? character);
}
