import { contentOfColumns, modeOf } from '#shared/answers/decide/row-mapping.ts';
import { imageFormatOf } from '#shared/datasets/decide/mapped-columns.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { carriedColumns, TRACES } from '#shared/tabular/decide/export-columns.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { AdaptationSpecification } from './specification.ts';

/** How rows are read and written of which no adaptation has said it: as they are. */
export function plainSpecification(
  mapping: ConfiguredColumnMapping,
  dataset: Pick<DatasetRecord, 'columns' | 'image_column_formats'>,
): AdaptationSpecification {
  const { chosen: _, rejected: __, ...read } = mapping;
  const carried = carriedColumns(mapping, dataset.columns ?? []);
  return {
    mode: modeOf(read),
    mapping,
    ...contentOfColumns(mapping, dataset.columns ?? []),
    image_format: mapping.image === undefined ? null : imageFormatOf(dataset, mapping.image),
    training_type: 'instruction_dataset',
    prompt_rephrase: false,
    deduplication: false,
    reasoning_traces: carried.includes(TRACES),
    ...(carried.length === 0 ? {} : { carried }),
    prompt_metadata_injection: false,
    length: null,
    blueprint: null,
    safety: null,
    grounding: false,
    max_rows: null,
    lint: null,
    expansion: null,
  };
}
