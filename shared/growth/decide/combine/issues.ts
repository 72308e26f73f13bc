import { columnsBytes, FIRST_COLUMNS_BYTES_MAX } from '#shared/datasets/decide/columns-room.ts';
import { WAITS } from '#shared/datasets/decide/not-ready.ts';
import { type DatasetRecord, hasResult } from '#shared/datasets/decide/record.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { TRACES } from '#shared/tabular/decide/export-columns.ts';
import { isShort } from '#shared/tabular/schema/column-mapping.ts';
import type { CombineIssue } from '../../schema/combine.ts';
import { COMBINE_SOURCES_MAX, COMBINE_SOURCES_MIN } from '../../schema/combine.ts';
import { namesInMerge, type Reconciliation } from './reconcile.ts';
import { type CombineSource, hasTraces } from './source.ts';

/** Issues of the list of ids. */
export function listIssues(ids: readonly string[]): CombineIssue[] {
  const issues: CombineIssue[] = [];
  const count = ids.length;
  if (count < COMBINE_SOURCES_MIN) {
    issues.push({
      code: 'too_few_sources',
      level: 'error',
      message: `A merge takes at least ${COMBINE_SOURCES_MIN} datasets, and ${count} ${count === 1 ? 'is' : 'are'} named. Name more.`,
      count,
      limit: COMBINE_SOURCES_MIN,
    });
  }
  if (count > COMBINE_SOURCES_MAX) {
    issues.push({
      code: 'too_many_sources',
      level: 'error',
      message: `A merge takes at most ${COMBINE_SOURCES_MAX} datasets, and ${count} are named. Combine some of them first.`,
      count,
      limit: COMBINE_SOURCES_MAX,
    });
  }
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  if (repeated.length > 0) {
    issues.push({
      code: 'duplicate_source_ids',
      level: 'error',
      message: `${named(repeated)} named more than once. Name each dataset once.`,
      dataset_ids: repeated,
    });
  }
  return issues;
}

export const notFound = (datasetId: string): CombineIssue => ({
  code: 'dataset_not_found',
  level: 'error',
  message: `There is no dataset ${datasetId} in your team. Check the id, or list your datasets.`,
  dataset_id: datasetId,
});

/** The issue of a dataset that belongs to another organization of the caller. */
export const wrongOrganization = (datasetId: string): CombineIssue => ({
  code: 'wrong_organization',
  level: 'error',
  message: `The dataset ${datasetId} belongs to another organization of yours. Combine datasets of one organization.`,
  dataset_id: datasetId,
});

/** The issue of datasets that have too many rows or bytes together: the specification has no code of its own for it. */
export const tooLargeTogether = (message: string): CombineIssue => ({
  code: 'too_many_sources',
  level: 'error',
  message,
});

/** Why a dataset of the caller cannot be combined; null if it can. */
export function readinessIssue(dataset: DatasetRecord): CombineIssue | null {
  const { dataset_id, state } = dataset;
  if (hasResult(dataset)) return null;
  if (state === 'awaiting_input') {
    return {
      code: 'missing_run_id',
      level: 'error',
      message: `The dataset ${dataset_id} has not been processed by any run. Adapt it first, or upload it with processing_mode raw.`,
      dataset_id,
    };
  }
  const status = listStatus(state);
  return {
    code: 'dataset_not_ready',
    level: 'error',
    message: `The dataset ${dataset_id} is not ready (${status}). ${WAITS[status] ?? ''}`.trim(),
    dataset_id,
    status,
  };
}

/** Issues between the sources, and how the merge reconciles their differences. */
export function mergeIssues(
  sources: readonly CombineSource[],
  withoutPairs: readonly string[],
  {
    columns,
    casts,
    conversations,
    absent,
    mapping,
    sources: merged,
  }: Pick<Reconciliation, 'columns' | 'casts' | 'conversations' | 'absent' | 'mapping' | 'sources'>,
): CombineIssue[] {
  const issues: CombineIssue[] = [];
  const ids = (some: readonly CombineSource[]): string[] => some.map(({ dataset_id }) => dataset_id);
  const multimodal = ids(sources.filter((source) => source.is_multimodal));
  if (multimodal.length > 0 && multimodal.length < sources.length) {
    issues.push({
      code: 'mixed_multimodal_sources',
      level: 'error',
      message: `${named(multimodal)} multimodal, and the others have text only. Combine the two kinds separately.`,
      multimodal_dataset_ids: multimodal,
      text_dataset_ids: ids(sources.filter((source) => !source.is_multimodal)),
    });
  }
  const preference = ids(sources.filter((source) => source.training_type === 'preference_pairs'));
  const isHomogeneous = preference.length === sources.length;
  if (preference.length > 0 && isHomogeneous && withoutPairs.length === sources.length) {
    issues.push({
      code: 'all_preference_sources_missing_dpo_columns',
      level: 'error',
      message:
        'No dataset holds a pair of answers (chosen and rejected). Adapt one with training_type preference_pairs.',
      dataset_ids: [...withoutPairs],
    });
  } else {
    for (const dataset_id of withoutPairs) {
      issues.push({
        code: 'preference_source_missing_ranked_generations',
        level: 'warning',
        message: `The dataset ${dataset_id} has no pair of answers: its rows are merged, but preference training skips them.`,
        dataset_id,
      });
    }
  }
  if (columnsBytes(columns) > FIRST_COLUMNS_BYTES_MAX || !isShort(mapping)) {
    issues.push({
      code: 'incompatible_column_types',
      level: 'error',
      message: `The ${columns.length} columns of the datasets have too long names together, or too many of them are context. Combine datasets with the same columns, or with fewer.`,
    });
  }
  if (casts.length > 0) {
    const list = casts.map(({ column, cast_to }) => `${JSON.stringify(column)} to ${cast_to}`).join(', ');
    issues.push({
      code: 'incompatible_column_types',
      level: 'warning',
      message: `Columns of one name have different types and are cast: ${list}.`,
      columns: [...casts],
    });
  }
  for (const { column, dataset_ids } of conversations) {
    issues.push({
      code: 'incompatible_column_types',
      level: 'warning',
      message: `${JSON.stringify(column)} holds conversations. The texts of ${dataset_ids.join(', ')} become conversations of their own there.`,
      dataset_ids: [...dataset_ids],
    });
  }
  for (const { column, role, dataset_ids } of absent) {
    issues.push({
      code: 'incompatible_column_types',
      level: 'warning',
      message: `No column of ${dataset_ids.join(', ')} is mapped as ${role}: the rows of ${dataset_ids.length === 1 ? 'this dataset' : 'these datasets'} have none in ${JSON.stringify(column)}, and trainings skip rows without it. Map the column there first, if there is one.`,
      dataset_ids: [...dataset_ids],
    });
  }
  issues.push(...lostTraces(sources, mapping));
  issues.push(...lostContext(sources, merged, new Set(mapping.context)));
  if (preference.length > 0 && !isHomogeneous) {
    issues.push({
      code: 'mixed_training_types_resolved_to_sft',
      level: 'warning',
      message: 'The merge of instruction datasets and preference pairs is an instruction dataset.',
      types: sources.map(({ dataset_id, training_type }) => ({ dataset_id, training_type })),
    });
  }
  return issues;
}

/** Steps to answers that trainings of a source learn with these, and those of the merge do not, whose answers are in conversations. */
function lostTraces(
  sources: readonly CombineSource[],
  { completion, context }: Reconciliation['mapping'],
): CombineIssue[] {
  const isLost = ({ roles, columns, context: own }: CombineSource): boolean => {
    const names = new Set(columns.map(({ name }) => name));
    return hasTraces(roles.completion, names, own) && !hasTraces(completion, names, context);
  };
  const ids = sources.filter(isLost).map(({ dataset_id }) => dataset_id);
  if (ids.length === 0) return [];
  return [
    {
      code: 'incompatible_column_types',
      level: 'warning',
      message: `The answers of ${ids.join(', ')} have the steps to them in ${JSON.stringify(TRACES)}. Trainings of this merge, whose answers are in conversations, do not learn the steps. Adapt the datasets of conversations first to keep them.`,
      dataset_ids: ids,
    },
  ];
}

/** Columns that are context in some sources, and none in the merge: another source has a column of that name. */
function lostContext(
  sources: readonly CombineSource[],
  merged: Reconciliation['sources'],
  kept: ReadonlySet<string>,
): CombineIssue[] {
  const lost = sources.flatMap((source, n) => {
    const names = namesInMerge(source, merged[n]);
    return source.context
      .filter((column) => !kept.has(names.get(column) ?? column) && column !== source.image)
      .map((column) => ({ column, dataset_id: source.dataset_id }));
  });
  return [...groupBy(lost, ({ column }) => column)].map(([column, of]) => ({
    code: 'incompatible_column_types',
    level: 'warning',
    message: `${JSON.stringify(column)} is context of ${of.map(({ dataset_id }) => dataset_id).join(', ')}, and an ordinary column of another dataset: it is no context of the merge, whose prompts are trained on without it. Rename the column of the other dataset, or map it as context there, to keep it.`,
    dataset_ids: of.map(({ dataset_id }) => dataset_id),
  }));
}

const named = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'The dataset' : 'The datasets'} ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'}`;
