import * as z from 'zod';
import { ColumnMapping } from './column-mapping.ts';

/** What rows are checked for; `near_duplicate` needs other rows, all else is seen in one. */
export const RowCheck = z.enum([
  'completion_empty',
  'completion_degenerate',
  'contaminated',
  'arithmetic_wrong',
  'code_unparsable',
  'answer_invalid',
  'personal_data',
]);
export type RowCheck = z.infer<typeof RowCheck>;

export const LintCheck = z.enum([...RowCheck.options, 'near_duplicate']);
export type LintCheck = z.infer<typeof LintCheck>;

const BENCHMARKS_MAX = 10_000;
const BENCHMARK_CHARACTERS_MAX = 20_000;

/** What some checks are held against. */
const references = {
  /** Texts of benchmarks whose 13-grams rows must not have. */
  benchmarks: z.array(z.string().min(1).max(BENCHMARK_CHARACTERS_MAX)).min(1).max(BENCHMARKS_MAX).optional(),
  /** JSON Schema that every completion has to satisfy. */
  answer_schema: z.record(z.string(), z.json()).optional(),
};

/** Rows that one answer checks at most. */
export const LINT_ROWS_MAX = 100_000;

export const LintRequest = z
  .strictObject({
    column_mapping: ColumnMapping.optional(),
    checks: z.array(LintCheck).min(1).optional(),
    ...references,
    first_row: z.int().min(0).optional(),
    max_rows: z.int().min(1).max(LINT_ROWS_MAX).optional(),
  })
  .meta({ id: 'LintRequest' });
export type LintRequest = z.infer<typeof LintRequest>;

/** The recipe that drops rows of which a check finds something. */
export const LintRecipe = z.strictObject({ drop: z.array(RowCheck).min(1), ...references });
export type LintRecipe = z.infer<typeof LintRecipe>;

export const LintFinding = z.object({
  row: z.int().min(0),
  check: LintCheck,
  message: z.string(),
  similar_to_row: z.int().min(0).optional(),
});
export type LintFinding = z.infer<typeof LintFinding>;

export const LintReport = z
  .object({
    dataset_id: z.string(),
    row_count: z.int().min(0),
    first_row: z.int().min(0),
    checked_rows: z.int().min(0),
    /** Where the next call is to begin; null where all rows have been checked. */
    next_row: z.int().nullable(),
    /** Rows of which each check that was made found something. */
    counts: z.partialRecord(LintCheck, z.int().min(0)),
    findings: z.array(LintFinding),
    /** Findings beyond those that are listed. */
    omitted_findings: z.int().min(0),
  })
  .meta({ id: 'LintReport' });
export type LintReport = z.infer<typeof LintReport>;
