import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { VerdictRepository } from '#shared/review/decide/verdict.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import { removePrefixes } from './remove-prefixes.ts';

export interface EraseDatasetPorts {
  readonly datasets: Pick<DatasetRepository, 'expireRecords' | 'noteErasure'>;
  readonly runs: Pick<RunRepository, 'listOfDataset'>;
  readonly trainings: Pick<TrainingRepository, 'expire'>;
  readonly verdicts: Pick<VerdictRepository, 'erase'>;
  /** Prefixes of what else of a team holds rows of the dataset: runs of evals. */
  readonly listCopies: (teamId: string, datasetId: string) => Promise<readonly string[]>;
  readonly objects: Pick<ObjectStore, 'list' | 'remove'>;
  /** Has what answers with the model of a training deleted, if anything does. */
  readonly retireDeployment: (experimentId: string) => Promise<unknown>;
}

/**
 * Deletes every object of a deleted dataset: its files, rows, results, exports, models trained on it, and copies of its rows;
 * and what people said of them. Its records expire last, since they list its runs. Safe to repeat: work that was under way may
 * write more after it, which a later erasure deletes.
 */
export async function eraseDataset(
  ports: EraseDatasetPorts,
  datasetId: string,
  now: number,
): Promise<{ objects: number }> {
  const runs = await ports.runs.listOfDataset(datasetId);
  const trainings = runs.filter((run) => kindOf(run).makes === 'model');
  const teams = [...new Set(runs.map(({ team_id }) => team_id))];
  const copies: string[] = [];
  for (const team of teams) copies.push(...(await ports.listCopies(team, datasetId)));
  const prefixes = [
    ...copies,
    ...(await listReuse(ports.objects, teams, datasetId)),
    objectKeys.dataset(datasetId),
    objectKeys.exports(datasetId),
    objectKeys.indexPlans(datasetId),
    ...runs.flatMap(({ run_id }) => [
      objectKeys.run(run_id),
      objectKeys.imports(run_id),
      objectKeys.conversions(run_id),
    ]),
    ...trainings.map((run) => objectKeys.training(run.run_id)),
  ];
  // A training without its model is removed too: nothing lists it for download.
  for (const { run_id } of trainings) {
    await ports.retireDeployment(run_id);
    await ports.trainings.expire(run_id, now);
  }
  const objects = await removePrefixes(ports.objects, prefixes);
  await ports.verdicts.erase(datasetId);
  await ports.datasets.expireRecords(datasetId, now);
  await ports.datasets.noteErasure(datasetId, now, runs.length > 0);
  return { objects };
}

/**
 * Lists the prefixes of the model calls that the runs of the dataset have recorded. Those of chunks come before the
 * markers that name them, so that a repetition finds the rest.
 */
async function listReuse(
  objects: Pick<ObjectStore, 'list'>,
  teams: readonly string[],
  datasetId: string,
): Promise<string[]> {
  const prefixes: string[] = [];
  for (const team of teams) {
    const markers = objectKeys.reuseMarkers(team, datasetId);
    for await (const key of objects.list(markers)) {
      prefixes.push(objectKeys.reuseOfDataset(team, key.slice(markers.length), datasetId));
    }
    prefixes.push(objectKeys.datasetReuse(team, datasetId));
  }
  return prefixes;
}
