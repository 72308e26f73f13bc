/** The characters of Windows-1252 whose code points are not their bytes. */
const CP1252 = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, n) => {
    const bytes = [
      0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94,
      0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
    ];
    return [character, bytes[n] as number] as const;
  }),
);

/** A first byte of UTF-8 and the bytes behind it, each read as a character of Windows-1252 or Latin-1. */
const MISREAD = /[\u00C2-\u00F4][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{1,3}/g;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes again what was decoded as Windows-1252 though it was UTF-8: `cafÃ©` becomes `café`, `itâ€™s` becomes `it’s`.
 * All else stays. Text that was misread twice is decoded twice.
 */
export function decodeUtf8Misread(text: string): string {
  const once = text.replaceAll(MISREAD, (run) => decoded(run) ?? run);
  return once === text ? text : once.replaceAll(MISREAD, (run) => decoded(run) ?? run);
}

/** The characters of a run, of which a valid sequence may be the beginning; null if none is. */
function decoded(run: string): string | null {
  const bytes = [...run].map((character) => CP1252.get(character) ?? (character.codePointAt(0) as number));
  const lead = bytes[0] as number;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (bytes.length < length) return null;
  try {
    return decoder.decode(Uint8Array.from(bytes.slice(0, length))) + [...run].slice(length).join('');
  } catch {
    return null;
  }
}
