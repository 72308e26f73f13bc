import { Parser } from 'htmlparser2';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { DocumentLimits } from '../../decide/documents/limits.ts';
import type { Cell, Passages } from '../../decide/documents/passages.ts';
import { formatBytes } from '../../decide/file-error.ts';
import { decoded, NESTING_MAX, tooDeep } from './markup.ts';

/** Elements whose text is not visible on the page. */
const SKIPPED = new Set(
  'script style template noscript title svg math iframe object canvas audio video select datalist'.split(' '),
);

/** Block-level elements. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot ' +
    'th thead tr ul'
  ).split(' '),
);

const SPAN_MAX = 1000;
const CHARSET_BYTES = 1024;

/**
 * Text, headings, lists and tables of an HTML page.
 * @throws {ServiceError} `file_too_large`, `file_unreadable`
 */
export async function readHtml(
  source: AsyncIterable<Buffer>,
  passages: Passages,
  limits: Pick<DocumentLimits, 'htmlBytesMax'>,
): Promise<void> {
  const page = new PageWriter(passages);
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (text) => page.text(text),
    onclosetag: (name) => page.close(name),
  });
  const { head, whole } = await withHead(capped(source, limits.htmlBytesMax));
  for await (const text of decoded(whole, charsetOf(head))) parser.write(text);
  parser.end();
  page.end();
}

async function* capped(source: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > bytesMax) {
      throw new ServiceError(
        'file_too_large',
        `It is larger than ${formatBytes(bytesMax)}, the limit for an HTML page. Split it and upload the parts.`,
      );
    }
    yield piece;
  }
}

/** The first bytes of a source, and a stream of all of it. */
async function withHead(
  source: AsyncGenerator<Buffer>,
): Promise<{ head: Buffer; whole: AsyncIterable<Buffer> }> {
  let head: Buffer = Buffer.alloc(0);
  let isOver = false;
  while (head.length < CHARSET_BYTES && !isOver) {
    const { done, value } = await source.next();
    if (done) isOver = true;
    else head = Buffer.concat([head, value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* source;
  }
  return { head, whole: whole() };
}

/** The encoding that the page declares; UTF-8 if it declares none or an unknown one. */
function charsetOf(head: Buffer): string {
  const [, stated = 'utf-8'] =
    /<meta[^<>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head.subarray(0, CHARSET_BYTES).toString('latin1')) ??
    [];
  try {
    return new TextDecoder(stated).encoding;
  } catch {
    return 'utf-8';
  }
}

class PageWriter {
  readonly #passages: Passages;
  #text = '';
  #skipped = 0;
  #depth = 0;
  #preformatted = 0;
  /** Elements that determine the type of their text, innermost last. */
  #holders: string[] = [];
  #lists = 0;
  /** One entry for each open table; null for a layout table. */
  #tables: (Table | null)[] = [];

  constructor(passages: Passages) {
    this.#passages = passages;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > NESTING_MAX) throw tooDeep();
    if (this.#skipped > 0 || SKIPPED.has(name) || 'hidden' in attributes) {
      this.#skipped += 1;
      return;
    }
    if (name === 'br') this.#text += '\n';
    if (!BLOCKS.has(name)) return;
    this.#endBlock();
    const table = this.#tables.find((outermost) => outermost !== null);
    if (name === 'table') {
      const isLayout = /^(presentation|none)$/.test(attributes.role ?? '');
      this.#tables.push(isLayout ? null : new Table());
    } else if (name === 'tr') table?.beginRow(this.#isOuter());
    else if (name === 'td' || name === 'th') table?.beginCell(this.#isOuter(), attributes);
    else if (name === 'pre') this.#preformatted += 1;
    else if (name === 'ul' || name === 'ol') this.#lists += 1;
    if (/^(h[1-6]|li|pre)$/.test(name)) this.#holders.push(name);
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    this.#text += this.#preformatted > 0 ? text : text.replaceAll(/[ \t\n\r\f\u00a0]+/g, ' ');
  }

  close(name: string): void {
    this.#depth -= 1;
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (!BLOCKS.has(name)) return;
    this.#endBlock();
    const table = this.#tables.find((outermost) => outermost !== null);
    if (this.#holders.at(-1) === name) this.#holders.pop();
    if (name === 'tr') {
      const cells = table?.endRow(this.#isOuter());
      if (cells !== undefined) this.#passages.tableRow(cells);
    } else if (name === 'table') {
      const ended = this.#tables.pop();
      if (ended && this.#tables.every((other) => other === null)) this.#passages.endTable();
    } else if (name === 'pre') this.#preformatted -= 1;
    else if (name === 'ul' || name === 'ol') this.#lists -= 1;
  }

  end(): void {
    this.#endBlock();
    this.#passages.endTable();
  }

  /** Whether the innermost table is the one that is written: a nested table is text of its cell. */
  #isOuter(): boolean {
    return this.#tables.filter((table) => table !== null).length === 1 && this.#tables.at(-1) !== null;
  }

  #endBlock(): void {
    const written = this.#text;
    this.#text = '';
    const text = this.#preformatted > 0 ? withoutEdges(written) : trimmedLines(written);
    if (text === '') return;
    const table = this.#tables.find((outermost) => outermost !== null);
    if (table?.isInCell) {
      table.say(text);
      return;
    }
    const holder = this.#holders.at(-1) ?? '';
    if (/^h[1-6]$/.test(holder)) this.#passages.heading(Number(holder[1]), text);
    else if (holder === 'pre') this.#passages.paragraph(`\`\`\`\n${text}\n\`\`\``);
    else if (holder === 'li') {
      this.#passages.paragraph(`${'  '.repeat(Math.min(Math.max(this.#lists - 1, 0), 8))}- ${text}`);
    } else this.#passages.paragraph(text);
  }
}

/** Trims each line. A regular expression for the spaces would take quadratic time on long runs of spaces. */
function trimmedLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join('\n').trim();
}

/** Text without leading empty lines and trailing spaces. */
function withoutEdges(text: string): string {
  return text.trimEnd().replace(/^\n+/, '');
}

/** The rows of a table, with cells that span several columns or rows at their positions. */
class Table {
  isInCell = false;
  #cells: Cell[] = [];
  #column = 0;
  #span = 1;
  #rowSpan = 1;
  #text: string[] = [];
  /** Remaining rows for which a spanning cell occupies a column. */
  readonly #taken = new Map<number, number>();

  beginRow(isOuter: boolean): void {
    if (!isOuter) return;
    this.#cells = [];
    this.#column = 0;
  }

  beginCell(isOuter: boolean, attributes: Readonly<Record<string, string>>): void {
    if (!isOuter) return;
    this.#endCell();
    while ((this.#taken.get(this.#column) ?? 0) > 0) this.#column += 1;
    this.#span = spanOf(attributes.colspan);
    this.#rowSpan = spanOf(attributes.rowspan);
    this.isInCell = true;
  }

  say(text: string): void {
    this.#text.push(text);
  }

  endRow(isOuter: boolean): readonly Cell[] | undefined {
    if (!isOuter) return undefined;
    this.#endCell();
    for (const [column, rows] of this.#taken) {
      if (rows > 1) this.#taken.set(column, rows - 1);
      else this.#taken.delete(column);
    }
    return this.#cells;
  }

  #endCell(): void {
    if (!this.isInCell) return;
    this.isInCell = false;
    this.#cells.push({ column: this.#column, text: this.#text.splice(0).join('\n') });
    if (this.#rowSpan > 1) {
      for (let at = 0; at < this.#span; at += 1) this.#taken.set(this.#column + at, this.#rowSpan);
    }
    this.#column += this.#span;
  }
}

function spanOf(stated: string | undefined): number {
  const span = Math.floor(Number(stated ?? 1));
  return span >= 1 && span <= SPAN_MAX ? span : 1;
}
