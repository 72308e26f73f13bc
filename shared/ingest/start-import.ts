import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { startIngest } from './complete-upload.ts';
import type { ImportRequest } from './decide/imports/read-source.ts';
import { newImport } from './decide/new-dataset.ts';

export interface StartImportPorts {
  readonly datasets: Pick<DatasetRepository, 'create' | 'deferIngest'>;
  readonly objects: Pick<ObjectStore, 'write'>;
  readonly launchRun: LaunchRun;
}

/**
 * Creates a dataset and starts its import; a deferred one waits for `start-adaption`, and nothing is fetched before
 * (spec §4.1).
 */
export async function startImport(
  ports: StartImportPorts,
  input: {
    readonly caller: Caller;
    readonly request: ImportRequest;
    readonly dataset_id: string;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<{ dataset_id: string; status: string }> {
  const { caller, request, dataset_id, now } = input;
  const dataset = newImport(caller, request, dataset_id, now);
  const store = () =>
    ports.objects.write(
      objectKeys.importSource(dataset_id),
      JSON.stringify(request.source),
      'application/json',
    );
  if (!request.deferred) {
    return startIngest(ports.launchRun, { caller, dataset, isNew: true, store, changes: {}, now });
  }
  await store();
  await ports.datasets.create(dataset);
  const waiting = await ports.datasets.deferIngest(caller, dataset_id, {}, now);
  return { dataset_id, status: listStatus(waiting.state) };
}
