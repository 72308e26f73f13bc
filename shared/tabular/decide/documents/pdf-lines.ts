import type { Passages } from './passages.ts';

/** A run of characters from PDF.js. */
export interface PdfTextItem {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  /** `[a, b, c, d, x, y]`: the text's size and angle, and its start in points from the lower left. */
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

/** The start or the end of tagged content. */
export interface PdfMark {
  readonly type: string;
  readonly id?: string | null;
}

export type PdfText = readonly (PdfTextItem | PdfMark)[];

/** A line is a heading if it is this many times larger than the body text. */
const HEADING_RATIO = 1.15;
/** A gap of this many line heights separates paragraphs. */
const GAP_RATIO = 1.6;
/** A gap of this many font sizes within a line separates columns. */
const COLUMN_GAP = 1.5;
/** Bullet characters; symbol fonts use the Unicode private use area. */
const BULLET = /^(?:[•◦▪‣●○■·*–-]|[\ue000-\uf8ff])\s+/u;

interface Line {
  readonly text: string;
  /** The texts between wide gaps. */
  readonly parts: readonly string[];
  readonly size: number;
  /** Height of its baseline; null if the next line is not below it. */
  readonly y: number;
}

function sizeOf({ transform, height }: PdfTextItem): number {
  const [, , c = 0, d = 0] = transform;
  return height || Math.hypot(c, d);
}

/** Layout shared by the pages of a document. */
export interface PdfLayout {
  /** The most frequent font size, to half a point; 0 without text. */
  readonly bodySize: number;
  /** Lines at the same position on several pages: running heads, page numbers. */
  readonly running: ReadonlySet<string>;
}

/** A running line is at the edge of at least this many pages, and of this share of the examined pages. */
const RUNNING_PAGES_MIN = 3;
const RUNNING_SHARE_MIN = 0.25;

/** The layout of a document, derived from some of its pages. */
export function layoutOf(pages: readonly PdfText[]): PdfLayout {
  const characters = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const text of pages) {
    for (const item of text) {
      if (!('str' in item)) continue;
      const size = Math.round(sizeOf(item) * 2) / 2;
      characters.set(size, (characters.get(size) ?? 0) + item.str.trim().length);
    }
    const keys = new Set(edgesOf([...linesOf(text)]).map(runningKey));
    for (const key of keys) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const [commonest] = [...characters].sort(([, one], [, other]) => other - one);
  const pagesMin = Math.max(RUNNING_PAGES_MIN, pages.length * RUNNING_SHARE_MIN);
  return {
    bodySize: commonest?.[0] ?? 0,
    running: new Set([...seen].filter(([, count]) => count >= pagesMin).map(([key]) => key)),
  };
}

/** The first and last lines of a page, where running lines are. */
function edgesOf(lines: readonly Line[]): Line[] {
  return lines.filter((_line, index) => index < 2 || index >= lines.length - 2);
}

/** The key of a running line, equal on every page: its position and its words without numbers. */
function runningKey({ text, y }: Line): string {
  return `${Math.round(y)} ${text.replaceAll(/\d+|\b[ivxlc]+$/g, '#')}`;
}

/** Writes text without tags: gaps separate paragraphs, and font sizes determine headings. */
export function writeLines(text: PdfText, layout: PdfLayout, passages: Passages): void {
  const { bodySize: body, running } = layout;
  let paragraph: Line[] = [];
  const endParagraph = (): void => {
    const [first] = paragraph;
    if (first === undefined) return;
    const joined = joinLines(paragraph.map((line) => line.text));
    const isHeading = body > 0 && first.size >= body * HEADING_RATIO;
    if (isHeading) passages.heading(headingLevel(first.size / body), joined);
    else passages.paragraph(joined);
    paragraph = [];
  };
  const all = [...linesOf(text)];
  const edges = new Set(edgesOf(all).filter((line) => running.has(runningKey(line))));
  const lines = all.filter((line) => !edges.has(line));
  for (const [index, line] of lines.entries()) {
    const last = lines[index - 1];
    const next = lines[index + 1];
    if (isTableRow(line, last) || isTableRow(line, next)) {
      endParagraph();
      passages.tableRow(line.parts.map((part, column) => ({ column, text: part })));
      if (!isTableRow(line, next)) passages.endTable();
      continue;
    }
    if (paragraph.length > 0 && last !== undefined && isApart(last, line, body)) endParagraph();
    paragraph.push(line);
  }
  endParagraph();
}

/** Whether a line has as many columns as its neighbour, and so is a table row. */
function isTableRow(line: Line, beside: Line | undefined): boolean {
  return line.parts.length > 1 && line.parts.length === beside?.parts.length;
}

function isApart(last: Line, line: Line, body: number): boolean {
  const gap = last.y - line.y;
  return (
    gap < 0 ||
    gap > Math.max(last.size, line.size) * GAP_RATIO ||
    Math.abs(line.size - last.size) > body * 0.1 ||
    BULLET.test(line.text)
  );
}

/** Larger headings have outer levels; there are three. */
function headingLevel(ratio: number): number {
  if (ratio >= 1.7) return 1;
  return ratio >= 1.4 ? 2 : 3;
}

/** Joins lines into one text; a hyphenated word at the end of a line is unchanged. */
function joinLines(lines: readonly string[]): string {
  return lines.join(' ').replace(BULLET, '- ');
}

/** Text of a list item without its bullet. */
export function withoutBullet(text: string): string {
  return text.trimStart().replace(BULLET, '');
}

function* linesOf(text: PdfText): Generator<Line> {
  let items: PdfTextItem[] = [];
  for (const item of text) {
    if (!('str' in item)) continue;
    const last = items.at(-1);
    const [, , , , , y = 0] = item.transform;
    const isBelow =
      last !== undefined && Math.abs((last.transform[5] ?? 0) - y) > Math.max(sizeOf(last), 1) * 0.6;
    if (isBelow) {
      yield* lineOf(items);
      items = [];
    }
    if (item.str !== '') items.push(item);
    if (item.hasEOL) {
      yield* lineOf(items);
      items = [];
    }
  }
  yield* lineOf(items);
}

function* lineOf(items: readonly PdfTextItem[]): Generator<Line> {
  const parts = partsOf(items);
  if (parts.length === 0) return;
  const [longest] = items
    .filter(({ str }) => str.trim() !== '')
    .sort((one, other) => other.str.length - one.str.length);
  if (longest === undefined) return;
  yield { text: parts.join(' | '), parts, size: sizeOf(longest), y: longest.transform[5] ?? 0 };
}

/** The items of a line, with a space at gaps; a wide gap starts another column. */
function partsOf(items: readonly PdfTextItem[]): string[] {
  const parts: string[] = [];
  let said = '';
  let end: number | null = null;
  for (const item of items) {
    const [, , , , x = 0] = item.transform;
    // Space characters count by their width, together with the gaps around them.
    if (item.str.trim() === '') continue;
    const size = Math.max(sizeOf(item), 1);
    const gap = end === null ? 0 : x - end;
    // The gap after a bullet is wide.
    if (gap > size * COLUMN_GAP && !BULLET.test(`${said} `)) {
      parts.push(said);
      said = '';
    } else if (gap > size * 0.1 && !isSpace(said.at(-1)) && !isSpace(item.str[0])) said += ' ';
    said += item.str;
    end = x + item.width;
  }
  return [...parts, said].map((part) => part.trim()).filter((part) => part !== '');
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character.trim() === '';
}
