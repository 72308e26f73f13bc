import type { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { freeName } from '#shared/platform/free-name.ts';
import { commonType, isRewritten } from '#shared/tabular/decide/common-type.ts';
import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { CombineIssue } from '../../schema/combine.ts';
import { type CombineSource, ROLES, type Role } from './source.ts';

/** If sources use different names for a role, the merge uses the column names of adapted datasets, or the usual one. */
const SHARED_NAMES: Readonly<Record<Role, string>> = {
  prompt: 'enhanced_prompt',
  completion: 'enhanced_completion',
  chat: 'chat',
  chosen: 'chosen',
  rejected: 'rejected',
};

export type ColumnCast = NonNullable<CombineIssue['columns']>[number];

export interface Reconciliation {
  readonly trainingType: TrainingType;
  /** Every column of any source, in the order of the sources. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The columns of each source as the merge takes them. */
  readonly sources: readonly (readonly ExportColumn[])[];
  readonly casts: readonly ColumnCast[];
  readonly mapping: ConfiguredColumnMapping;
}

/**
 * Merges the columns of several datasets: their union, with one type each, and the training columns under one name.
 * Sources of instructions and pairs together make instructions; the other answer of a pair is an ordinary column.
 */
export function reconcile(sources: readonly CombineSource[]): Reconciliation {
  const trainingType = sources.every((source) => source.training_type === 'preference_pairs')
    ? 'preference_pairs'
    : 'instruction_dataset';
  const roles = ROLES.filter(
    (role) =>
      (trainingType === 'preference_pairs' || (role !== 'chosen' && role !== 'rejected')) &&
      sources.every((source) => source.roles[role] !== undefined),
  );
  const names = new Map(roles.map((role) => [role, nameOf(role, sources)]));
  const named = sources.map((source) => withRoles(source, names));

  const types = new Map<string, { readonly dataset_id: string; readonly type: string }[]>();
  for (const [index, columns] of named.entries()) {
    for (const { name, type } of columns) {
      const ofColumn = types.get(name) ?? [];
      ofColumn.push({ dataset_id: sources[index]?.dataset_id ?? '', type });
      types.set(name, ofColumn);
    }
  }
  const columns = [...types].map(([name, seen]) => ({
    name,
    type: commonType(seen.map(({ type }) => type)),
  }));
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  return {
    trainingType,
    columns,
    sources: named.map((ofSource) =>
      ofSource.map((column) => castColumn(column, typeOf.get(column.name) ?? '')),
    ),
    casts: columns.flatMap(({ name, type }) => {
      const seen = types.get(name) ?? [];
      return seen.some((each) => each.type !== type) ? [{ column: name, types: seen, cast_to: type }] : [];
    }),
    mapping: { ...Object.fromEntries(names), ...imageOf(sources), context: contextOf(sources, typeOf) },
  };
}

function nameOf(role: Role, sources: readonly CombineSource[]): string {
  const [only = '', ...others] = new Set(sources.map((source) => source.roles[role]));
  return others.length === 0 ? only : SHARED_NAMES[role];
}

/** The columns of a source, and copies of its role columns if the merge uses other names. */
function withRoles(source: CombineSource, names: ReadonlyMap<Role, string>): ExportColumn[] {
  const added = [...names].flatMap(([role, name]) => {
    const own = source.columns.find((column) => column.name === source.roles[role]);
    return own === undefined || own.name === name ? [] : [{ ...own, name }];
  });
  const taken = new Set([...source.columns, ...added].map(({ name }) => name));
  const kept = source.columns.map((column): ExportColumn => {
    if (!added.some(({ name }) => name === column.name)) return column;
    const name = freeName(`original_${column.name}`, taken);
    taken.add(name);
    return { ...column, name };
  });
  return [...kept, ...added];
}

/** The column with another type; numbers and booleans that become text keep their digits. */
export function castColumn(column: ExportColumn, type: string): ExportColumn {
  if (!isRewritten(column.type, type)) return { ...column, type };
  return { ...column, type, convert: (text) => (text === null ? 'null' : JSON.stringify(text)) };
}

/** The image column of the first source that has one: rows with images cannot be trained on (spec §4.8). */
function imageOf(sources: readonly CombineSource[]): { image?: string } {
  const image = sources.map((source) => source.image).find((each) => each !== null);
  return image == null ? {} : { image };
}

/** The columns that are context in every source that has them. */
function contextOf(sources: readonly CombineSource[], columns: ReadonlyMap<string, string>): string[] {
  const named = new Set(sources.flatMap(({ context }) => context));
  return [...named].filter(
    (name) =>
      columns.has(name) &&
      sources.every(
        (source) => source.context.includes(name) || !source.columns.some((own) => own.name === name),
      ),
  );
}
