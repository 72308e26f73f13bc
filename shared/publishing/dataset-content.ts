import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { VersionRepository } from '#shared/datasets/decide/versions.ts';
import { rowsToExport } from '#shared/exports/build-export.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { linesIn, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { RowsToJoin } from '#shared/tabular/decide/join-rows.ts';
import { datasetCard, type Recipe, shardPath } from './decide/card.ts';
import { PublicationRefused, type RepositoryContent } from './decide/ports.ts';
import type { PublicationRecord } from './decide/record.ts';

export interface DatasetContentPorts {
  readonly datasets: Pick<DatasetRepository, 'find' | 'findEvaluation'>;
  readonly versions: Pick<VersionRepository, 'find'>;
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
  const languages = await languagesOf(await rowsToExport(objects, dataset_id, run, async () => null));
  const maker = run ?? (await madeBy(ports, dataset));
  const card = await cardOf(ports, dataset, maker, publication, { columns: rows.columns, languages });
  return exportShards(rows, (paths) =>
    use({
      kind: 'dataset',
      marker: { dataset_id },
      files: paths.map((localPath, index) => ({ localPath, path: shardPath(index, paths.length) })),
      card,
    }),
  );
}

/** The run that made a dataset with its rows, such as an invention; null for an upload. */
async function madeBy(
  { versions, runs }: Pick<DatasetContentPorts, 'versions' | 'runs'>,
  { dataset_id, made_by_run_id }: DatasetRecord,
): Promise<RunRecord | null> {
  const runId = (await versions.find(dataset_id, 1))?.run_id ?? made_by_run_id;
  const run = runId === undefined ? null : await runs.find(dataset_id, runId);
  return run === null || kindOf(run).reads !== 'other_rows' ? null : run;
}

/** Rows that are looked at for their language, the first ones. */
const LANGUAGE_ROWS = 200;
/** Share of the rows below which a language is taken for an error of the detector. */
const LANGUAGE_SHARE_MIN = 0.05;

/** The languages of the source rows, by their first rows. */
async function languagesOf({ source }: RowsToJoin): Promise<string[]> {
  const detect = await loadLanguageDetector();
  const counts = new Map<string, number>();
  let rows = 0;
  for await (const body of source) {
    for (const line of linesIn(Buffer.from(body)).slice(0, LANGUAGE_ROWS - rows)) {
      rows += 1;
      const cells: unknown[] = Object.values(JSON.parse(line));
      const language = detect(cells.filter((cell) => typeof cell === 'string').join(' '));
      if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    if (rows >= LANGUAGE_ROWS) break;
  }
  return [...counts]
    .flatMap(([language, count]) => (count < rows * LANGUAGE_SHARE_MIN ? [] : [language]))
    .sort();
}

async function cardOf(
  { datasets, objects }: DatasetContentPorts,
  dataset: DatasetRecord,
  run: RunRecord | null,
  { license }: PublicationRecord,
  { columns, languages }: { readonly columns: RowsToJoin['columns']; readonly languages: readonly string[] },
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
    languages,
    columns: columns.map(({ name, type }) => ({ name, type })),
    run,
    datasetId: dataset_id,
    sourceDatasetId: source_dataset_id,
    recipe:
      adaptation !== null && kindOf(adaptation).makes === 'version'
        ? await recipeOf(objects, adaptation)
        : null,
    evaluation,
    results: results === null ? null : JSON.parse(results.toString('utf8')),
  });
}

async function recipeOf(objects: Pick<ObjectStore, 'read'>, { run_id }: RunRecord): Promise<Recipe> {
  return (await readJson(objects, objectKeys.runRequest(run_id), RunRequestObject)).specification;
}
