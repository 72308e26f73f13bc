import { throwUnknownColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import {
  type ColumnsBefore,
  type ColumnsBeside,
  columnsBeside,
} from '#shared/tabular/decide/forms/history.ts';
import { isConversation } from '#shared/tabular/decide/forms/known-form.ts';
import type { ColumnMapping, ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

/** The mode in which rows are read, as the mapping determines it (spec §4.8). */
export type RowMode =
  | 'prompt_and_completion'
  | 'prompt_only'
  | 'completion_only'
  | 'chat'
  | 'universal_prompt';

/** How rows are read: which column holds what. */
export interface RowMapping {
  readonly mode: RowMode;
  readonly mapping: ConfiguredColumnMapping;
  /** The columns of what stands before the prompts, which no role has; absent if there are none. */
  readonly before?: ColumnsBefore | undefined;
  /** Those of the columns of prompts and completions whose cells are conversations; absent if there are none. */
  readonly conversations?: readonly string[] | undefined;
}

/**
 * What the columns of a dataset's rows hold, as its trainings read them.
 * @param columns those of the upload
 */
export function contentOfColumns(
  mapping: ConfiguredColumnMapping,
  columns: readonly RowsColumn[],
): { before?: ColumnsBefore; conversations?: string[] } {
  const { prompt, completion } = mapping;
  const conversations = columns
    .filter((column) => (column.name === prompt || column.name === completion) && isConversation(column))
    .map(({ name }) => name);
  return {
    ...columnsBeforePrompts(mapping, columns),
    ...(conversations.length === 0 ? {} : { conversations }),
  };
}

/**
 * The columns of what stands before the prompts of a dataset's rows, as its trainings read them.
 * @param columns those of the upload
 */
export function columnsBeforePrompts(
  mapping: ConfiguredColumnMapping,
  columns: readonly RowsColumn[],
): { before?: ColumnsBefore } {
  const { tools: _, ...before } = columnsBesidePrompts(mapping, columns);
  return Object.keys(before).length === 0 ? {} : { before };
}

/**
 * The columns of all that is read beside the prompts of a dataset's rows, of those that its mapping gives no role.
 * @param columns those of the upload
 */
export function columnsBesidePrompts(
  mapping: ConfiguredColumnMapping,
  columns: readonly RowsColumn[],
): ColumnsBeside {
  const names = new Set(columns.map(({ name }) => name));
  const { universal_prompt: _, beside, ...roles } = mapping;
  const taken = new Set(Object.values(roles).flat());
  return columnsBeside(columns, (name) => names.has(name) && !taken.has(name), beside);
}

/**
 * The mode of a mapping.
 * @throws {ServiceError} `invalid_request` if fields are incompatible, naming them (spec §4.8)
 */
export function modeOf(mapping: ColumnMapping): RowMode {
  const { prompt, completion, chat, context = [], universal_prompt: universal, image } = mapping;
  const field = (name: string) => `column_mapping.${name}`;
  const twice = (['prompt', 'completion', 'chat'] as const).find((name) => mapping[name] === image);
  if (image !== undefined && twice !== undefined) {
    throw invalidField(field('image'), `is the ${twice} column; map another column or omit it`);
  }
  if (completion !== undefined && context.includes(completion)) {
    throw invalidField(
      field('context'),
      `names the completion column ${JSON.stringify(completion)}: the prompt would hold its own answer; leave it out`,
    );
  }
  if (chat !== undefined) {
    const others = (['prompt', 'completion', 'context', 'universal_prompt'] as const).filter(
      (name) => mapping[name] !== undefined && !(name === 'context' && context.length === 0),
    );
    if (others[0] !== undefined) {
      throw invalidField(
        field(others[0]),
        `cannot be combined with chat; omit ${others.join(', ')} or omit chat`,
      );
    }
    return 'chat';
  }
  if (universal !== undefined) {
    if (prompt !== undefined) {
      throw invalidField(field('universal_prompt'), 'cannot be combined with prompt; omit one of the two');
    }
    if (universal.trim() === '') throw invalidField(field('universal_prompt'), 'is empty');
    if (context.length === 0 && image === undefined) {
      throw invalidField(field('universal_prompt'), 'needs at least one context column or an image column');
    }
    return 'universal_prompt';
  }
  if (prompt !== undefined) {
    if (prompt === completion) {
      throw invalidField(field('completion'), 'is the prompt column; map another column or omit it');
    }
    return completion === undefined ? 'prompt_only' : 'prompt_and_completion';
  }
  if (completion !== undefined) return 'completion_only';
  if (image !== undefined) {
    throw invalidField(
      field('image'),
      'cannot be the only mapping; map prompt, completion, chat or universal_prompt too',
    );
  }
  throw invalidField(
    'column_mapping',
    'maps nothing to improve; map prompt, completion, chat or universal_prompt',
  );
}

/**
 * Checks the mapping of a request, which the stored mappings of earlier releases need not pass.
 * @throws {ServiceError} `invalid_request` if fields are incompatible, naming them
 */
export function requireMapping(mapping: ColumnMapping): void {
  modeOf(mapping);
  const { prompt, context = [] } = mapping;
  if (prompt === undefined || !context.includes(prompt)) return;
  throw invalidField(
    'column_mapping.context',
    `names the prompt column ${JSON.stringify(prompt)}: the prompt would hold its text twice; leave it out`,
  );
}

/**
 * The mapping as stored and shown: an image column is context too (spec §4.8). What is read beside the prompts of a dataset that
 * was made of others is so under any mapping.
 */
export function configuredMapping(
  mapping: ColumnMapping,
  { beside }: Pick<ConfiguredColumnMapping, 'beside'> = {},
): ConfiguredColumnMapping {
  const { context = [], image, ...rest } = mapping;
  return {
    ...rest,
    ...(beside === undefined ? {} : { beside }),
    ...(image === undefined ? {} : { image }),
    context: [...new Set(image === undefined ? context : [...context, image])],
  };
}

/**
 * Checks that every mapped column exists.
 * @throws {ServiceError} `column_unknown`, listing the available columns
 */
export function requireColumns(mapping: ColumnMapping, available: readonly string[]): void {
  const named: [string, string][] = [
    ...(['prompt', 'completion', 'chat', 'image'] as const).flatMap((name): [string, string][] => {
      const column = mapping[name];
      return column === undefined ? [] : [[`column_mapping.${name}`, column]];
    }),
    ...(mapping.context ?? []).map((column, index): [string, string] => [
      `column_mapping.context[${index}]`,
      column,
    ]),
  ];
  throwUnknownColumns(named, available);
}
