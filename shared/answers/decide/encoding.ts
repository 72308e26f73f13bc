import { decodeWindows1252, WINDOWS_1252 } from '#shared/platform/windows-1252.ts';

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
  const read = decodedUtf8(Uint8Array.from(bytes.slice(0, length)));
  return read === null ? null : read + [...run].slice(length).join('');
}

function decodedUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Encodings of one byte a character in which texts of an alphabet were written before UTF-8. */
const ALPHABETS: readonly (readonly [letter: RegExp, encodings: readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, ['windows-1251', 'koi8-r', 'ibm866']],
  [/\p{Script=Greek}/u, ['windows-1253']],
  [/\p{Script=Hebrew}/u, ['windows-1255']],
  [/\p{Script=Arabic}/u, ['windows-1256']],
];
/** Those in which programs read what they were not told the encoding of. */
const READ_AS = ['windows-1252', 'windows-1251', 'koi8-r'];

const tables = new Map<
  string,
  { readonly bytes: ReadonlyMap<string, number>; readonly characters: string }
>();

/** The upper half of an encoding: the character of each byte from 0x80 on, and the bytes of the characters. */
function tableOf(encoding: string) {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const upper = Uint8Array.from({ length: 128 }, (_, n) => 0x80 + n);
  const characters =
    encoding === 'windows-1252'
      ? decodeWindows1252(Buffer.from(upper))
      : new TextDecoder(encoding).decode(upper);
  const table = { characters, bytes: new Map([...characters].map((character, n) => [character, 0x80 + n])) };
  tables.set(encoding, table);
  return table;
}

/** The bytes of a text in an encoding; null if it has not all of its characters. */
function bytesOf(text: string, encoding: string): Uint8Array | null {
  const { bytes } = tableOf(encoding);
  const found: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const byte = code < 0x80 ? code : bytes.get(character);
    if (byte === undefined) return null;
    found.push(byte);
  }
  return Uint8Array.from(found);
}

/** Characters beyond ASCII that a misread text has at least. */
const MISREAD_MIN = 6;

/**
 * Decodes again what was read in another encoding of one byte a character than it was written in: UTF-8 that is read as Windows-1251
 * (`РџСЂРёРІРµС‚`), Windows-1251 as Windows-1252 (`Ïðèâåò`), KOI8-R as Windows-1251 (`оПХБЕР`). The first shows by itself, since no
 * text is UTF-8 by chance; the others where `asked` is in the alphabet that comes out, and the text was not as words are written.
 */
export function decodeAlphabetMisread(text: string, asked: string): string {
  const readAs = READ_AS.filter((encoding) => startsIn(text, encoding));
  const alphabet = readAs.length === 0 ? null : misreadAlphabet(text, asked);
  const maybeUtf8 = readAs.filter((encoding) => startsUtf8(text, encoding));
  // Almost every text ends here, before all of it is looked at.
  if (alphabet === null && maybeUtf8.length === 0) return text;
  if ((text.match(/[^\0-\x7f]/gu)?.length ?? 0) < MISREAD_MIN) return text;
  for (const encoding of maybeUtf8) {
    const bytes = bytesOf(text, encoding);
    const utf8 = bytes === null ? null : decodedUtf8(bytes);
    if (utf8 !== null) return utf8;
  }
  if (alphabet === null) return text;
  const [letter, encodings] = alphabet;
  const found = readAs.flatMap((encoding) => {
    const bytes = bytesOf(text, encoding);
    return bytes === null ? [] : encodings.map((each) => decodedAs(bytes, each));
  });
  // What is read has to be more like the request than what stands there.
  const [[best] = [text]] = [text, ...found.filter((each) => isWritten(each, letter))]
    .map((each) => [each, likeness(each, asked)] as const)
    .sort(([, one], [, other]) => other - one);
  return best;
}

/** The first two characters of a text from the first beyond ASCII on, as bytes of an encoding. */
function firstBytes(text: string, encoding: string): readonly [number | undefined, number | undefined] {
  const { bytes } = tableOf(encoding);
  const first = text.search(/[^\0-\x7f]/);
  return [bytes.get(text.charAt(first)), bytes.get(text.charAt(first + 1))];
}

/** Whether an encoding has the first character of a text beyond ASCII. */
const startsIn = (text: string, encoding: string): boolean => firstBytes(text, encoding)[0] !== undefined;

/** Whether a text in an encoding may be UTF-8: its first character beyond ASCII is the first byte of one, and the next one goes on. */
function startsUtf8(text: string, encoding: string): boolean {
  const [lead = 0, next = 0] = firstBytes(text, encoding);
  return lead >= 0xc2 && lead <= 0xf4 && next >= 0x80 && next <= 0xbf;
}

/** The alphabet of a request, if a text has words beyond ASCII, and not as they are written in it; else null. */
function misreadAlphabet(text: string, asked: string): (typeof ALPHABETS)[number] | null {
  if (!hasWords(text)) return null;
  const alphabet = ALPHABETS.find(([letter]) => letter.test(asked)) ?? null;
  return alphabet?.[0].test(text) && !hasOddCase(text) ? null : alphabet;
}

/** How often two letters that are drawn from two texts are the same: more often where both are of one language. */
function likeness(text: string, other: string): number {
  const letters = lettersOf(other);
  return lettersOf(text).reduce((sum, letter) => sum + letters.filter((each) => each === letter).length, 0);
}

const lettersOf = (text: string): string[] =>
  text
    .slice(0, COMPARED_MAX)
    .toLowerCase()
    .match(/[^\P{L}\0-\x7f]/gu) ?? [];
const COMPARED_MAX = 300;

function decodedAs(bytes: Uint8Array, encoding: string): string {
  const { characters } = tableOf(encoding);
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : characters[byte - 0x80],
  ).join('');
}

/** Whether a text has two words of letters beyond ASCII: signs, and single letters with accents, are those of no misread text. */
function hasWords(text: string): boolean {
  const words = text.matchAll(/[^\0-\x7f\P{L}]{4,80}/gu);
  return words.next().done !== true && words.next().done !== true;
}

/**
 * Whether capitals and small letters have changed places, as KOI8-R and Windows-1251 have them: a word begins small and goes on in
 * capitals, a longer word than an abbreviation is in capitals, and no small letter stands anywhere but at the beginning of a word.
 */
const hasOddCase = (text: string): boolean =>
  !/\p{L}\p{Ll}/u.test(text) && ODD_WORD.test(text) && LONG_CAPITALS.test(text);
const ODD_WORD = /(?<!\p{L})[а-яё][А-ЯЁ]{2}/u;
const LONG_CAPITALS = /[А-ЯЁ]{5}/u;

/** Whether a text is written in an alphabet: beyond ASCII it has nothing but letters of it and usual marks, each word is of one alphabet, and capitals begin words or fill them. */
const isWritten = (text: string, letter: RegExp): boolean =>
  (text.match(/[^\0-\x7f]/gu) ?? []).every((each) => letter.test(each) || USUAL_MARK.test(each)) &&
  !MIXED_WORD.test(text) &&
  !STRAY_CAPITAL.test(text);
const USUAL_MARK = /^[\u00A0«»„“”‘’–—…№°©·•،؟؛־]$/u;
const MIXED_WORD = /[a-z][^\0-\x7f]|[^\0-\x7f\P{L}][a-z]/iu;
const STRAY_CAPITAL = /\p{Ll}\p{Lu}/u;
