import { UNSPACED } from './words.ts';

/**
 * How a column's answers are laid out: what stands before or behind an answer shows where the others have nothing there. No
 * words are known to it, so that it holds for any language and any page.
 */
export interface Outline {
  /** What hardly any answer has: several lines, several paragraphs, a first line that ends with a colon, an element. */
  readonly rare: ReadonlySet<Trait>;
  /** Shares of the kinds of characters with which answers begin and end. */
  readonly firsts: ReadonlyMap<string, number>;
  readonly lasts: ReadonlyMap<string, number>;
  /** Characters between which nine in ten answers lie. */
  readonly lengths: readonly [least: number, most: number];
  /** Words of many prompts, which say nothing of one. */
  readonly common: ReadonlySet<string>;
}

const TRAITS = ['lines', 'paragraphs', 'announced', 'element'] as const;
type Trait = (typeof TRAITS)[number];

/** A part that stands outside of an answer. */
export interface OuterText {
  /** What is there, in words that continue "The answer has …". */
  readonly why: string;
  /** The answer without it. */
  readonly rest: string;
  /** Whether it is no text of its own: a line that says nothing of its prompt may still be a warning, or the first of a program. */
  readonly isCertain: boolean;
}

export interface Answered {
  readonly prompt: string;
  readonly answer: string;
}

/** With fewer answers a column has no layout. */
const ANSWERS_MIN = 20;
/** Of a column of single lines or paragraphs so many answers may have more: one in seven may be damaged. */
const SEVERAL_SHARE_MAX = 0.15;
/** What fewer answers have is none of the column's own layout. */
const RARE_SHARE_MAX = 0.06;
const SHARES_MAX: Readonly<Record<Trait, number>> = {
  lines: SEVERAL_SHARE_MAX,
  paragraphs: SEVERAL_SHARE_MAX,
  announced: RARE_SHARE_MAX,
  element: RARE_SHARE_MAX,
};
const HAS: Readonly<Record<Trait, (answer: string) => boolean>> = {
  lines: (answer) => answer.includes('\n'),
  paragraphs: (answer) => paragraphsOf(answer).length > 1,
  announced: (answer) => ANNOUNCED.test(answer),
  element: (answer) => answer.startsWith('<') || CLOSED.test(answer),
};
/** Words of more prompts are those of a template. */
const COMMON_SHARE_MIN = 0.2;
const COMMON_MIN = 2;
/** What stands around an answer is short. */
const OUTER_CHARACTERS_MAX = 200;
/** So many answers begin, and end, as the rest does. */
const FIRST_SHARE_MIN = 0.2;
const LAST_SHARE_MIN = 0.3;
const LOOKED_AT_MAX = 8_000;
const ANSWER_CHARACTERS_MAX = 100_000;

/** Learns how answers are laid out; null if they are too few. */
export function learnOutline(rows: readonly Answered[]): Outline | null {
  const count = rows.length;
  if (count < ANSWERS_MIN) return null;
  const answers = rows.map(({ answer }) => answer.slice(0, LOOKED_AT_MAX).trim());
  const lengths = answers.map(({ length }) => length).sort((a, b) => a - b);
  const prompts = new Map<string, number>();
  for (const { prompt } of rows) {
    for (const stem of stemsOf(prompt)) prompts.set(stem, (prompts.get(stem) ?? 0) + 1);
  }
  const most = Math.max(COMMON_MIN, COMMON_SHARE_MIN * count);
  return {
    rare: new Set(TRAITS.filter((trait) => answers.filter(HAS[trait]).length / count <= SHARES_MAX[trait])),
    firsts: sharesOf(answers.map(firstOf)),
    lasts: sharesOf(answers.map(lastOf)),
    lengths: [lengths[Math.floor(count / 20)] ?? 0, lengths[count - 1 - Math.floor(count / 20)] ?? 0],
    common: new Set([...prompts].filter(([, times]) => times > most).map(([stem]) => stem)),
  };
}

/** Finds what stands before or behind an answer and its column has in no other; null if there is nothing. */
export function outerTextIn({ answer, prompt }: Answered, outline: Outline): OuterText | null {
  if (answer.length > ANSWER_CHARACTERS_MAX) return null;
  const text = answer.trim();
  const parts = partsOf(text, outline.rare).filter(
    ({ trait, outer, rest }) =>
      rest.length <= outline.lengths[1] &&
      // What is left is as the column is: of one line, or of one paragraph.
      !(trait === 'lines' && rest.includes('\n')) &&
      !(trait === 'paragraphs' && paragraphsOf(rest).length > 1) &&
      outer.length <= OUTER_CHARACTERS_MAX &&
      isLikeOthers(outline, rest),
  );
  if (parts.length === 0) return null;
  const asked = new Set([...stemsOf(prompt)].filter((stem) => !outline.common.has(stem)));
  const found = parts
    // A prompt that all rows have does not show what is meant to be there.
    .filter(
      ({ trait, outer }) => trait === 'element' || (asked.size > 0 && sharedOf(stemsOf(outer), asked) === 0),
    )
    .map((part) => ({
      ...part,
      gain: likenessOf(outline, part.rest, asked) - likenessOf(outline, part.outer, asked),
    }))
    .filter(({ gain }) => gain >= 0)
    // An element last: what is no text is certain.
    .sort((a, b) => Number(a.trait === 'element') - Number(b.trait === 'element') || a.gain - b.gain)
    .at(-1);
  if (found === undefined) return null;
  return { why: WHY[found.trait], rest: found.rest, isCertain: found.trait === 'element' };
}

const WHY: Readonly<Record<Trait, string>> = {
  lines: 'a line outside of it, in a column of single lines',
  paragraphs: 'a paragraph outside of it, in a column of single paragraphs',
  announced: 'a line that announces it, as no other of its column',
  element: 'an element around or before it, as no other of its column',
};

interface Part {
  readonly trait: Trait;
  readonly outer: string;
  readonly rest: string;
}

/** Ways to divide a text into an answer and what stands around it, by the traits that a column hardly has. */
function partsOf(text: string, rare: ReadonlySet<Trait>): Part[] {
  const parts: Part[] = [];
  const add = (trait: Trait, outer: string, rest: string): void => {
    if (/[\p{L}\p{N}]/u.test(rest)) parts.push({ trait, outer: outer.trim(), rest: rest.trim() });
  };
  const addEnds = (trait: Trait, [first = '', ...others]: readonly string[]): void => {
    const last = others.at(-1);
    if (last === undefined) return;
    if (!LISTED.test(first)) add(trait, first, text.slice(text.indexOf(first) + first.length));
    if (!LISTED.test(last)) add(trait, last, text.slice(0, text.lastIndexOf(last)));
  };
  if (rare.has('paragraphs')) addEnds('paragraphs', paragraphsOf(text));
  if (rare.has('lines')) addEnds('lines', linesOf(text));
  const lead = rare.has('announced') && ANNOUNCED.test(text) ? text.slice(0, text.indexOf('\n')) : null;
  if (lead !== null) {
    const rest = text.slice(lead.length).replace(RULE, '').trim();
    const isLead = paragraphsOf(text)[0] === lead || linesOf(text).length === 2;
    // What a line announces that is no answer: a list, a block of code, the first of several headed parts.
    if (isLead && !LISTED.test(rest) && !rest.split('\n').some((line) => COLON.test(line)))
      add('announced', lead, rest);
  }
  if (!rare.has('element')) return parts;
  const opening = ELEMENT.exec(text);
  if (opening !== null) {
    const end = text.indexOf(`</${opening[1]}>`);
    const behind = text.slice(end + `</${opening[1]}>`.length);
    const inner = text.slice(opening[0].length, end);
    if (end !== -1 && behind.trim() !== '') add('element', text.slice(0, -behind.length), behind);
    else if (end !== -1 && !/[<>]/.test(inner)) add('element', opening[0], inner);
  }
  const closing = text.indexOf('</');
  const closed = closing > 0 && text.indexOf('<') === closing ? CLOSING.exec(text.slice(closing)) : null;
  if (closed !== null) add('element', text.slice(0, closing), text.slice(closing + closed[0].length));
  return parts;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const paragraphsOf = (text: string): string[] =>
  text.split(/\n[^\S\n]*\n/).filter((paragraph) => paragraph.trim() !== '');

/** A first line that ends with a colon, and something behind it. */
const ANNOUNCED = /^[^\n]{0,300}[:：][*_]{0,2}[^\S\n]{0,8}\n/;
const COLON = /[:：][*_]{0,2}\s{0,8}$/;
const RULE = /^\s*---[^\S\n]*\n/;
/** An item of a list, a row of a table, a heading, a block of code, a line of a program that asks. */
const LISTED =
  /^\s*(?:[-*•+–|>$]|\d{1,3}[.):、]|[a-zA-Z][.)]|#{1,6} |```|[（(]?[一二三四五六七八九十1-9][)）、.])/;
const ELEMENT = /^<(\w{1,20})(?:\s[^<>\n]{0,60})?>/;
const CLOSED = /<\/\w{1,20}>$/;
const CLOSING = /^<\/\w{1,20}>\s{0,40}(?=\S)/;

const kindOf = (character: string): string =>
  /\p{Lu}/u.test(character)
    ? 'capital'
    : /\p{Ll}/u.test(character)
      ? 'small'
      : /[\p{L}\p{M}]/u.test(character)
        ? 'letter'
        : /\p{N}/u.test(character)
          ? 'digit'
          : character;
const firstOf = (text: string): string => kindOf(String.fromCodePoint(text.codePointAt(0) ?? 32));
const lastOf = (text: string): string => {
  const kind = kindOf(text.slice(-1));
  return kind === 'capital' || kind === 'small' ? 'letter' : kind;
};

function sharesOf(kinds: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const kind of kinds) shares.set(kind, (shares.get(kind) ?? 0) + 1 / kinds.length);
  return shares;
}

/** Whether a text begins and ends as many answers of the column do. */
const isLikeOthers = ({ firsts, lasts }: Outline, text: string): boolean =>
  (firsts.get(firstOf(text)) ?? 0) >= FIRST_SHARE_MIN && (lasts.get(lastOf(text)) ?? 0) >= LAST_SHARE_MIN;

/** How much a text is like an answer of the column to a prompt with these words; the weights rank parts of one text alone. */
function likenessOf({ firsts, lasts, lengths }: Outline, text: string, asked: ReadonlySet<string>): number {
  const stems = stemsOf(text);
  const isAsLong = text.length >= lengths[0] / 2 && text.length <= lengths[1] * 1.5;
  return (
    2 * (firsts.get(firstOf(text)) ?? 0) +
    2 * (lasts.get(lastOf(text)) ?? 0) +
    (isAsLong ? 1 : 0) +
    (stems.size === 0 ? 0 : sharedOf(stems, asked) / Math.sqrt(stems.size))
  );
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const STEM_CHARACTERS = 5;
const STEM_CHARACTERS_MIN = 3;
/** The beginnings of the words of a text, which words of one root share; two characters each of scripts without spaces. */
function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const [word] of text.slice(0, LOOKED_AT_MAX).toLowerCase().matchAll(WORD)) {
    if (UNSPACED.test(word)) {
      for (let at = 1; at < word.length; at += 1) stems.add(word.slice(at - 1, at + 1));
    } else if (word.length >= STEM_CHARACTERS_MIN) stems.add(word.slice(0, STEM_CHARACTERS));
  }
  return stems;
}

function sharedOf(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of stems) if (others.has(stem)) shared += 1;
  return shared;
}
