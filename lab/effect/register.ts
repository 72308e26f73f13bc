import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import { createDryRun, type DryRunResult } from '#shared/adaptation/decide/dry-run.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { RowProgram } from '#shared/adaptation/decide/row-program.ts';
import { checkNameOf } from '#shared/answers/decide/check-name.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile } from '#shared/answers/decide/row-material.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { AskFailure, type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { type LabModels, programOf } from './program.ts';
import type { LabRow } from './row.ts';

/** A row of which others know whether its completion is right. */
export const RegisterRow = z.object({
  prompt: z.string(),
  completion: z.string(),
  right: z.boolean(),
  /** A right completion, where it is known. */
  reference: z.string().optional(),
  /** The dataset that the row belongs to; rows without one are a dataset by file. */
  set: z.string().optional(),
});
export type RegisterRow = z.infer<typeof RegisterRow>;

/** A row that adapting would touch, with what it saw. */
export interface TouchedRow {
  readonly set: string;
  readonly row: RegisterRow;
  readonly result: Exclude<DryRunResult, { outcome: 'kept' | 'skipped' }>;
  /** Its completion if no model answers; null if it keeps its own. */
  readonly becomes: string | null;
}

export interface RegisterCount {
  readonly rows: number;
  readonly changed: number;
  readonly doubted: number;
}

export interface RegisterSet {
  readonly set: string;
  readonly right: RegisterCount;
  readonly wrong: RegisterCount;
}

export interface Register {
  readonly sets: readonly RegisterSet[];
  readonly touched: readonly TouchedRow[];
}

/** The columns of the rows; prompts stay, since the register is about completions. */
export const REGISTER_SPECIFICATION = specificationOf(
  { recipe_specification: { recipes: { prompt_rephrase: false } } },
  { prompt: 'prompt', completion: 'completion' },
  { columns: null, image_column_formats: null, language_expansion: null },
  'adapt',
);

/**
 * Reads files of rows, by dataset; the name of a dataset begins with that of its file.
 * @throws {Error} naming the file and line of the first row that is not one
 */
export async function readRegister(files: readonly string[]): Promise<Map<string, RegisterRow[]>> {
  const sets = new Map<string, RegisterRow[]>();
  for (const file of files) {
    const name = basename(file).replace(/\.jsonl$/, '');
    for (const [n, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
      if (line.trim() === '') continue;
      const row = readRow(line, `${file}, line ${n + 1}`);
      const set = row.set === undefined ? name : `${name}/${row.set}`;
      const rows = sets.get(set);
      if (rows === undefined) sets.set(set, [row]);
      else rows.push(row);
    }
  }
  return sets;
}

/** The laboratory's own rows by kind, of both halves; conversations are left out. A careless row counts as wrong. */
export function ownRegister(halves: Readonly<Record<string, readonly LabRow[]>>): Map<string, RegisterRow[]> {
  const sets = new Map<string, RegisterRow[]>();
  for (const [half, rows] of Object.entries(halves)) {
    for (const { kind, dataset, prompt, context, completion, quality } of rows) {
      if (kind === 'dialogue') continue;
      const set = `own/${half}/${dataset ?? kind}`;
      const asked = context === undefined ? prompt : `${prompt}\ncontext: ${context}`;
      sets.set(set, [...(sets.get(set) ?? []), { prompt: asked, completion, right: quality === 'good' }]);
    }
  }
  return sets;
}

function readRow(line: string, place: string): RegisterRow {
  try {
    return RegisterRow.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`${place}: no row {prompt, completion, right, set?}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Runs the rows of each dataset through a dry run, and counts which of them adapting would touch. */
export async function measureRegister(
  datasets: ReadonlyMap<string, readonly RegisterRow[]>,
): Promise<Register> {
  const detectLanguage = await loadLanguageDetector();
  const sets: RegisterSet[] = [];
  const touched: TouchedRow[] = [];
  for (const [set, rows] of datasets) {
    const lines = rows.map(lineOf);
    const look = createDryRun(lines, REGISTER_SPECIFICATION, detectLanguage);
    const counts = { right: newCount(), wrong: newCount() };
    for (const [n, line] of lines.entries()) {
      const row = rows[n] as RegisterRow;
      const count = counts[row.right ? 'right' : 'wrong'];
      count.rows += 1;
      const result = await look(line);
      if (result.outcome === 'kept' || result.outcome === 'skipped') continue;
      const completion = result.outcome === 'changed' ? result.completion : result.fallback;
      count[completion === null ? 'doubted' : 'changed'] += 1;
      touched.push({ set, row, result, becomes: completion });
    }
    sets.push({ set, ...counts });
  }
  return { sets, touched };
}

/** A touched row with what a model makes of it. */
export interface TreatedRow extends TouchedRow {
  /** The new completion; null if the row keeps its own. */
  readonly completion: string | null;
  /** Why it keeps its own. */
  readonly reason: string;
}

/**
 * Adapts the touched rows with a model, by the service's own program.
 * @throws {ModelOutage}
 */
export async function treatTouched(
  { touched }: Register,
  datasets: ReadonlyMap<string, readonly RegisterRow[]>,
  models: LabModels,
  asking: Asking,
): Promise<TreatedRow[]> {
  const detectLanguage = await loadLanguageDetector();
  const programs = new Map<string, RowProgram>();
  const treated: TreatedRow[] = [];
  for (const touch of touched) {
    const { set, row } = touch;
    let program = programs.get(set);
    if (program === undefined) {
      const lines = (datasets.get(set) ?? []).map(lineOf);
      const profile = learnProfile(lines, REGISTER_SPECIFICATION, detectLanguage);
      program = programOf({ specification: REGISTER_SPECIFICATION, profile, detectLanguage }, models);
      programs.set(set, program);
    }
    const verdict = await program
      .run(readCells(lineOf(row), program.columns), asking, newCallMeter())
      .catch((error: unknown) => {
        if (!(error instanceof AskFailure)) throw error;
        return {
          outcome: 'failed' as const,
          reason: { code: error.code, message: error.message },
          cells: {},
        };
      });
    const completion = verdict.outcome === 'changed' ? (verdict.cells.enhanced_completion ?? null) : null;
    treated.push({
      ...touch,
      completion,
      reason: verdict.outcome === 'changed' ? '' : verdict.reason.message,
    });
  }
  return treated;
}

const lineOf = ({ prompt, completion }: RegisterRow): string => JSON.stringify({ prompt, completion });

const newCount = (): { rows: number; changed: number; doubted: number } => ({
  rows: 0,
  changed: 0,
  doubted: 0,
});

/** The sum of the counts of all datasets. */
export function totalOf(sets: readonly RegisterSet[], side: 'right' | 'wrong'): RegisterCount {
  return sets.reduce(
    (sum, { [side]: count }) => ({
      rows: sum.rows + count.rows,
      changed: sum.changed + count.changed,
      doubted: sum.doubted + count.doubted,
    }),
    newCount(),
  );
}

/** How often a check fires on right and on wrong rows. */
export interface CheckCount {
  readonly check: string;
  readonly right: number;
  readonly wrong: number;
}

/** Counts touched rows by check, the most frequent on right rows first. */
export function countChecks(touched: readonly TouchedRow[]): CheckCount[] {
  const counts = new Map<string, { right: number; wrong: number }>();
  for (const { row, result } of touched) {
    const check = checkOf(result);
    const count = counts.get(check) ?? { right: 0, wrong: 0 };
    count[row.right ? 'right' : 'wrong'] += 1;
    counts.set(check, count);
  }
  return [...counts]
    .map(([check, count]) => ({ check, ...count }))
    .sort((a, b) => b.right - a.right || b.wrong - a.wrong);
}

/** A check by its defect and its finding. */
export function checkOf(result: TouchedRow['result']): string {
  return `${result.defect}: ${checkNameOf(result)}`;
}
