import * as z from 'zod';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { DIFF_KINDS, DiffCounts, type DiffKind, type DiffRow } from '../../schema/diff.ts';
import { SHOWN_CHARACTERS_MAX, SHOWN_COLUMNS_MAX, shownName } from '../row-index/stored-row.ts';
import type { ComparedRow } from './compare-rows.ts';

/** A page reads a few blocks: its rows, and those around them. */
const BLOCK_BYTES = 128 * 1024;

const COLUMNS_MAX = 1000;

/** Rows of one kind: where each block of lines begins, and with which of them. */
const DiffBlocks = z.array(z.object({ first: z.int().min(0), start: z.int().min(0), end: z.int().min(0) }));

/** The object that completes a comparison: rows lie in an object for each kind, a line of JSON a row. */
export const DiffIndex = z.object({
  version: z.literal(1),
  counts: DiffCounts,
  columns: z.array(z.string()),
  blocks: z.object({ changed: DiffBlocks, added: DiffBlocks, removed: DiffBlocks }),
});
export type DiffIndex = z.infer<typeof DiffIndex>;

/** Collects the rows of a comparison in blocks of lines, which it hands over one by one. */
export class DiffWriter {
  readonly #names: readonly string[];
  readonly #counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  readonly #blocks: Record<DiffKind, { first: number; start: number; end: number }[]> = {
    changed: [],
    added: [],
    removed: [],
  };
  readonly #open: Record<DiffKind, { lines: string[]; bytes: number }> = {
    changed: { lines: [], bytes: 0 },
    added: { lines: [], bytes: 0 },
    removed: { lines: [], bytes: 0 },
  };

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Adds a row; returns the block of its kind that it fills, if it does. */
  add(compared: ComparedRow): { kind: DiffKind; body: Buffer } | null {
    const { kind } = compared;
    this.#counts[kind] += 1;
    if (kind === 'unchanged') return null;
    const open = this.#open[kind];
    const line = `${JSON.stringify(shownDiff(this.#names, { ...compared, kind }))}\n`;
    open.lines.push(line);
    open.bytes += Buffer.byteLength(line);
    return open.bytes < BLOCK_BYTES ? null : { kind, body: this.#close(kind) };
  }

  /** The last block of each kind. */
  *end(): Generator<{ kind: DiffKind; body: Buffer }> {
    for (const kind of DIFF_KINDS) {
      if (this.#open[kind].lines.length > 0) yield { kind, body: this.#close(kind) };
    }
  }

  index(): DiffIndex {
    const columns = this.#names.slice(0, COLUMNS_MAX).map(shownName);
    return { version: 1, counts: { ...this.#counts }, columns, blocks: this.#blocks };
  }

  #close(kind: DiffKind): Buffer {
    const { lines, bytes } = this.#open[kind];
    const blocks = this.#blocks[kind];
    const start = blocks.at(-1)?.end ?? 0;
    blocks.push({ first: this.#counts[kind] - lines.length, start, end: start + bytes });
    this.#open[kind] = { lines: [], bytes: 0 };
    return Buffer.from(lines.join(''));
  }
}

/** A row as an answer shows it: of a changed one the cells that differ. */
function shownDiff(
  names: readonly string[],
  { kind, row, target, before, after }: ComparedRow & { readonly kind: DiffKind },
): DiffRow {
  const places: number[] = [];
  for (let place = 0; place < names.length && places.length < SHOWN_COLUMNS_MAX; place += 1) {
    if ((before?.[place] ?? null) !== (after?.[place] ?? null)) places.push(place);
  }
  const shown = (cells: ComparedRow['before']): DiffRow['before'] =>
    cells === null
      ? null
      : {
          cells: places.flatMap((place) => {
            const text = cells[place] ?? null;
            if (text === null) return [];
            const beginning = beginningOf(text, SHOWN_CHARACTERS_MAX);
            return [
              {
                column: shownName(names[place] as string),
                text: beginning,
                truncated: beginning.length < text.length,
              },
            ];
          }),
        };
  return { kind, row, target, before: shown(before), after: shown(after) };
}
