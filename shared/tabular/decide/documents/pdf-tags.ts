import type { Cell, Passages } from './passages.ts';
import { type PdfText, withoutBullet } from './pdf-lines.ts';

/** A node of a page's structure tree from PDF.js: an element, or its content. */
export interface PdfNode {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly PdfNode[];
}

/** Tags are used if they cover at least this share of a page's characters. */
const TAGGED_MIN = 0.8;
const CELL = /^T[HD]$/;
const HEADING = /^(?:H([1-6])?|Title)$/;
/** Elements whose text is one block. */
const BLOCK = /^(P|LBody|Lbl|Note|FENote|Caption|BlockQuote|Code|Formula|TOCI|Quote)$/;

/**
 * Writes the text of a page in the order and with the structure of its tags. Returns false, without writing, if too
 * much of the page has no tag.
 */
export function writeTagged(root: PdfNode, text: PdfText, passages: Passages): boolean {
  const { contents, total } = contentsOf(text);
  const tagged = countTagged(root, contents);
  if (tagged === 0 || tagged < total * TAGGED_MIN) return false;
  new TagWriter(contents, passages).write(root);
  return true;
}

/** The text of each mark, and the number of non-decorative characters of the page. */
function contentsOf(text: PdfText): { contents: Map<string, string>; total: number } {
  const contents = new Map<string, string>();
  const open: (string | null)[] = [];
  let total = 0;
  for (const item of text) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.type === 'beginMarkedContentProps' ? (item.id ?? null) : null);
      continue;
    }
    const id = open.findLast((mark) => mark !== null) ?? null;
    // Page numbers and running heads have marks without an id.
    if (id !== null || open.length === 0) total += item.str.trim().length;
    if (id !== null) contents.set(id, `${contents.get(id) ?? ''}${item.str}${item.hasEOL ? '\n' : ''}`);
  }
  return { contents, total };
}

function countTagged(node: PdfNode, contents: ReadonlyMap<string, string>): number {
  const own = node.type === 'content' ? (contents.get(node.id ?? '') ?? '').replaceAll(/\s/g, '').length : 0;
  return (node.children ?? []).reduce((sum, child) => sum + countTagged(child, contents), own);
}

class TagWriter {
  readonly #contents: ReadonlyMap<string, string>;
  readonly #passages: Passages;
  /** Text of content outside any block. */
  #loose = '';

  constructor(contents: ReadonlyMap<string, string>, passages: Passages) {
    this.#contents = contents;
    this.#passages = passages;
  }

  write(root: PdfNode): void {
    this.#visit(root);
    this.#endLoose();
  }

  #visit(node: PdfNode): void {
    const role = node.role ?? '';
    if (node.type === 'content') {
      this.#loose += this.#contents.get(node.id ?? '') ?? '';
      return;
    }
    const heading = HEADING.exec(role);
    const isBlock = BLOCK.test(role);
    if (heading !== null || isBlock || ['Table', 'LI'].includes(role)) this.#endLoose();
    if (heading !== null) this.#passages.heading(Number(heading[1] ?? 1), this.#textOf(node));
    else if (role === 'Table') this.#table(node);
    else if (role === 'LI') this.#item(node);
    else if (isBlock) this.#passages.paragraph(this.#textOf(node));
    else for (const child of node.children ?? []) this.#visit(child);
  }

  /** The text of an item without its bullet, then the content below the item. */
  #item(node: PdfNode): void {
    const isList = ({ role }: PdfNode): boolean => role === 'L';
    const below = (node.children ?? [])
      .filter((child) => !isList(child))
      .flatMap((child) => (child.children ?? []).filter(isList));
    const said = (node.children ?? [])
      .filter((child) => child.role !== 'Lbl' && !isList(child))
      .map((child) =>
        this.#textOf({ ...child, children: (child.children ?? []).filter((part) => !isList(part)) }),
      )
      .join(' ');
    const text = withoutBullet(said).trim();
    if (text !== '') this.#passages.paragraph(`- ${text}`);
    for (const list of [...(node.children ?? []).filter(isList), ...below]) this.#visit(list);
  }

  #table(node: PdfNode): void {
    for (const row of elementsOf(node, (role) => role === 'TR')) {
      const cells = elementsOf(row, (role) => CELL.test(role)).map(
        (cell, column): Cell => ({ column, text: this.#textOf(cell) }),
      );
      this.#passages.tableRow(cells);
    }
    this.#passages.endTable();
  }

  #textOf(node: PdfNode): string {
    return joinedLines(this.#linesOf(node));
  }

  #linesOf(node: PdfNode): string {
    const own = node.type === 'content' ? (this.#contents.get(node.id ?? '') ?? '') : '';
    return (node.children ?? []).reduce((said, child) => said + this.#linesOf(child), own);
  }

  #endLoose(): void {
    this.#passages.paragraph(joinedLines(this.#loose));
    this.#loose = '';
  }
}

/** Joins lines. A regular expression for the surrounding spaces would take quadratic time on long runs of spaces. */
function joinedLines(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** The elements of a role below a node, without nested ones. */
function elementsOf(node: PdfNode, is: (role: string) => boolean): PdfNode[] {
  return (node.children ?? []).flatMap((child) => (is(child.role ?? '') ? [child] : elementsOf(child, is)));
}
