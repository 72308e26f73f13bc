import type { PilotedArm } from '#shared/adaptation/launch-adaptation.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { PilotRequestObject, RecommendedArm } from './decide/request-object.ts';
import { requirePilot } from './decide/require-pilot.ts';

/** What an arm says, so that a request that names a pilot cannot. */
const OF_ARM = ['column_mapping', 'recipe_specification', 'brand_controls', 'training_type'] as const;

/**
 * The request that runs an arm of a pilot: the recommended one, or the one that is named.
 * @throws {ServiceError} `invalid_request`, `pilot_not_found`, `pilot_running`, `pilot_without_winner`
 */
export async function resolveArm(
  ports: {
    readonly runs: Pick<RunRepository, 'find' | 'listOfDataset'>;
    readonly objects: Pick<ObjectStore, 'read'>;
  },
  dataset: Pick<DatasetRecord, 'dataset_id'>,
  asked: AdaptRequest,
): Promise<{ readonly request: AdaptRequest; readonly piloted: PilotedArm }> {
  const { pilot_id: pilotId, pilot_arm: named, ...rest } = asked;
  if (pilotId === undefined) throw invalidField('pilot_arm', 'needs pilot_id; send both, or neither');
  const double = OF_ARM.find((field) => rest[field] !== undefined);
  if (double !== undefined) throw invalidField(double, 'is what the arm of the pilot says; omit it');
  const run = requirePilot(await ports.runs.find(dataset.dataset_id, pilotId));
  if (run.status === 'running') {
    throw new ServiceError('pilot_running', 'The pilot has not ended. Wait until it has, or cancel it.');
  }
  const { objects } = ports;
  const state = await findJson(objects, objectKeys.pilotState(pilotId), RecommendedArm);
  const number = named ?? (run.status === 'succeeded' ? state?.recommendation?.arm : null) ?? null;
  if (number === null || state === null) {
    throw new ServiceError(
      'pilot_without_winner',
      'The pilot recommends no arm. Name the arm to run in pilot_arm, or send the settings without pilot_id.',
    );
  }
  const planned = await readJson(objects, objectKeys.runRequest(pilotId), PilotRequestObject);
  const arm = planned.arms[number - 1];
  if (arm === undefined) {
    throw invalidField('pilot_arm', `is ${number}, and the pilot has ${planned.arms.length} arms`);
  }
  const { name: _name, ...settings } = arm.asked;
  const resultsKey = objectKeys.pilotResults(pilotId, number);
  return {
    request: { ...rest, ...settings, column_mapping: planned.column_mapping },
    piloted: {
      pilot_id: pilotId,
      fingerprint: planned.fingerprint,
      results_key: resultsKey,
      rows: (await isTakenOver(ports, dataset, pilotId)) ? 0 : (await readLines(objects, resultsKey)).length,
    },
  };
}

/** Whether a run has taken over rows of the pilot. Rows are taken over once: an evaluation and an index follow every run. */
async function isTakenOver(
  { runs }: { readonly runs: Pick<RunRepository, 'listOfDataset'> },
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  pilotId: string,
): Promise<boolean> {
  const all = await runs.listOfDataset(dataset_id);
  return all.some(
    ({ pilot_id, pilot_rows, status }) => pilot_id === pilotId && pilot_rows !== 0 && status !== 'failed',
  );
}
