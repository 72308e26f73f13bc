import { type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { AccessRepository } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf, manifestKeyOf } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { deliveredRowCount } from './combine-rows.ts';
import { readCombineSource } from './combine-sources.ts';
import {
  listIssues,
  mergeIssues,
  notFound,
  readinessIssue,
  tooLargeTogether,
  wrongOrganization,
} from './decide/combine/issues.ts';
import { reconcile } from './decide/combine/reconcile.ts';
import type { CombineSource } from './decide/combine/source.ts';
import { plansRefusal } from './growth-source.ts';
import { COMBINE_SOURCES_MAX, type CombineIssue, type CombineValidation } from './schema/combine.ts';

export interface CheckCombinationPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly access: Pick<AccessRepository, 'isMember'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
}

/** A dataset that may be merged, with the run that provides its rows. */
export interface CheckedSource {
  readonly dataset: DatasetRecord;
  readonly runId: string | null;
  readonly rows: number;
  readonly bytes: number;
}

/** A merge is free, and its result can be merged again: without a bound, each request would double what is stored. */
export const COMBINE_BYTES_MAX = 8 * 1024 ** 3;

export interface CheckedCombination {
  readonly validation: CombineValidation;
  /** The error of a merge against which nothing stands but its size: `plan_limit_exceeded` or `dataset_too_large`. */
  readonly sizeRefusal: ServiceError | null;
  readonly sources: readonly CheckedSource[];
}

/** Whether datasets can be merged, and what the merge would do with them. Changes nothing. */
export async function checkCombination(
  ports: CheckCombinationPorts,
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id' | 'plan'>,
  datasetIds: readonly string[],
): Promise<CheckedCombination> {
  const issues = listIssues(datasetIds);
  const checked: { source: CheckedSource; shape: CombineSource; hasPairs: boolean }[] = [];
  // If there are too many sources, this is the only error.
  const looked = datasetIds.length > COMBINE_SOURCES_MAX ? [] : [...new Set(datasetIds)];
  for (const found of await Promise.all(looked.map((id) => lookAt(ports, caller, id)))) {
    if ('code' in found) issues.push(found);
    else checked.push(found);
  }

  const shapes = checked.map(({ shape }) => shape);
  const withoutPairs = checked
    .filter(({ shape, hasPairs }) => shape.training_type === 'preference_pairs' && !hasPairs)
    .map(({ shape }) => shape.dataset_id);
  const merge = reconcile(shapes);
  if (shapes.length > 0) issues.push(...mergeIssues(shapes, withoutPairs, merge));

  const sources = checked.map(({ source }) => source);
  const rows = sources.reduce((sum, source) => sum + source.rows, 0);
  const excess = refuseSize(caller, rows, bytesOf(sources));
  const isRefused = issues.some(({ level }) => level === 'error');
  if (excess !== null) issues.push(tooLargeTogether(excess.message));
  issues.sort((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'));
  if (isRefused || excess !== null) {
    return { validation: { compatible: false, issues }, sizeRefusal: isRefused ? null : excess, sources };
  }
  return {
    validation: { compatible: true, training_type: merge.trainingType, total_estimated_rows: rows, issues },
    sizeRefusal: null,
    sources,
  };
}

/** Bytes of the rows of all sources, which a merge copies. */
export const bytesOf = (sources: readonly CheckedSource[]): number =>
  sources.reduce((sum, { bytes }) => sum + bytes, 0);

function refuseSize(caller: Pick<Caller, 'plan'>, rows: number, bytes: number): ServiceError | null {
  const refusal = plansRefusal(caller, rows, 'dataset_ids', 'Name fewer or smaller datasets');
  if (refusal !== null || bytes <= COMBINE_BYTES_MAX) return refusal;
  return new ServiceError(
    'dataset_too_large',
    `The datasets have ${bytes} bytes of rows together, and a merge takes at most ${COMBINE_BYTES_MAX}. Name fewer or smaller datasets.`,
  );
}

async function lookAt(
  ports: CheckCombinationPorts,
  caller: Pick<Caller, 'team_id' | 'organization_id' | 'user_id'>,
  datasetId: string,
): Promise<CombineIssue | { source: CheckedSource; shape: CombineSource; hasPairs: boolean }> {
  const { objects } = ports;
  const dataset = await ports.datasets.find(datasetId);
  if (dataset?.team_id !== caller.team_id) {
    const isElsewhere =
      dataset != null &&
      dataset.organization_id !== caller.organization_id &&
      (await ports.access.isMember(dataset.team_id, caller.user_id));
    return isElsewhere ? wrongOrganization(datasetId) : notFound(datasetId);
  }
  const issue = readinessIssue(dataset);
  if (issue !== null) return issue;

  const runId = deliveredRunId(dataset);
  const run = runId === null ? null : await ports.runs.find(datasetId, runId);
  const manifest = await readJson(objects, manifestKeyOf(datasetId, run), RowsManifest);
  const adaptedId = adaptationOf(run)?.run_id ?? null;
  const shape = await readCombineSource(objects, dataset, manifest.columns, adaptedId);
  const bytes = manifest.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  return {
    source: {
      dataset,
      runId,
      rows: deliveredRowCount(manifest.row_count, run),
      // A run writes about as much again.
      bytes: adaptedId === null ? bytes : 2 * bytes,
    },
    shape,
    hasPairs:
      shape.roles.chosen !== undefined && (adaptedId === null || (await madePairs(objects, adaptedId))),
  };
}

/** Whether a successful run has produced a pair of answers for any row. */
async function madePairs(objects: Pick<ObjectStore, 'read'>, runId: string): Promise<boolean> {
  return (await readJson(objects, objectKeys.report(runId), StoredReport)).pairs > 0;
}
