import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { rowsToExport } from '#shared/exports/build-export.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RowsToJoin } from '#shared/tabular/decide/join-rows.ts';
import { datasetCard, type Recipe, shardPath } from './decide/card.ts';
import { PublicationRefused, type RepositoryContent } from './decide/ports.ts';
import type { PublicationRecord } from './decide/record.ts';

export interface DatasetContentPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'findEvaluation'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  /** Writes rows to temporary Parquet files, which are deleted after `use`. */
  readonly exportShards: <T>(rows: RowsToJoin, use: (paths: readonly string[]) => Promise<T>) => Promise<T>;
}

/**
 * Writes the rows of a dataset as Parquet files, with a card.
 * @throws {PublicationRefused} if they are deleted
 */
export async function withDatasetContent<T>(
  ports: DatasetContentPorts,
  publication: PublicationRecord,
  use: (content: RepositoryContent) => Promise<T>,
): Promise<T> {
  const { datasets, runs, objects, exportShards } = ports;
  const { dataset_id, run_id } = publication;
  const [dataset, run] = await Promise.all([
    datasets.find(dataset_id),
    run_id === null ? null : runs.find(dataset_id, run_id),
  ]);
  if (dataset === null) throw new PublicationRefused('The dataset was deleted. Publish another one.');
  if (run_id !== null && (run === null || run.results_deleted_at !== undefined)) {
    throw new PublicationRefused('The version was deleted. Publish another one.');
  }
  // A link to an image would soon be dead: its cell keeps the path.
  const rows = await rowsToExport(objects, dataset_id, run, async () => null);
  const card = await cardOf(ports, dataset, run, publication, rows.columns);
  return exportShards(rows, (paths) =>
    use({
      kind: 'dataset',
      marker: { dataset_id },
      files: paths.map((localPath, index) => ({ localPath, path: shardPath(index, paths.length) })),
      card,
    }),
  );
}

async function cardOf(
  { datasets, objects }: DatasetContentPorts,
  dataset: DatasetRecord,
  run: RunRecord | null,
  { license }: PublicationRecord,
  columns: RowsToJoin['columns'],
): Promise<string> {
  const { dataset_id, name, description, source_dataset_id } = dataset;
  const adaptation = adaptationOf(run);
  const evaluation =
    adaptation === null ? null : await datasets.findEvaluation(dataset_id, adaptation.run_id);
  const results = evaluation?.results_key == null ? null : await objects.read(evaluation.results_key);
  return datasetCard({
    name,
    description,
    license,
    columns: columns.map(({ name, type }) => ({ name, type })),
    run,
    datasetId: dataset_id,
    sourceDatasetId: source_dataset_id,
    recipe: adaptation?.pipeline === 'adapt' ? await recipeOf(objects, adaptation) : null,
    evaluation,
    results: results === null ? null : JSON.parse(results.toString('utf8')),
  });
}

async function recipeOf(objects: Pick<ObjectStore, 'read'>, { run_id }: RunRecord): Promise<Recipe> {
  return (await readJson(objects, objectKeys.runRequest(run_id), RunRequestObject)).specification;
}
