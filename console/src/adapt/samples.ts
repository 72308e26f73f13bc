import type { Schemas } from 'tunesmith';
import type { SampledColumn } from './mapping.ts';

type RowsPage = Pick<Schemas['RowsPage'], 'columns' | 'rows'>;

/** Rows that are asked for: enough to tell what a column holds. */
export const SAMPLE_ROWS = 20;

/** The columns of the source with their cells that hold something, in the order of the file. */
export function sampledColumnsOf({ columns, rows }: RowsPage): SampledColumn[] {
  const own = rows.filter(({ source_row }) => source_row === null);
  return columns
    .filter(({ side }) => side === 'before')
    .map(({ name }) => ({
      name,
      samples: own.flatMap(({ before }) =>
        before.flatMap(({ column, text }) => (column === name && text.trim() !== '' ? text : [])),
      ),
    }));
}
