import { posix } from 'node:path';
import type { Cell, Passages } from '../../decide/documents/passages.ts';
import type { Archive } from './archive.ts';
import { readXml } from './markup.ts';
import { mainPart, readRelationships } from './office-package.ts';

interface ParagraphStyle {
  /** 0 for the document's title, 1 to 9 for headings; null for text. */
  readonly level: number | null;
  readonly isListed: boolean;
  /** A line of a table of contents, which duplicates the headings. */
  readonly isContents: boolean;
}

type Styles = ReadonlyMap<string, ParagraphStyle>;

/** Styles that a style is based on, one on another: beyond that it is text. */
const BASES_MAX = 50;
const TEXT: ParagraphStyle = { level: null, isListed: false, isContents: false };

/** Elements whose text is not part of the document: deleted text, and fallbacks for older programs. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'pPrChange', 'rt', 'del']);

/** Text, headings, lists and tables of a Word document; a footnote follows the paragraph that refers to it. */
export async function readDocx(archive: Archive, passages: Passages): Promise<void> {
  const main = await mainPart(archive, 'word', 'Word document');
  const parts = new Map((await readRelationships(archive, main)).map(({ type, target }) => [type, target]));
  const part = (type: string, usual: string): string | null => {
    const path = parts.get(type) ?? posix.join(posix.dirname(main), usual);
    return archive.has(path) ? path : null;
  };
  const styles = await readStyles(archive, part('styles', 'styles.xml'));
  const notes = new Map([
    ...(await readNotes(archive, part('footnotes', 'footnotes.xml'), 'footnote', styles)),
    ...(await readNotes(archive, part('endnotes', 'endnotes.xml'), 'endnote', styles)),
  ]);
  await readBody(archive, main, styles, new BodyWriter(passages, notes));
}

async function readStyles(archive: Archive, path: string | null): Promise<Styles> {
  interface Written {
    name: string;
    basedOn: string | undefined;
    outline: number | undefined;
    isListed: boolean;
  }
  const written = new Map<string, Written>();
  let style: Written | null = null;
  if (path !== null) {
    await readXml(archive.stream(path), {
      open(name, { styleId, val = '', type }) {
        if (name === 'style') {
          style = { name: '', basedOn: undefined, outline: undefined, isListed: false };
          if (type === 'paragraph' && styleId !== undefined) written.set(styleId, style);
        } else if (style === null) return;
        else if (name === 'name') style.name = val.toLowerCase();
        else if (name === 'basedOn') style.basedOn = val;
        else if (name === 'outlineLvl') style.outline = Number(val);
        else if (name === 'numId') style.isListed = val !== '0';
      },
      close(name) {
        if (name === 'style') style = null;
      },
    });
  }
  const resolve = (id: string, bases: number): ParagraphStyle => {
    const own = written.get(id);
    // A style may be based on itself.
    if (own === undefined || bases > BASES_MAX) return TEXT;
    const base = own.basedOn === undefined ? TEXT : resolve(own.basedOn, bases + 1);
    const [, digit] = /^heading ([1-9])$/.exec(own.name) ?? [];
    const outlined = own.outline === undefined || own.outline > 8 ? null : own.outline + 1;
    const level = digit !== undefined ? Number(digit) : own.name === 'title' ? 0 : outlined;
    return {
      level: level ?? (own.outline === undefined ? base.level : null),
      isListed: own.isListed || base.isListed,
      isContents: /^(toc|contents) \d$/.test(own.name) || base.isContents,
    };
  };
  return new Map([...written.keys()].map((id) => [id, resolve(id, 0)]));
}

/** Receives the content from `readBody`. */
interface BodySink {
  paragraph(text: string, style: ParagraphStyle, depth: number): void;
  row(cells: readonly Cell[]): void;
  endTable(): void;
  /** The mark of a note reference in the text. */
  noteMark(kind: string, id: string): string;
  /** Called at the start of a note. */
  beginNote?(id: string): void;
}

interface OpenParagraph {
  text: string;
  style: ParagraphStyle;
  depth: number;
}

/** What `readBody` remembers between elements. */
interface BodyState {
  /** Paragraphs are nested if they contain text boxes. */
  readonly paragraphs: OpenParagraph[];
  /** Open elements that are not read, outermost first. */
  skipped: number;
  runs: number;
  isText: boolean;
  /** Open tables; what an inner one holds is text of the outer one's cell. */
  tables: number;
  cells: Cell[];
  column: number;
  span: number;
  cellText: string[];
}

async function readBody(archive: Archive, path: string, styles: Styles, sink: BodySink): Promise<void> {
  const state: BodyState = {
    paragraphs: [],
    skipped: 0,
    runs: 0,
    isText: false,
    tables: 0,
    cells: [],
    column: 0,
    span: 1,
    cellText: [],
  };
  await readXml(archive.stream(path), {
    open(name, { val = '', id = '' }) {
      if (state.skipped > 0 || SKIPPED.has(name)) {
        state.skipped += 1;
        return;
      }
      openText(state, name, id, sink);
      openTable(state, name, val);
      const paragraph = state.paragraphs.at(-1);
      if (paragraph !== undefined) setProperty(paragraph, name, val, styles);
    },
    text(text) {
      if (state.isText && state.skipped === 0) say(state, text);
    },
    close(name) {
      if (state.skipped > 0) {
        state.skipped -= 1;
        return;
      }
      closeText(state, name, sink);
      closeTable(state, name, sink);
    },
  });
}

function say({ paragraphs }: BodyState, text: string): void {
  const paragraph = paragraphs.at(-1);
  if (paragraph !== undefined) paragraph.text += text;
}

function openText(state: BodyState, name: string, id: string, sink: BodySink): void {
  switch (name) {
    case 'p':
      state.paragraphs.push({ text: '', style: TEXT, depth: 0 });
      break;
    case 'r':
      state.runs += 1;
      break;
    case 't':
      state.isText = true;
      break;
    case 'tab':
      if (state.runs > 0) say(state, '\t');
      break;
    case 'br':
    case 'cr':
      if (state.runs > 0) say(state, '\n');
      break;
    case 'noBreakHyphen':
      say(state, '-');
      break;
    case 'footnoteReference':
    case 'endnoteReference':
      say(state, sink.noteMark(name.replace('Reference', ''), id));
      break;
    case 'footnote':
    case 'endnote':
      sink.beginNote?.(id);
      break;
  }
}

/** Reads a property of the paragraph that is open. */
function setProperty(paragraph: OpenParagraph, name: string, val: string, styles: Styles): void {
  switch (name) {
    case 'pStyle':
      paragraph.style = styles.get(val) ?? TEXT;
      break;
    case 'outlineLvl':
      if (Number(val) < 9) paragraph.style = { ...paragraph.style, level: Number(val) + 1 };
      break;
    case 'numId':
      paragraph.style = { ...paragraph.style, isListed: val !== '0' };
      break;
    case 'ilvl':
      paragraph.depth = Math.min(Number(val) || 0, 8);
      break;
  }
}

function openTable(state: BodyState, name: string, val: string): void {
  if (name === 'tbl') state.tables += 1;
  if (state.tables !== 1) return;
  switch (name) {
    case 'tr':
      state.cells = [];
      state.column = 0;
      break;
    case 'tc':
      state.cellText = [];
      state.span = 1;
      break;
    case 'gridSpan':
      state.span = Math.max(1, Number(val) || 1);
      break;
  }
}

function closeText(state: BodyState, name: string, sink: BodySink): void {
  switch (name) {
    case 'p': {
      const paragraph = state.paragraphs.pop();
      if (paragraph === undefined) break;
      if (state.tables > 0) state.cellText.push(paragraph.text);
      else sink.paragraph(paragraph.text, paragraph.style, paragraph.depth);
      break;
    }
    case 'r':
      state.runs -= 1;
      break;
    case 't':
      state.isText = false;
      break;
  }
}

function closeTable(state: BodyState, name: string, sink: BodySink): void {
  switch (name) {
    case 'tc':
      if (state.tables === 1) {
        state.cells.push({ column: state.column, text: state.cellText.join('\n') });
        state.column += state.span;
      }
      break;
    case 'tr':
      if (state.tables === 1) sink.row(state.cells);
      break;
    case 'tbl':
      state.tables -= 1;
      if (state.tables === 0) sink.endTable();
      break;
  }
}

async function readNotes(
  archive: Archive,
  path: string | null,
  kind: 'footnote' | 'endnote',
  styles: Styles,
): Promise<Map<string, string>> {
  const notes = new Map<string, string>();
  if (path === null) return notes;
  let key = '';
  const add = (text: string): void => {
    if (text.trim() === '') return;
    notes.set(key, [notes.get(key) ?? [], text.trim()].flat().join('\n'));
  };
  await readBody(archive, path, styles, {
    beginNote(id) {
      key = `${kind} ${id}`;
    },
    paragraph: add,
    row: (cells) => add(cells.map(({ text }) => text).join(' ')),
    endTable() {},
    noteMark: () => '',
  });
  return notes;
}

class BodyWriter implements BodySink {
  readonly #passages: Passages;
  readonly #notes: ReadonlyMap<string, string>;
  #count = 0;
  #pending: string[] = [];

  constructor(passages: Passages, notes: ReadonlyMap<string, string>) {
    this.#passages = passages;
    this.#notes = notes;
  }

  paragraph(text: string, { level, isListed, isContents }: ParagraphStyle, depth: number): void {
    if (isContents) return;
    if (level !== null) this.#passages.heading(level, text);
    else if (isListed && text.trim() !== '')
      this.#passages.paragraph(`${'  '.repeat(depth)}- ${text.trim()}`);
    else this.#passages.paragraph(text);
    this.#sayNotes();
  }

  row(cells: readonly Cell[]): void {
    this.#passages.tableRow(cells);
  }

  endTable(): void {
    this.#passages.endTable();
    this.#sayNotes();
  }

  noteMark(kind: string, id: string): string {
    const note = this.#notes.get(`${kind} ${id}`);
    if (note === undefined) return '';
    this.#count += 1;
    this.#pending.push(`[${this.#count}] ${note}`);
    return `[${this.#count}]`;
  }

  #sayNotes(): void {
    for (const note of this.#pending.splice(0)) this.#passages.paragraph(note);
  }
}
