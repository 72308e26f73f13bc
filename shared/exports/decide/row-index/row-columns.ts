import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import type { ColumnRole } from '../../schema/rows.ts';

export interface IndexedColumn {
  readonly name: string;
  readonly role: ColumnRole;
}

const WRITTEN_ROLES: ReadonlyMap<string, ColumnRole> = new Map([
  ['enhanced_prompt', 'prompt'],
  ['enhanced_completion', 'completion'],
  ['reasoning_trace', 'reasoning_trace'],
  ['chosen', 'chosen'],
  ['rejected', 'rejected'],
  ['prompt_safety_issues', 'safety'],
  ['response_safety_issues', 'safety'],
]);

/** The columns of the source in the order in which they are shown: the mapped ones, then the others. */
export function sourceColumnsOf(
  columns: readonly Pick<RowsColumn, 'name'>[],
  mapping: ConfiguredColumnMapping | null,
): IndexedColumn[] {
  const roles = new Map<string, ColumnRole>();
  const add = (name: string | undefined, role: ColumnRole): void => {
    if (name !== undefined && !roles.has(name)) roles.set(name, role);
  };
  add(mapping?.chat, 'chat');
  add(mapping?.prompt, 'prompt');
  add(mapping?.completion, 'completion');
  add(mapping?.chosen, 'chosen');
  add(mapping?.rejected, 'rejected');
  add(mapping?.image, 'image');
  for (const name of mapping?.context ?? []) add(name, 'context');
  const names = new Set(columns.map(({ name }) => name));
  const mapped = [...roles].filter(([name]) => names.has(name)).map(([name, role]) => ({ name, role }));
  const others = columns.filter(({ name }) => !roles.has(name));
  return [...mapped, ...others.map(({ name }) => ({ name, role: 'other' as const }))];
}

/** Columns in the order that they have, with their roles in another mapping. */
export function withRoles(
  columns: readonly IndexedColumn[],
  mapping: ConfiguredColumnMapping | null,
): IndexedColumn[] {
  const roles = new Map(sourceColumnsOf(columns, mapping).map(({ name, role }) => [name, role]));
  return columns.map(({ name, role }) => ({ name, role: roles.get(name) ?? role }));
}

/** The columns that a run writes. */
export function writtenColumnsOf(names: readonly string[]): IndexedColumn[] {
  return names.map((name) => ({ name, role: WRITTEN_ROLES.get(name) ?? 'other' }));
}
