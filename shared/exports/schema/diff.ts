import * as z from 'zod';
import { VersionText } from '#shared/datasets/schema/version.ts';
import { count, DatasetId, IntegerText } from '#shared/platform/schema/common.ts';
import { ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import { PAGE_ROWS_MAX, ShownCell } from './rows.ts';

/** In the order in which they are listed. */
export const DIFF_KINDS = ['changed', 'added', 'removed'] as const;
export const DiffKind = z.enum(DIFF_KINDS);
export type DiffKind = z.infer<typeof DiffKind>;

export const DiffQuery = z
  .strictObject({
    from: VersionText.meta({ description: 'Version before, from 1' }),
    to: VersionText.meta({ description: 'Version after, from 1; also an older one than `from`' }),
    kind: DiffKind.optional().describe('Only rows that were changed, added or removed.'),
    after: z
      .string()
      .regex(/^(changed|added|removed)\.\d{1,9}$/, 'must be the next_after of a page')
      .optional()
      .describe('`next_after` of the previous page, with the same `kind`.'),
    limit: IntegerText.pipe(z.int().min(1).max(PAGE_ROWS_MAX))
      .optional()
      .meta({ description: 'Rows a page, 1 to 200, default 50' }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must be another version than from' })
  .refine(({ kind, after }) => kind === undefined || after === undefined || after.startsWith(`${kind}.`), {
    path: ['after'],
    message: 'must be the next_after of a page with the same kind',
  });
export type DiffQuery = z.infer<typeof DiffQuery>;

const Side = (when: string) =>
  z
    .object({
      cells: z
        .array(ShownCell)
        .describe(
          'At most 100 cells, with at most 800 characters each: of a changed row those that differ, of another one all. Cells without a value are left out.',
        ),
    })
    .nullable()
    .describe(when);

export const DiffRow = z
  .object({
    kind: DiffKind.describe('What became of the row from one version to the other.'),
    row: count(12).describe(
      'Number of the row in the source, from 0. Of a row that a run adds in another language: the number of the row that it is made of.',
    ),
    target: ExpansionTarget.nullable().describe(
      'Of a row in another language: which one; null for rows of the source.',
    ),
    before: Side('Cells in `from`; null of an added row.'),
    after: Side('Cells in `to`; null of a removed row.').meta({
      example: { cells: [{ column: 'answer', text: 'Open Settings, then Security.', truncated: false }] },
    }),
  })
  .meta({ id: 'DiffRow' });
export type DiffRow = z.infer<typeof DiffRow>;

export const DiffCounts = z
  .object({
    added: count(0).describe('Rows that only `to` has.'),
    removed: count(3).describe('Rows that only `from` has.'),
    changed: count(180).describe('Rows with a cell that differs.'),
    unchanged: count(67).describe('Rows that are the same in both.'),
  })
  .meta({ id: 'DiffCounts' });

export const Diff = z
  .object({
    dataset_id: DatasetId,
    from: z.int().min(1).meta({ example: 1 }).describe('Version before.'),
    to: z.int().min(1).meta({ example: 2 }).describe('Version after.'),
    status: z
      .enum(['pending', 'ready'])
      .meta({ example: 'ready' })
      .describe('`pending` while the versions are compared: ask again after `Retry-After` seconds.'),
    counts: DiffCounts.nullable().describe('All rows by what became of them; null while pending.'),
    columns: z
      .array(z.string())
      .meta({ example: ['question', 'answer', 'enhanced_completion'] })
      .describe('Columns that are compared, as downloads name them; at most 1,000. Empty while pending.'),
    rows: z
      .array(DiffRow)
      .describe(
        'The rows of this page: changed ones, then added, then removed ones, each by their numbers. A page of 1 MiB ends early.',
      ),
    next_after: z
      .string()
      .nullable()
      .describe('Pass it as `after` to get the next page; null on the last page and while pending.'),
  })
  .meta({ id: 'Diff' });
export type Diff = z.infer<typeof Diff>;
