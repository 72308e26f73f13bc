import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import type { DatasetRecord } from '../datasets/dataset.tsx';
import {
  columnMappingOf,
  type Mapping,
  mappingOf,
  type Proposal,
  proposeMapping,
  readingOf,
  type SampledColumn,
} from './mapping.ts';
import { SAMPLE_ROWS, sampledColumnsOf } from './samples.ts';

/** What the first rows say of the columns of a dataset, and the mapping that is proposed from it. */
export interface ColumnsOf {
  readonly columns: readonly SampledColumn[];
  /** Columns of the file, read or not. */
  readonly total: number;
  readonly proposal: Proposal;
}

/** Reads the columns of a dataset; `found` is null until they are there. */
export function useColumns(dataset: DatasetRecord) {
  const { client } = useApi();
  const id = dataset.dataset_id;
  const { image_column_formats: formats, detected_format: detected } = dataset;
  const sample = useQuery({
    queryKey: ['dataset', id, 'sample'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/rows', {
          signal,
          params: { path: { dataset_id: id }, query: { limit: SAMPLE_ROWS } },
        }),
      ),
    // The rows as they came never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = useMemo((): ColumnsOf | null => {
    if (sample.data === undefined) return null;
    const columns = sampledColumnsOf(sample.data);
    return {
      columns,
      total: sample.data.columns_total,
      proposal: proposeMapping(columns, Object.keys(formats ?? {}), detected),
    };
  }, [sample.data, formats, detected]);
  return { found, error: sample.error, retry: () => void sample.refetch() };
}

/** The mapping that was chosen; without a choice the one that the dataset has, or else the proposal. */
export function mappedOf(dataset: DatasetRecord, { columns, proposal }: ColumnsOf, chosen: Mapping | null) {
  const configured = dataset.configured_column_mapping;
  const mapping = chosen ?? (configured === null ? proposal.mapping : mappingOf(configured, columns));
  const asked = columnMappingOf(
    mapping,
    columns.map(({ name }) => name),
  );
  return { mapping, asked, reading: readingOf(asked) };
}
