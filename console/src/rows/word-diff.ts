import { diffArrays } from 'diff';
import { cutText } from '../ui/mark-text.ts';

/** A piece of two compared texts: in both, only in the one before, or only in the one after. */
export interface DiffPiece {
  readonly kind: 'both' | 'before' | 'after';
  readonly text: string;
}

export interface TextDiff {
  readonly pieces: readonly DiffPiece[];
  /** Whether words were compared; else only the common beginning and end are told apart from the rest. */
  readonly isByWord: boolean;
}

/** How much work a comparison may be. */
export interface DiffBounds {
  /** Characters of both texts together up to which their words are compared. */
  readonly charactersMax: number;
  /** Words that may differ; the work grows with the square of it. */
  readonly editsMax: number;
}

/** For a table that scrolls: below a millisecond a row. */
export const QUICK: DiffBounds = { charactersMax: 4000, editsMax: 100 };
/** For one row that is read: below 50 ms. */
export const THOROUGH: DiffBounds = { charactersMax: 100_000, editsMax: 600 };

/**
 * Words, spaces, and every other character alone. Scripts that put no space between words are compared by character.
 */
const TOKENS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[\p{L}\p{N}\p{M}_]+|\s+|[\s\S]/gu;

const tokensOf = (text: string): string[] => text.match(TOKENS) ?? [];

/** How many items two lists share at their beginning. */
function sharedBeginning(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let shared = 0;
  while (shared < most && before[shared] === after[shared]) shared += 1;
  return shared;
}

/** How many items two lists share at their end, beyond `taken` items at their beginning. */
function sharedEnd(before: readonly string[], after: readonly string[], taken: number): number {
  const most = Math.min(before.length, after.length) - taken;
  let shared = 0;
  while (shared < most && before[before.length - 1 - shared] === after[after.length - 1 - shared])
    shared += 1;
  return shared;
}

/**
 * Compares two texts by word. The work is bounded: texts that are too long, or differ in too much, are compared by their common
 * beginning and end alone.
 */
export function diffWords(before: string, after: string, bounds: DiffBounds): TextDiff {
  if (before === after) return { pieces: piecesOf([['both', before]]), isByWord: true };
  const isShort = before.length + after.length <= bounds.charactersMax;
  // Of long texts lines are compared, of which there are few.
  const split = isShort ? tokensOf : (text: string): string[] => text.split(/(?<=\n)/);
  const [old, now] = [split(before), split(after)];
  const begin = sharedBeginning(old, now);
  const end = sharedEnd(old, now, begin);
  const middle = [old.slice(begin, old.length - end), now.slice(begin, now.length - end)] as const;
  const changes = diffArrays(middle[0], middle[1], { maxEditLength: bounds.editsMax });
  const compared: (readonly [DiffPiece['kind'], string])[] =
    changes === undefined
      ? [
          ['before', middle[0].join('')],
          ['after', middle[1].join('')],
        ]
      : withoutIslands(
          changes.map(({ added, removed, value }) => [
            removed ? 'before' : added ? 'after' : 'both',
            value.join(''),
          ]),
        );
  return {
    pieces: piecesOf([
      ['both', old.slice(0, begin).join('')],
      ...compared,
      ['both', now.slice(now.length - end).join('')],
    ]),
    isByWord: isShort && changes !== undefined,
  };
}

type Part = readonly [DiffPiece['kind'], string];

/** Puts spaces that two changes share into both of them: `two new words` is one change, not three. */
function withoutIslands(parts: readonly Part[]): Part[] {
  const kept: Part[] = [];
  let before = '';
  let after = '';
  const flush = (): void => {
    if (before !== '') kept.push(['before', before]);
    if (after !== '') kept.push(['after', after]);
    before = '';
    after = '';
  };
  for (const [index, [kind, text]] of parts.entries()) {
    if (kind === 'before') before += text;
    else if (kind === 'after') after += text;
    else if (before !== '' && after !== '' && index < parts.length - 1 && text.trim() === '') {
      before += text;
      after += text;
    } else {
      flush();
      kept.push([kind, text]);
    }
  }
  flush();
  return kept;
}

const piecesOf = (parts: readonly Part[]): DiffPiece[] =>
  parts.filter(([, text]) => text !== '').map(([kind, text]) => ({ kind, text }));

/** The pieces of one side, in their order. */
export const sideOf = (diff: TextDiff, side: 'before' | 'after'): DiffPiece[] =>
  diff.pieces.filter(({ kind }) => kind === 'both' || kind === side);

/**
 * The part of a text that a line or four show: from the beginning, or, if the first change comes later, from a little before it.
 * @param characters of the part
 */
export function excerptOf(pieces: readonly DiffPiece[], characters: number): DiffPiece[] {
  const [first] = pieces;
  const begins = first?.kind === 'both' && pieces.length > 1 ? first.text.length : 0;
  const LEAD = 60;
  const start = begins > characters / 2 ? begins - LEAD : 0;
  const excerpt: DiffPiece[] = [];
  let at = 0;
  let left = characters;
  for (const { kind, text } of pieces) {
    const from = Math.max(0, start - at);
    at += text.length;
    if (from >= text.length) continue;
    const taken = cutText(text.slice(from), left);
    excerpt.push({ kind, text: excerpt.length === 0 && start > 0 ? `… ${wordStart(taken)}` : taken });
    left -= taken.length;
    if (left <= 0) break;
  }
  return excerpt;
}

/** A text without the rest of a word at its beginning. */
const wordStart = (text: string): string => text.replace(/^\S{0,20}\s+/u, '');
