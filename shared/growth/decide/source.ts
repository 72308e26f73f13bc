import { WAITS } from '#shared/datasets/decide/not-ready.ts';
import { type DatasetRecord, hasResult } from '#shared/datasets/decide/record.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import { listedColumns, mappingHints } from '#shared/datasets/decide/unknown-columns.ts';
import { DETAILS_MAX } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TRACE_COLUMNS } from '#shared/tabular/decide/export-columns.ts';
import { findForm, proposeMapping, proposePairs } from '#shared/tabular/decide/forms/known-form.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { type CombineSource, ROLES, type Role, storedBeside } from './combine/source.ts';

/**
 * The rows of a dataset as a source for new ones: those of its download.
 * @throws {ServiceError} `dataset_running`, `dataset_not_ready`, and `images_unsupported` if prompts rest on images, or cells name files
 */
export function requireGrowable(dataset: DatasetRecord): { readonly rowCount: number } {
  const { state, row_count: rowCount } = dataset;
  if (rowCount === null || rowCount === 0 || (!hasResult(dataset) && state !== 'awaiting_input')) {
    const status = listStatus(state);
    throw new ServiceError(
      state === 'running' ? 'dataset_running' : 'dataset_not_ready',
      `The dataset is not ready (${status}). ${WAITS[status] ?? 'It has no rows.'}`,
    );
  }
  // Links and bytes in another column are cells as any other; files stay with their dataset.
  const mapped = dataset.configured_column_mapping?.image;
  const files = Object.entries(dataset.image_column_formats ?? {}).flatMap(([name, format]) =>
    format === 'file_reference' ? [name] : [],
  );
  const images = [...new Set([...(mapped === undefined ? [] : [mapped]), ...files])];
  if (images.length > 0) {
    throw new ServiceError(
      'images_unsupported',
      `The dataset has images (${listedColumns(images).text}), and only text rows can be expanded. Upload it without image columns.`,
      {
        details: listedColumns(images)
          .listed.slice(0, DETAILS_MAX)
          .map((column) => ({ path: 'dataset_id', message: `has images in ${column}` })),
      },
    );
  }
  return { rowCount: dataset.output_row_count ?? rowCount };
}

/**
 * A dataset with a mapping: its own, or where that names no texts the one that its columns suggest without doubt. All that a source
 * is follows from this mapping, so that it is the same whether its owner sent it or not.
 */
export function withMapping(dataset: DatasetRecord): DatasetRecord {
  const own = dataset.configured_column_mapping;
  if (own !== null && textsOf(own).length > 0) return dataset;
  const found = findMapping(dataset.columns ?? []);
  if (found === null) return dataset;
  const texts = new Set(textsOf(found));
  const context = [...new Set([...(own?.context ?? []), ...found.context])].filter(
    (name) => !texts.has(name),
  );
  return { ...dataset, configured_column_mapping: { ...found, context } };
}

/**
 * The mapping that the columns of an upload suggest, in the order in which trainings look for it: prompts with answers that are
 * called so, a known form, a conversation, or else the one column of texts. Null without one, and where other columns are called as
 * prompts or answers are: these would be left out, or be taken for what they are not.
 */
function findMapping(columns: readonly RowsColumn[]): ConfiguredColumnMapping | null {
  const names = new Set(columns.map(({ name }) => name));
  const named = (...roles: Role[]): Partial<Record<Role, string>> =>
    Object.fromEntries(roles.flatMap((role) => (names.has(role) ? [[role, role]] : [])));
  const isPair = names.has('chosen') && names.has('rejected');
  if (names.has('prompt') && (names.has('completion') || isPair)) {
    return {
      ...named('prompt', 'completion', ...(isPair ? (['chosen', 'rejected'] as const) : [])),
      context: [],
    };
  }
  const form = findForm(columns);
  if (form !== null) return form.column_mapping;
  if (names.has('chat')) return { chat: 'chat', context: [] };
  const [only, ...others] = Object.values(named(...ROLES));
  if (only === undefined || others.length > 0) return null;
  const { context: _, ...proposed } = proposeMapping(columns) ?? {};
  return Object.values(proposed).every((name) => name === only) ? { [only]: only, context: [] } : null;
}

/**
 * The mapping of a dataset's download: the columns that its run produced, else the mapping of its upload.
 * @throws {ServiceError} `column_mapping_required` if there is neither a prompt nor a completion
 */
export function requireTexts(source: CombineSource): {
  readonly mapping: ConfiguredColumnMapping;
  readonly texts: string[];
} {
  const names = new Set(source.columns.map(({ name }) => name));
  const mapping: ConfiguredColumnMapping = {
    ...source.roles,
    context: source.context.filter((name) => names.has(name)),
    ...storedBeside(source.columns, source),
  };
  const answers = textsOf(mapping);
  const taken = new Set([...answers, ...mapping.context]);
  const isAnswered = mapping.completion !== undefined || mapping.chosen !== undefined;
  const traces = isAnswered ? TRACE_COLUMNS.filter((name) => names.has(name) && !taken.has(name)) : [];
  const texts = [...answers, ...traces];
  if (texts.length === 0) {
    // A raw ingest takes the pairs of a file, which an adaptation does not.
    const pairs = proposePairs(source.columns);
    const { hints } = mappingHints(source.columns, () => pairs ?? proposeMapping(source.columns));
    const how =
      pairs === null
        ? 'Adapt it with a column_mapping first, or upload it with processing_mode raw and a column_mapping.'
        : 'Upload it with processing_mode raw and a column_mapping.';
    throw new ServiceError(
      'column_mapping_required',
      [`It is not known which columns hold the prompts and answers of the dataset. ${how}`, ...hints].join(
        ' ',
      ),
      {
        details: [
          { path: 'dataset_id', message: 'has no columns that are known to hold prompts and answers' },
        ],
      },
    );
  }
  return { mapping, texts };
}

function textsOf(mapping: ConfiguredColumnMapping): string[] {
  return [
    ...new Set(
      [mapping.prompt, mapping.completion, mapping.chat, mapping.chosen, mapping.rejected].filter(
        (name) => name !== undefined,
      ),
    ),
  ];
}
