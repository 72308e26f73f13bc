import type { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { freeName } from '#shared/platform/free-name.ts';
import { commonType, isRewritten } from '#shared/tabular/decide/common-type.ts';
import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import { TOOLS } from '#shared/tabular/decide/forms/tool-calls.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { CombineIssue } from '../../schema/combine.ts';
import { type CombineSource, ROLES, type Role, storedBeside } from './source.ts';
import { asChat, asConversation } from './turns.ts';

/** If sources use different names for a role, the merge uses the column names of adapted datasets, or the usual one. */
const SHARED_NAMES: Readonly<Record<Role, string>> = {
  prompt: 'enhanced_prompt',
  completion: 'enhanced_completion',
  chat: 'chat',
  chosen: 'chosen',
  rejected: 'rejected',
};

/** The same for the columns of images. */
const SHARED_IMAGE = 'image';

export type ColumnCast = NonNullable<CombineIssue['columns']>[number];

export interface Reconciliation {
  readonly trainingType: TrainingType;
  /** Every column of any source, in the order of the sources. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The columns of each source as the merge takes them. */
  readonly sources: readonly (readonly ExportColumn[])[];
  readonly casts: readonly ColumnCast[];
  /** Columns of conversations, with the sources whose texts become conversations there. */
  readonly conversations: readonly { readonly column: string; readonly dataset_ids: readonly string[] }[];
  /** Roles that some sources have and others do not, whose rows are empty in that column. */
  readonly absent: readonly {
    readonly column: string;
    readonly role: Role;
    readonly dataset_ids: readonly string[];
  }[];
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
  const roles = mergedRoles(sources, trainingType);
  const names = new Map(roles.map((role) => [role, nameOf(role, sources)]));
  const beside = readBeside(sources);
  const mixed = roles.filter((role) => isMixed(role, sources));
  const typesOfTurns = new Map(mixed.map((role) => [role, typeOfTurns(role, sources)]));
  const image = imageOf(sources);
  const named = sources.map((source) =>
    withImage(withTools(withRoles(source, names, typesOfTurns, beside), source, beside), source, image),
  );

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
    conversations: mixed
      // The better answer of a pair is the completion as well.
      .filter((role) => role !== 'chosen' || names.get(role) !== names.get('completion'))
      .map((role) => ({
        column: names.get(role) ?? role,
        dataset_ids: idsOf(sources.filter((each) => takesPart(role, each) && !isOfTurns(role, each))),
      })),
    absent: roles.flatMap((role) => absentIn(role, names.get(role) ?? role, sources)),
    mapping: {
      ...Object.fromEntries(names),
      ...(image === null ? {} : { image }),
      context: contextOf(sources, named),
      ...storedBeside(columns, beside),
    },
  };
}

/**
 * The roles that a source has: the rows of the others are empty there. Where some have conversations, all have conversations: those that
 * a prompt and its answer make, or the one that there is.
 */
function mergedRoles(sources: readonly CombineSource[], trainingType: TrainingType): Role[] {
  const has = (role: Role): boolean => sources.some(({ roles }) => roles[role] !== undefined);
  if (trainingType === 'preference_pairs') return ROLES.filter(has);
  return has('chat') ? ['chat'] : (['prompt', 'completion'] as const).filter(has);
}

const idsOf = (sources: readonly CombineSource[]): string[] => sources.map(({ dataset_id }) => dataset_id);

/** Whether the rows of a source are not all empty in the column of a role. */
const takesPart = (role: Role, { roles }: CombineSource): boolean =>
  roles[role] !== undefined ||
  (role === 'chat' && (roles.prompt !== undefined || roles.completion !== undefined));

/** The sources whose rows have nothing to say in the column of a role; of conversations, no prompts or no answers. */
function absentIn(role: Role, column: string, sources: readonly CombineSource[]): Reconciliation['absent'] {
  const needed = role === 'chat' ? (['prompt', 'completion'] as const) : [role];
  return needed.flatMap((part) => {
    const without = sources.filter(({ roles }) => roles[role] === undefined && roles[part] === undefined);
    return without.length === 0 ? [] : [{ column, role: part, dataset_ids: idsOf(without) }];
  });
}

/** Whether a source has conversations in the column of a role. */
function isOfTurns(role: Role, { roles, conversations }: CombineSource): boolean {
  const name = roles[role];
  return name !== undefined && conversations.includes(name);
}

/** Whether some sources have conversations in the column of a role, and others texts. */
function isMixed(role: Role, sources: readonly CombineSource[]): boolean {
  const own = sources.filter((source) => takesPart(role, source));
  return own.some((source) => isOfTurns(role, source)) && !own.every((source) => isOfTurns(role, source));
}

/** The type of the conversations of a role: JSON where a source does not have them as texts. */
function typeOfTurns(role: Role, sources: readonly CombineSource[]): string {
  const types = sources
    .filter((source) => isOfTurns(role, source))
    .map(({ columns, roles }) => columns.find(({ name }) => name === roles[role])?.type);
  return types.every((type) => type === 'VARCHAR') ? 'VARCHAR' : 'JSON';
}

function nameOf(role: Role, sources: readonly CombineSource[]): string {
  const [only = '', ...others] = new Set(sources.flatMap((source) => source.roles[role] ?? []));
  return others.length === 0 ? only : SHARED_NAMES[role];
}

/**
 * The columns of a source, and copies of its role columns if the merge uses other names, or has conversations where the source has
 * texts. A column that has the name of a role in the merge, or of what is read beside the prompts of another source, and is none
 * here, gets another name: its cells would be read as what they are not.
 */
function withRoles(
  source: CombineSource,
  names: ReadonlyMap<Role, string>,
  typesOfTurns: ReadonlyMap<Role, string>,
  beside: ColumnsRead,
): ExportColumn[] {
  const wrapped = new Map<string, ExportColumn>();
  const added = [...names].flatMap(([role, name]): ExportColumn[] => {
    const own = source.columns.find((column) => column.name === source.roles[role]);
    const type = typesOfTurns.get(role);
    if (own === undefined)
      return type === undefined || !takesPart(role, source) ? [] : [asChat(name, source, type)];
    const column =
      type === undefined || isOfTurns(role, source) ? own : asConversation(own, role, source, type);
    if (own.name !== name) return [{ ...column, name }];
    if (column !== own) wrapped.set(name, column);
    return [];
  });
  const taken = new Set([...source.columns, ...added].map(({ name }) => name));
  const read = namesRead(beside);
  const own = namesRead(source);
  for (const [role, name] of names) if (source.roles[role] === name) own.add(name);
  const isOther = (name: string): boolean =>
    !own.has(name) && (read.has(name) || [...names.values()].includes(name));
  const kept = source.columns.map((given): ExportColumn => {
    const column = wrapped.get(given.name) ?? given;
    if (!isOther(column.name)) return column;
    const name = freeName(`original_${column.name}`, taken);
    taken.add(name);
    return { ...column, name };
  });
  return [...kept, ...added];
}

/** What is read beside the prompts of rows. */
type ColumnsRead = Pick<CombineSource, 'before' | 'tools'>;

/** The columns that are read beside the prompts of any source. The tools of all are in the column that comes first. */
function readBeside(sources: readonly CombineSource[]): ColumnsRead {
  const read = sources.map(({ tools }) => tools);
  return {
    before: Object.assign({}, ...sources.map(({ before }) => before)),
    tools: TOOLS.find((name) => read.includes(name)),
  };
}

const namesRead = ({ before = {}, tools }: ColumnsRead): Set<string | undefined> =>
  new Set([...Object.values(before), tools]);

/** The columns of a source with its tools under the name that comes first, where another source has its tools there. */
function withTools(
  columns: readonly ExportColumn[],
  { tools }: CombineSource,
  { tools: name }: ColumnsRead,
): readonly ExportColumn[] {
  if (tools === undefined || name === undefined || name === tools) return columns;
  return columns.map((column) => (column.name === tools ? { ...column, name } : column));
}

/** The column with another type; numbers and booleans that become text keep their digits. */
export function castColumn(column: ExportColumn, type: string): ExportColumn {
  if (!isRewritten(column.type, type)) return { ...column, type };
  return { ...column, type, convert: (text) => (text === null ? 'null' : JSON.stringify(text)) };
}

/** The name of the column of images: that of the sources, or the usual one if they use several; null without one. */
function imageOf(sources: readonly CombineSource[]): string | null {
  const [only = null, ...others] = new Set(sources.flatMap(({ image }) => image ?? []));
  return others.length === 0 ? only : SHARED_IMAGE;
}

/** The columns of a source with its images under the name of the merge: they may be large, so that there is no copy beside them. */
function withImage(
  columns: readonly ExportColumn[],
  source: CombineSource,
  image: string | null,
): readonly ExportColumn[] {
  if (image === null || source.image === null || source.image === image) return columns;
  const taken = new Set(columns.map(({ name }) => name));
  return columns.map((column) => {
    if (column.name === source.image) return { ...column, name: image };
    return column.name === image ? { ...column, name: freeName(`original_${image}`, taken) } : column;
  });
}

/** The columns of a source with their names in the merge, which has them first in what it takes of it, in their order. */
export const namesInMerge = (
  { columns }: CombineSource,
  merged: readonly ExportColumn[] = [],
): Map<string, string> => new Map(columns.map(({ name }, n) => [name, merged[n]?.name ?? name]));

/** The columns that are context in every source that has them, by their names in the merge. */
function contextOf(sources: readonly CombineSource[], named: readonly (readonly ExportColumn[])[]): string[] {
  const all = new Set<string>();
  // As sets: a dataset may have 10,000 columns, and all of them may be context.
  const others = new Set<string>();
  for (const [index, source] of sources.entries()) {
    const names = namesInMerge(source, named[index]);
    for (const name of source.context) {
      const merged = names.get(name);
      if (merged !== undefined) all.add(merged);
      names.delete(name);
    }
    for (const merged of names.values()) others.add(merged);
  }
  return [...all].filter((name) => !others.has(name));
}
