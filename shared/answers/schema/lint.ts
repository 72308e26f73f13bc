import * as z from 'zod';
import { count, DatasetId, jsonObject, text } from '#shared/platform/schema/common.ts';
import { ColumnMapping } from '#shared/tabular/schema/column-mapping.ts';

/** What rows are checked for; `near_duplicate` needs other rows, all else is seen in one. */
export const RowCheck = z.enum([
  'completion_empty',
  'completion_degenerate',
  'contaminated',
  'arithmetic_wrong',
  'code_unparsable',
  'answer_invalid',
  'call_invalid',
  'personal_data',
]);
export type RowCheck = z.infer<typeof RowCheck>;

export const LintCheck = z.enum([...RowCheck.options, 'near_duplicate']);
export type LintCheck = z.infer<typeof LintCheck>;

const BENCHMARKS_MAX = 10_000;
const BENCHMARK_CHARACTERS_MAX = 20_000;

/** What some checks are held against. */
const references = {
  benchmarks: z
    .array(z.string().min(1).max(BENCHMARK_CHARACTERS_MAX))
    .min(1)
    .max(BENCHMARKS_MAX)
    .optional()
    .describe(
      'Texts of benchmarks, 1 to 10,000 of up to 20,000 characters each. Rows must not share 13 words in a row with them.',
    ),
  answer_schema: jsonObject('must be an object: a JSON Schema')
    .optional()
    .describe('JSON Schema that every completion has to satisfy.'),
};

/** Rows that one answer checks at most. */
export const LINT_ROWS_MAX = 100_000;

export const LintRequest = z
  .strictObject({
    column_mapping: ColumnMapping.optional().describe(
      'Which columns hold what. Default: the column mapping of the dataset.',
    ),
    checks: z
      .array(LintCheck)
      .min(1)
      .optional()
      .describe('Checks to make. Default: all for which the request has what they need.'),
    ...references,
    first_row: z.int().min(0).optional().describe('Index of the first row to check, from 0. Default: 0.'),
    max_rows: z
      .int()
      .min(1)
      .max(LINT_ROWS_MAX)
      .optional()
      .describe('The most rows to check, 1 to 100,000. Default: 100,000.'),
  })
  .meta({ id: 'LintRequest' });
export type LintRequest = z.infer<typeof LintRequest>;

/** The recipe that drops rows of which a check finds something. */
export const LintRecipe = z.strictObject({
  drop: z.array(RowCheck).min(1).describe('Checks; a row in which one of them finds something is dropped.'),
  ...references,
});
export type LintRecipe = z.infer<typeof LintRecipe>;

export const LintFinding = z.object({
  row: count(12).describe('Index of the row, from 0.'),
  check: LintCheck.describe('Check that found something.'),
  message: text('The completion has no text.').describe('What it found. Never repeats personal data.'),
  similar_to_row: z
    .int()
    .min(0)
    .optional()
    .describe('Index of the row that this one repeats; absent for other checks.'),
});
export type LintFinding = z.infer<typeof LintFinding>;

export const LintReport = z
  .object({
    dataset_id: DatasetId,
    row_count: count(250).describe('Rows of the dataset.'),
    first_row: count(0).describe('Index of the first row that was checked, from 0.'),
    checked_rows: count(250).describe('Rows that were checked.'),
    next_row: z
      .int()
      .nullable()
      .describe('Send it as `first_row` to check the following rows; null when all rows are checked.'),
    counts: z
      .partialRecord(LintCheck, z.int().min(0))
      .meta({ example: { completion_empty: 1 } })
      .describe('Rows in which each check found something, by check.'),
    findings: z.array(LintFinding).describe('Findings, at most 1,000.'),
    omitted_findings: count(0).describe('Findings that are counted and not listed.'),
  })
  .meta({ id: 'LintReport' });
export type LintReport = z.infer<typeof LintReport>;
