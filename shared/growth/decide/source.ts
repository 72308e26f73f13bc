import { WAITS } from '#shared/datasets/decide/not-ready.ts';
import { type DatasetRecord, hasResult } from '#shared/datasets/decide/record.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import { listedColumns } from '#shared/datasets/decide/unknown-columns.ts';
import { DETAILS_MAX } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { type CombineSource, ROLES } from './combine/source.ts';

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
 * The mapping of a dataset's download: the columns that its run produced, else the mapping of its upload, else columns
 * with the names of the roles.
 * @throws {ServiceError} `column_mapping_required` if there is neither a prompt nor a completion
 */
export function requireTexts(source: CombineSource): {
  readonly mapping: ConfiguredColumnMapping;
  readonly texts: string[];
} {
  const names = new Set(source.columns.map(({ name }) => name));
  const known: ConfiguredColumnMapping = {
    ...source.roles,
    context: source.context.filter((name) => names.has(name)),
  };
  const usual = Object.fromEntries(ROLES.flatMap((name) => (names.has(name) ? [[name, name]] : [])));
  const found = textsOf(known).length > 0 ? known : { ...usual, context: known.context };
  const traces = names.has('reasoning_trace') && found.completion === 'enhanced_completion';
  const texts = [...textsOf(found), ...(traces ? ['reasoning_trace'] : [])];
  if (texts.length === 0) {
    throw new ServiceError(
      'column_mapping_required',
      `The dataset has no prompt or completion column, only ${listedColumns([...names]).text}. Adapt it with a column_mapping first, or upload it with processing_mode raw and a column_mapping.`,
      { details: [{ path: 'dataset_id', message: 'has no prompt or completion column' }] },
    );
  }
  return { mapping: found, texts };
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
