import { adaptedRunId, type DatasetRecord, deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { listStatus } from '#shared/datasets/decide/states.ts';
import type { DatasetListStatus } from '#shared/datasets/schema/dataset.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { readCombineSource } from './combine-sources.ts';
import type { CombineSource } from './decide/combine/source.ts';
import { requireGrowable, withMapping } from './decide/source.ts';

export interface GrowthSource {
  /** With the mapping that its columns suggest, if it has none of its own. */
  readonly dataset: DatasetRecord;
  /** Rows of its download. */
  readonly rowCount: number;
  readonly shape: CombineSource;
  readonly runId: string | null;
}

/** The source of a new dataset, or why it cannot be one; a replay of the request does not check it. */
export type FoundSource = GrowthSource | { readonly refusal: ServiceError };

/**
 * Finds the source dataset of a new one.
 * @throws unexpected errors only
 */
export async function findGrowthSource(
  { datasets, objects }: { datasets: Pick<DatasetRepository, 'require'>; objects: Pick<ObjectStore, 'read'> },
  caller: Pick<Caller, 'team_id'>,
  datasetId: string,
): Promise<FoundSource> {
  try {
    const found = await datasets.require(caller, datasetId);
    const { rowCount } = requireGrowable(found);
    const dataset = withMapping(found);
    const runId = deliveredRunId(dataset);
    const shape = await readCombineSource(objects, dataset, dataset.columns ?? [], adaptedRunId(dataset));
    return { dataset, rowCount, shape, runId };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'service_unavailable') return { refusal: error };
    throw error;
  }
}

/** @throws {ServiceError} the source's error, if there is one */
export function requireSource(found: FoundSource): GrowthSource {
  if ('refusal' in found) throw found.refusal;
  return found;
}

/** @throws {ServiceError} `plan_limit_exceeded` */
export function requireRowsOfPlan(
  caller: Pick<Caller, 'plan'>,
  rows: number,
  path: string,
  advice: string,
): void {
  const refusal = plansRefusal(caller, rows, path, advice);
  if (refusal !== null) throw refusal;
}

/** The error `plan_limit_exceeded` of a launch with more rows than the plan allows; null for any other launch. */
export function plansRefusal(
  { plan }: Pick<Caller, 'plan'>,
  rows: number,
  path: string,
  advice: string,
): ServiceError | null {
  if (rows <= plan.rows_per_launch) return null;
  return new ServiceError(
    'plan_limit_exceeded',
    `The plan ${JSON.stringify(plan.name)} allows ${plan.rows_per_launch} rows a launch, and this launch has ${rows}. ${advice}, or ask your operator for another plan.`,
    {
      details: [
        { path, message: `allows at most ${plan.rows_per_launch} rows`, limit: plan.rows_per_launch },
      ],
    },
  );
}

/** The current status of a dataset, as in the status endpoint; null if it was deleted. */
export async function currentStatus(
  datasets: Pick<DatasetRepository, 'find'>,
  datasetId: string,
): Promise<DatasetListStatus | null> {
  const dataset = await datasets.find(datasetId);
  return dataset === null ? null : listStatus(dataset.state);
}
