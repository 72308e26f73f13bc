import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Check, KINDS, LabRow } from './row.ts';

/** `development` is for developing prompts and thresholds; `held-out` is only measured. */
export const HALVES = ['development', 'held-out'] as const;
export type Half = (typeof HALVES)[number];

const ROWS = fileURLToPath(new URL('./rows/', import.meta.url));

/**
 * Reads the rows of both halves.
 * @throws {Error} naming the file and line of the first invalid row, or of a duplicate id
 */
export async function loadRows(directory = ROWS): Promise<Record<Half, LabRow[]>> {
  const ids = new Set<string>();
  const rows: Record<Half, LabRow[]> = { development: [], 'held-out': [] };
  for (const half of HALVES) {
    const names = await readdir(join(directory, half)).catch(() => [] as string[]);
    const files = names.filter((name) => name.endsWith('.jsonl')).sort((a, b) => placeOf(a) - placeOf(b));
    for (const file of files) {
      const text = await readFile(join(directory, half, file), 'utf8');
      for (const [n, line] of text.split('\n').entries()) {
        if (line.trim() === '') continue;
        const row = readRow(line, `${half}/${file}, line ${n + 1}`);
        if (ids.has(row.id)) throw new Error(`${half}/${file}, line ${n + 1}: the id ${row.id} is taken.`);
        ids.add(row.id);
        rows[half].push(row);
      }
    }
  }
  for (const half of HALVES) requireOneShape(rows[half]);
  return rows;
}

/** The rows that are adapted together, by the name of their dataset. */
export function datasetsOf(rows: readonly LabRow[]): Map<string, LabRow[]> {
  const datasets = new Map<string, LabRow[]>();
  for (const row of rows) {
    const name = row.dataset ?? row.kind;
    datasets.set(name, [...(datasets.get(name) ?? []), row]);
  }
  return datasets;
}

function placeOf(file: string): number {
  const place = (KINDS as readonly string[]).indexOf(file.replace('.jsonl', ''));
  if (place < 0) throw new Error(`${file} is named for no kind of rows.`);
  return place;
}

function readRow(line: string, place: string): LabRow {
  try {
    const row = LabRow.parse(JSON.parse(line));
    requireExpressions(row.check);
    if (!row.id.startsWith(`${row.kind}-`)) throw new Error(`the id ${row.id} does not begin with its kind`);
    if (row.history !== undefined && row.kind !== 'dialogue')
      throw new Error('only a dialogue has a history');
    if (row.context !== undefined && row.kind === 'dialogue') throw new Error('a dialogue has no context');
    return row;
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws {SyntaxError} for an invalid regular expression */
function requireExpressions(check: Check): void {
  if (check.type === 'all') check.of.forEach(requireExpressions);
  if (check.type === 'pattern') new RegExp(check.pattern, check.flags ?? 'isu');
  if (check.type !== 'text') return;
  for (const pattern of [...(check.includes ?? []), ...(check.excludes ?? [])]) new RegExp(pattern, 'isu');
}

/** A dataset has one mapping: conversations or prompts with completions. */
function requireOneShape(rows: readonly LabRow[]): void {
  for (const [name, members] of datasetsOf(rows)) {
    const dialogues = members.filter(({ kind }) => kind === 'dialogue').length;
    if (dialogues > 0 && dialogues < members.length) {
      throw new Error(`The dataset ${name} has dialogues and other rows.`);
    }
  }
}
