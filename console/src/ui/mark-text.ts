/** A piece of a text: letters to show as they are, or a character that would not be seen. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'mark';
      /** `U+202E` */
      readonly code: string;
      /** `right-to-left override`; null of a character without a name here. */
      readonly name: string | null;
      /** How often it follows itself. */
      readonly times: number;
    };

/**
 * Characters that change how other text looks, or that nobody sees: control characters but tab and line break, bidirectional
 * marks, zero-width characters, tags, variation selectors, blank letters, separators of lines, halves of surrogate pairs and
 * code points that are no characters. `\p{DI}` are those that Unicode lets a program leave out when it draws.
 */
const UNSEEN =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/u;

/**
 * Unseen characters where a script or an emoji needs them (UAX #31, joiners): one joiner between letters of a script that
 * joins, an emoji's joiner, its selector, and line breaks. They stay, since a mark would tear the word apart.
 */
const NEEDED = new RegExp(
  [
    '\\r\\n|[\\n\\t]',
    '(?<=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}][\\p{M}]*)[\\u200c\\u200d](?=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}])',
    '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d](?=\\p{L})',
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[\\p{Extended_Pictographic}0-9#*])[\\ufe0e\\ufe0f]',
  ].join('|'),
  'uy',
);

const NAMES: Readonly<Record<number, string>> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  11: 'vertical tab',
  12: 'form feed',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  133: 'next line',
  173: 'soft hyphen',
  847: 'combining grapheme joiner',
  1564: 'Arabic letter mark',
  4447: 'blank letter',
  4448: 'blank letter',
  6068: 'invisible vowel',
  6069: 'invisible vowel',
  6158: 'Mongolian vowel separator',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of embedding',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8289: 'invisible function application',
  8290: 'invisible times',
  8291: 'invisible separator',
  8292: 'invisible plus',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'end of isolate',
  10240: 'blank Braille pattern',
  12644: 'blank letter',
  65279: 'zero-width no-break space',
  65440: 'blank letter',
  65529: 'annotation anchor',
  65530: 'annotation separator',
  65531: 'annotation terminator',
};

/** The name of a character that nobody sees. A tag stands for an ASCII character, with which text can be hidden. */
function nameOf(point: number): string | null {
  if (point >= 0xe0020 && point <= 0xe007e) return `hidden “${String.fromCodePoint(point - 0xe0000)}”`;
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef))
    return 'variation selector';
  if (point >= 0xd800 && point <= 0xdfff) return 'half of a surrogate pair';
  return NAMES[point] ?? null;
}

/**
 * Splits a text into what is shown as it is, and the characters that would not be seen or would change how the rest looks.
 * @param limit pieces at most; what follows is left out
 */
export function markText(text: string, limit = Number.POSITIVE_INFINITY): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  const search = new RegExp(UNSEEN, 'gu');
  for (let found = search.exec(text); found !== null && pieces.length < limit; found = search.exec(text)) {
    const { index: at } = found;
    NEEDED.lastIndex = at;
    const needed = NEEDED.exec(text);
    if (needed !== null) {
      search.lastIndex = at + needed[0].length;
      continue;
    }
    if (at > from) pieces.push({ kind: 'text', text: text.slice(from, at) });
    const point = text.codePointAt(at) ?? 0;
    from = at + found[0].length;
    let times = 1;
    while (text.codePointAt(from) === point) {
      times += 1;
      from += found[0].length;
    }
    search.lastIndex = from;
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    pieces.push({ kind: 'mark', code, name: nameOf(point), times });
  }
  if (pieces.length < limit && from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces.slice(0, limit);
}

/** Whether a text has characters that are marked. */
export function hasMarks(text: string): boolean {
  // No text follows a text, so the first mark is one of two pieces.
  return markText(text, 2).some(({ kind }) => kind === 'mark');
}

/** The beginning of a text, without half of a character at its end. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters);
}
