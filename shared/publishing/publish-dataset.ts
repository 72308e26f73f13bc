import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { rowsToExport } from '#shared/exports/build-export.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { adaptationOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { RowsToJoin } from '#shared/tabular/decide/join-rows.ts';
import { datasetCard, type Recipe, shardPath } from './decide/card.ts';
import { PublicationRefused, type PublicationRepository, type PublishContent } from './decide/ports.ts';
import {
  ATTEMPTS_MAX,
  claimOfPublication,
  isLost,
  LOST_MESSAGE,
  type PublicationRecord,
} from './decide/record.ts';
import type { PublicationStatus, PublishTarget } from './schema/publication.ts';

export interface PublishDatasetPorts {
  readonly publications: PublicationRepository;
  readonly datasets: Pick<DatasetRepository, 'find' | 'findEvaluation'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  /** The credential of a team for a provider; null without one. */
  readonly findConnection: (teamId: string, provider: string) => Promise<string | null>;
  /** Writes rows to temporary Parquet files, which are deleted after `use`. */
  readonly exportShards: <T>(rows: RowsToJoin, use: (paths: readonly string[]) => Promise<T>) => Promise<T>;
  readonly platforms: Readonly<Record<PublishTarget, PublishContent>>;
  readonly claims: Pick<Claims, 'release'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with an error after which the publication has failed, or is attempted again. */
  readonly onError: (error: unknown) => void;
}

/** Share of the work until the files are written, in percent. The rest is their upload. */
const WRITTEN_PERCENT = 20;

/**
 * One attempt to publish a dataset.
 * @throws {Error} if another attempt may succeed, and is due
 */
export async function publishDataset(
  ports: PublishDatasetPorts,
  { dataset_id, publish_id }: { readonly dataset_id: string; readonly publish_id: string },
): Promise<{ status: PublicationStatus }> {
  const { publications, clock } = ports;
  const found = await publications.find(dataset_id, publish_id);
  if (found !== null && isLost(found, clock.now())) {
    // Lambda has kept it waiting for so long that its caller was told to publish again.
    await publications.update(found, { status: 'failed', message: LOST_MESSAGE, uploads: [] });
    return { status: 'failed' };
  }
  const publication = await publications.begin(dataset_id, publish_id, timestamp(clock.now()));
  if (publication === null) {
    return { status: found?.status ?? 'failed' };
  }
  try {
    const published = await publishRows(ports, publication);
    const message =
      published.commit === null ? 'The repository had the same content already.' : 'The rows are published.';
    await publications.update(publication, {
      ...published,
      status: 'succeeded',
      message,
      progress_percent: 100,
      uploads: [],
    });
    await ports.claims.release(claimOfPublication(publication.team_id));
    return { status: 'succeeded' };
  } catch (error) {
    ports.onError(error);
    const isFinal = error instanceof PublicationRefused || publication.attempts >= ATTEMPTS_MAX;
    const message =
      error instanceof PublicationRefused
        ? error.message
        : isFinal
          ? 'The platform did not take the rows in three attempts. Publish again later.'
          : 'An attempt failed. Another one follows within minutes.';
    await publications.update(publication, {
      ...(isFinal ? { status: 'failed', uploads: [] } : {}),
      message,
    });
    if (isFinal) {
      await ports.claims.release(claimOfPublication(publication.team_id));
      return { status: 'failed' };
    }
    throw error;
  }
}

async function publishRows(ports: PublishDatasetPorts, publication: PublicationRecord) {
  const { publications, datasets, runs, findConnection, exportShards, platforms } = ports;
  const { dataset_id, team_id, target, run_id, repository, is_private: isPrivate } = publication;
  const token = await findConnection(team_id, target);
  if (token === null) {
    throw new PublicationRefused(
      'The connection to the platform is gone. Ask your operator to store it again.',
    );
  }
  const [dataset, run] = await Promise.all([
    datasets.find(dataset_id),
    run_id === null ? null : runs.find(dataset_id, run_id),
  ]);
  if (dataset === null) throw new PublicationRefused('The dataset was deleted.');
  if (run_id !== null && (run === null || run.results_deleted_at !== undefined)) {
    throw new PublicationRefused('The version was deleted.');
  }
  // A link to an image would soon be dead: its cell keeps the path.
  const rows = await rowsToExport(ports.objects, dataset_id, run, async () => null);
  const card = await cardOf(ports, dataset, run, publication, rows.columns);
  return exportShards(rows, async (paths) => {
    await publications.update(publication, { progress_percent: WRITTEN_PERCENT });
    let told = WRITTEN_PERCENT;
    return platforms[target]({
      token,
      repository,
      isPrivate,
      datasetId: dataset_id,
      files: paths.map((localPath, index) => ({ localPath, path: shardPath(index, paths.length) })),
      card,
      commitMessage: publication.commit_message ?? 'Publish rows',
      license: publication.license,
      title: publication.title,
      uploads: publication.uploads,
      keepUploads: (uploads) => publications.update(publication, { uploads: [...uploads] }),
      onProgress: async (share) => {
        const percent = WRITTEN_PERCENT + Math.floor(share * (99 - WRITTEN_PERCENT));
        if (percent < told + 5) return;
        told = percent;
        await publications.update(publication, { progress_percent: percent });
      },
    });
  });
}

async function cardOf(
  { datasets, objects }: PublishDatasetPorts,
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
