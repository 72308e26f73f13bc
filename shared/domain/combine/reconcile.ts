import type { TrainingType } from '../../schema/adaptation.ts';
import type { ConfiguredColumnMapping } from '../../schema/column-mapping.ts';
import type { CombineIssue } from '../../schema/combine.ts';
import type { ExportColumn } from '../tabular/export-columns.ts';
import { commonType, isRewritten } from './common-type.ts';
import { type CombineSource, ROLES, type Role } from './source.ts';

/** Where sources call a role differently, the merge has it under the name that adapted datasets have it under. */
const SHARED_NAMES: Readonly<Record<Role, string>> = {
  prompt: 'enhanced_prompt',
  completion: 'enhanced_completion',
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
 * Brings the columns of several datasets together: their union, each of one type, and the training's columns under
 * one name. Sources of instructions and of pairs together make instructions, for which the rest of a pair is no more
 * than a column.
 */
export function reconcile(sources: readonly CombineSource[]): Reconciliation {
  const trainingType = sources.every((source) => source.training_type === 'preference_pairs')
    ? 'preference_pairs'
    : 'instruction_dataset';
  const roles = ROLES.filter(
    (role) =>
      (trainingType === 'preference_pairs' || role === 'prompt' || role === 'completion') &&
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
    sources: named.map((ofSource) => ofSource.map((column) => cast(column, typeOf.get(column.name) ?? ''))),
    casts: columns.flatMap(({ name, type }) => {
      const seen = types.get(name) ?? [];
      return seen.some((each) => each.type !== type) ? [{ column: name, types: seen, cast_to: type }] : [];
    }),
    mapping: { ...Object.fromEntries(names), context: contextOf(sources, typeOf) },
  };
}

function nameOf(role: Role, sources: readonly CombineSource[]): string {
  const [only = '', ...others] = new Set(sources.map((source) => source.roles[role]));
  return others.length === 0 ? only : SHARED_NAMES[role];
}

/** The columns of a source, and those of its roles beside them where the merge calls them otherwise. */
function withRoles(source: CombineSource, names: ReadonlyMap<Role, string>): ExportColumn[] {
  const added = [...names].flatMap(([role, name]) => {
    const own = source.columns.find((column) => column.name === source.roles[role]);
    return own === undefined || own.name === name ? [] : [{ ...own, name }];
  });
  const taken = new Set([...source.columns, ...added].map(({ name }) => name));
  const kept = source.columns.map((column): ExportColumn => {
    if (!added.some(({ name }) => name === column.name)) return column;
    let name = `original_${column.name}`;
    for (let number = 2; taken.has(name); number += 1) name = `original_${column.name}_${number}`;
    taken.add(name);
    return { ...column, name };
  });
  return [...kept, ...added];
}

function cast(column: ExportColumn, type: string): ExportColumn {
  if (!isRewritten(column.type, type)) return { ...column, type };
  return { ...column, type, convert: (text) => (text === null ? 'null' : JSON.stringify(text)) };
}

/** The context that all sources have alike; none where they differ. */
function contextOf(sources: readonly CombineSource[], columns: ReadonlyMap<string, string>): string[] {
  const [first, ...others] = sources.map(({ context }) => context);
  const isShared = others.every((each) => JSON.stringify(each) === JSON.stringify(first));
  return isShared && first?.every((name) => columns.has(name)) ? [...first] : [];
}
