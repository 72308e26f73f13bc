import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import {
  type RefusedDeletion,
  type VersionRepository,
  versionNotFound,
} from '#shared/datasets/decide/versions.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { isResultVersion } from '#shared/runs/decide/run-kinds.ts';

export interface DeleteVersionPorts {
  readonly versions: Pick<VersionRepository, 'find' | 'delete'>;
  /** Starts erasing the objects of a deleted version, and returns at once. */
  readonly startErasing: (version: { dataset_id: string; version: number }) => Promise<void>;
}

/**
 * Deletes a version that an adaptation made, and sets off the removal of its objects. Versions of an upload or an append
 * are never deleted, so a pilot, which reads such rows alone, loses none. A repetition finds no version, but sets the
 * removal off again, which completes one that was cut off.
 * @throws {ServiceError} `version_not_found`, `version_in_use`
 */
export async function deleteVersion(
  { versions, startErasing }: DeleteVersionPorts,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  number: number,
  now: number,
): Promise<void> {
  const version = await versions.find(dataset_id, number);
  if (version === null) throw versionNotFound(number);
  if (!isResultVersion(version)) throw inUse(number, 'of_rows');
  const refused = version.deleted_at === undefined ? await versions.delete(version, now) : 'missing';
  if (refused !== null && refused !== 'missing') throw inUse(number, refused);
  await startErasing({ dataset_id, version: number });
  if (refused === 'missing') throw versionNotFound(number);
}

const WHY: Readonly<Record<Exclude<RefusedDeletion, 'missing'> | 'of_rows', (version: number) => string>> = {
  of_rows: (version) =>
    `Version ${version} has rows that other versions are made of. Delete a version that an adaptation or a review made, or the whole dataset.`,
  active: (version) =>
    `The run of version ${version} is active. Wait until it has ended, or cancel it, then delete the version.`,
  current: (version) =>
    `Reads that name no version mean version ${version}. Adapt the dataset again, then delete it.`,
  trained: (version) =>
    `An active training reads version ${version}. Wait until it has ended, or cancel it, then delete the version.`,
};

function inUse(version: number, why: keyof typeof WHY): ServiceError {
  return new ServiceError('version_in_use', WHY[why](version));
}
