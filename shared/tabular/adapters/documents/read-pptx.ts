import type { Cell, Passages } from '../../decide/documents/passages.ts';
import { fileUnreadable } from '../../decide/file-error.ts';
import type { Archive } from './archive.ts';
import { readXml } from './markup.ts';
import { mainPart, readRelationships } from './office-package.ts';

type Block =
  | { readonly kind: 'title' | 'text' | 'bullet'; readonly text: string; readonly depth: number }
  | { readonly kind: 'row'; readonly cells: readonly Cell[] }
  | { readonly kind: 'tableEnd' };

/** Placeholders with the same text on every slide. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);
const BULLETS = new Set(['body', 'obj']);

/** Titles, text, tables and notes of a presentation, slide by slide in presentation order. */
export async function readPptx(archive: Archive, passages: Passages): Promise<void> {
  const main = await mainPart(archive, 'ppt', 'PowerPoint presentation');
  const parts = new Map((await readRelationships(archive, main)).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  await readXml(archive.stream(main), {
    open(name, attributes) {
      if (name !== 'sldId') return;
      const path = parts.get(attributes[':id'] ?? '');
      if (path === undefined)
        throw fileUnreadable('A slide is missing. Save the presentation again and upload it.');
      slides.push(path);
    },
  });
  for (const [index, path] of slides.entries()) {
    passages.moveTo({ slide: index + 1 });
    writeSlide(await readShapes(archive, path), passages);
    const related = await readRelationships(archive, path);
    const notes = related.find(({ type }) => type === 'notesSlide');
    if (notes !== undefined) await writeNotes(archive, notes.target, passages);
  }
}

function writeSlide(blocks: readonly Block[], passages: Passages): void {
  const title = blocks.flatMap((block) => (block.kind === 'title' ? [block.text.trim()] : []));
  passages.heading(1, title.join(' '));
  for (const block of blocks) {
    if (block.kind === 'row') passages.tableRow(block.cells);
    else if (block.kind === 'tableEnd') passages.endTable();
    else if (block.kind === 'text') passages.paragraph(block.text);
    else if (block.kind === 'bullet' && block.text.trim() !== '')
      passages.paragraph(`${'  '.repeat(block.depth)}- ${block.text.trim()}`);
  }
}

async function writeNotes(archive: Archive, path: string, passages: Passages): Promise<void> {
  const blocks = await readShapes(archive, path);
  const said = blocks.flatMap((block) => (block.kind === 'bullet' ? [block.text.trim()] : []));
  const text = said.filter((line) => line !== '').join('\n');
  if (text !== '') passages.paragraph(`Notes: ${text}`);
}

async function readShapes(archive: Archive, path: string): Promise<Block[]> {
  const blocks: Block[] = [];
  let skipped = 0;
  let placeholder: string | null = null;
  let text: string | null = null;
  let depth = 0;
  let isText = false;
  let cells: Cell[] = [];
  let cellText: string[] | null = null;
  let column = 0;
  await readXml(archive.stream(path), {
    open(name, { type, lvl }) {
      // The fallback for programs that do not support the newer form.
      if (skipped > 0 || name === 'Fallback') {
        skipped += 1;
        return;
      }
      if (name === 'sp' || name === 'graphicFrame') placeholder = null;
      else if (name === 'ph') placeholder = type ?? 'obj';
      else if (name === 'p') {
        text = '';
        depth = 0;
      } else if (name === 'pPr') depth = Math.min(Number(lvl) || 0, 8);
      else if (name === 't') isText = true;
      else if (name === 'br' && text !== null) text += '\n';
      else if (name === 'tr') {
        cells = [];
        column = 0;
      } else if (name === 'tc') cellText = [];
    },
    text(piece) {
      if (isText && skipped === 0 && text !== null) text += piece;
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1;
        return;
      }
      if (name === 't') isText = false;
      else if (name === 'p' && text !== null) {
        if (cellText !== null) cellText.push(text);
        else if (!FURNITURE.has(placeholder ?? '')) blocks.push({ kind: kindOf(placeholder), text, depth });
        text = null;
      } else if (name === 'tc') {
        cells.push({ column, text: (cellText ?? []).join('\n') });
        column += 1;
        cellText = null;
      } else if (name === 'tr') blocks.push({ kind: 'row', cells });
      else if (name === 'tbl') blocks.push({ kind: 'tableEnd' });
    },
  });
  return blocks;
}

function kindOf(placeholder: string | null): 'title' | 'text' | 'bullet' {
  if (placeholder === null) return 'text';
  if (TITLES.has(placeholder)) return 'title';
  return BULLETS.has(placeholder) ? 'bullet' : 'text';
}
