import { WINDOWS_1252 } from '#shared/platform/windows-1252.ts';

const CP1252 = new Map([...WINDOWS_1252].map(([byte, character]) => [character, byte] as const));

/** A first byte of UTF-8 and the bytes behind it, each read as a character of Windows-1252 or Latin-1. */
const MISREAD = /[\u00C2-\u00F4][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{1,3}/g;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** What the letters and marks of European texts become if they are misread. */
const UNMISTAKABLE = /^(?:[\u00C2\u00C3][\u00A0-\u00BF]|â€)/;
/** Letters and marks of European texts, symbols and emoji. */
const EUROPEAN = /^[\u00A0-\u024F\u2000-\u2BFF\u{1F000}-\u{1FAFF}]$/u;
/** So many misread characters of another script are no accident. */
const OTHER_SCRIPT_MIN = 3;

/**
 * Decodes again what was decoded as Windows-1252 though it was UTF-8: `cafÃ©` becomes `café`, `itâ€™s` becomes `it’s`.
 * An accented letter before a quotation mark looks the same (`Spaß“`), so that other sequences count only if every
 * character of the text beyond ASCII is part of one. Text that was misread twice is decoded twice.
 */
export function decodeUtf8Misread(text: string): string {
  const once = decodeOnce(text);
  return once === text ? text : decodeOnce(once);
}

function decodeOnce(text: string): string {
  if (text.search(MISREAD) === -1) return text;
  const runs = [...text.matchAll(MISREAD)].flatMap(([run]) => {
    const read = decoded(run);
    return read === null ? [] : [{ run, read }];
  });
  if (runs.length === 0) return text;
  const beyond = text.match(/[\u{80}-\u{10FFFF}]/gu)?.length ?? 0;
  const covered = runs.reduce((sum, { run, read }) => sum + [...run].length - [...read].length + 1, 0);
  const isAll =
    covered === beyond &&
    (runs.length >= OTHER_SCRIPT_MIN || runs.every(({ read }) => EUROPEAN.test([...read][0] ?? '')));
  return text.replaceAll(MISREAD, (run) => {
    const read = decoded(run);
    const isRight = isAll || (UNMISTAKABLE.test(run) && EUROPEAN.test([...(read ?? '')][0] ?? ''));
    return read !== null && isRight ? read : run;
  });
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
