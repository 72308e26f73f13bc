import { addedBy } from '#shared/adaptation/decide/added-columns.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import type { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { columnsBeforePrompts, columnsBesidePrompts } from '#shared/answers/decide/row-mapping.ts';
import { turnsInDownload } from '#shared/answers/decide/turns-of-run.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import {
  adaptedColumns,
  type ExportColumn,
  sourceColumns,
  TRACES,
} from '#shared/tabular/decide/export-columns.ts';
import {
  type ColumnsBefore,
  type ColumnsBeside,
  READ_BY_NAME,
} from '#shared/tabular/decide/forms/history.ts';
import { isConversation } from '#shared/tabular/decide/forms/known-form.ts';
import type { TurnsColumn } from '#shared/tabular/decide/forms/turns-column.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';

/** The role of a column in training: `chat` holds whole conversations, in place of prompts and completions. */
export const ROLES = ['prompt', 'completion', 'chat', 'chosen', 'rejected'] as const;
export type Role = (typeof ROLES)[number];

/** A dataset as a part of a merge. */
export interface CombineSource {
  readonly dataset_id: string;
  /**
   * The columns of its download except `original_image`, whose links expire: the image's own column is included. So an
   * adapted dataset has its mapped and enhanced columns, the other source columns, and those of safety and doubt.
   */
  readonly columns: readonly ExportColumn[];
  readonly roles: Partial<Record<Role, string>>;
  /** The turns that its rows came with, where a run has written the prompts of them. */
  readonly turns?: TurnsColumn | undefined;
  /** Columns whose cells are conversations, or the turns before an answer. */
  readonly conversations: readonly string[];
  /** The columns of what stands before its prompts; the turns there, where the prompts are texts. */
  readonly before?: ColumnsBefore | undefined;
  /** The column of the tools that its rows declare. */
  readonly tools?: string | undefined;
  /** Context columns whose text the prompts do not contain. */
  readonly context: readonly string[];
  /** What is read beside its prompts where the names of its columns do not say it. */
  readonly beside?: ColumnsBeside | undefined;
  readonly training_type: TrainingType;
  /** Whether its prompts rest on images: a column of images that is not mapped is one as any other. */
  readonly is_multimodal: boolean;
  /** The column with the images of its prompts; null if there is none. */
  readonly image: string | null;
  /** Columns whose cells are paths below the dataset's own files. */
  readonly file_columns: readonly string[];
}

/** Whether the column of steps belongs to the answers of a run, so that trainings learn them with these. */
export const hasTraces = (
  completion: string | undefined | null,
  names: ReadonlySet<string>,
  context: readonly string[],
): boolean => completion === 'enhanced_completion' && names.has(TRACES) && !context.includes(TRACES);

const holdsTurns = (column: RowsColumn, chat: string | undefined): boolean =>
  column.name === chat || isConversation(column);

/** `specification` is that of the run that provides the rows; null for uploaded rows. */
export function combineSource(
  dataset: Pick<DatasetRecord, 'dataset_id' | 'configured_column_mapping' | 'image_column_formats'>,
  columns: readonly RowsColumn[],
  specification: AdaptationSpecification | null,
): CombineSource {
  const formats = Object.entries(dataset.image_column_formats ?? {});
  const mapping = specification?.mapping ?? dataset.configured_column_mapping;
  const image = mapping?.image ?? null;
  const beside = mapping?.beside;
  const { tools } = columnsBesidePrompts(mapping ?? { context: [] }, columns);
  const common = {
    dataset_id: dataset.dataset_id,
    ...(tools === undefined ? {} : { tools }),
    is_multimodal: image !== null,
    image,
    file_columns: formats.flatMap(([name, format]) => (format === 'file_reference' ? [name] : [])),
  };
  if (specification === null) {
    const {
      prompt,
      completion,
      chat,
      chosen,
      rejected,
      context = [],
    } = dataset.configured_column_mapping ?? {};
    // Instruction training uses the better answer of a pair.
    const answer = completion ?? chosen;
    return {
      ...common,
      columns: sourceColumns(columns),
      conversations: columns.flatMap((column) => (holdsTurns(column, chat) ? [column.name] : [])),
      roles: {
        ...(prompt === undefined ? {} : { prompt }),
        ...(answer === undefined ? {} : { completion: answer }),
        ...(chat === undefined || prompt !== undefined ? {} : { chat }),
        ...(chosen === undefined || rejected === undefined ? {} : { chosen, rejected }),
      },
      ...columnsBeforePrompts(dataset.configured_column_mapping ?? { context }, columns),
      context,
      ...(beside === undefined ? {} : { beside }),
      training_type: chosen === undefined ? 'instruction_dataset' : 'preference_pairs',
    };
  }
  const isPairs = specification.training_type === 'preference_pairs';
  // The prompts of an instruction for all rows contain their context.
  const isInPrompts = specification.mode === 'universal_prompt';
  // Specifications of 0.1.0 do not say it.
  const { before } =
    specification.before === undefined ? columnsBeforePrompts(specification.mapping, columns) : specification;
  const read = { ...before, ...(tools === undefined ? {} : { tools }) };
  const { chat } = specification.mapping;
  const adapted = adaptedColumns(specification.mapping, columns, addedBy(specification));
  const turns = turnsInDownload(specification, adapted);
  return {
    ...common,
    columns: adapted,
    conversations: adapted.flatMap(({ name, source, result }) => {
      // The prompts of an adapted conversation are the turns before its last reply.
      if (chat !== undefined && result === 'enhanced_prompt') return [name];
      if (result !== undefined)
        return source !== undefined && specification.conversations?.includes(source) ? [name] : [];
      return columns.some((column) => column.name === source && holdsTurns(column, chat)) ? [name] : [];
    }),
    roles: {
      prompt: 'enhanced_prompt',
      completion: 'enhanced_completion',
      ...(isPairs ? { chosen: 'chosen', rejected: 'rejected' } : {}),
    },
    ...(turns === undefined ? {} : { turns }),
    ...(before === undefined ? {} : { before }),
    ...(isInPrompts || beside !== undefined ? { beside: read } : {}),
    context: isInPrompts ? [] : specification.mapping.context,
    training_type: specification.training_type,
  };
}

/**
 * What the mapping of a dataset says of what is read beside its prompts that is made of others: their columns and form tell it of
 * uploads alone. Nothing where no column has such a name.
 */
export function storedBeside(
  columns: readonly { readonly name: string }[],
  { before, tools }: Pick<CombineSource, 'before' | 'tools'>,
): Pick<ConfiguredColumnMapping, 'beside'> {
  const names = new Set<string>(READ_BY_NAME);
  if (!columns.some(({ name }) => names.has(name))) return {};
  return { beside: { ...before, ...(tools === undefined ? {} : { tools }) } };
}
