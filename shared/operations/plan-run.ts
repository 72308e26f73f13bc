import { secondsPerRow } from '../domain/adaptation/quote.ts';
import { planRun, stretchRows, workforceOf } from '../domain/runs/plan.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import { RunRequestObject } from '../domain/runs/run-request.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import { RowsManifest } from '../schema/rows-manifest.ts';
import type { RunContext } from '../schema/run-context.ts';
import { readJson, writeLines } from './json-objects.ts';

export interface PlanRunPorts {
  readonly runs: Pick<RunRepository, 'recordPlan'>;
  readonly objects: ObjectStore;
  readonly modelConcurrency: number;
  /** Model id by role, and version by prompt, as they will serve this run. */
  readonly models: Readonly<Record<string, string>>;
  readonly promptVersions: Readonly<Record<string, string>>;
}

/**
 * Decides which rows a run processes and who works on what, and writes it where the map reads it.
 * @throws {ServiceError} `run_interrupted` when the run is no longer active
 */
export async function planAdaptation(
  ports: PlanRunPorts,
  context: RunContext,
): Promise<{ plan_key: string; chunk_count: number; max_concurrency: number }> {
  const { dataset_id: datasetId, run_id: runId } = context;
  const { specification } = await readJson(ports.objects, objectKeys.runRequest(runId), RunRequestObject);
  const manifest = await readJson(ports.objects, objectKeys.manifest(datasetId), RowsManifest);
  const workforce = workforceOf(ports.modelConcurrency);
  const plan = planRun(context, manifest.chunks, {
    maxRows: specification.max_rows,
    seed: datasetId,
    stretchRowsMax: stretchRows(secondsPerRow(specification), workforce),
  });
  const planKey = objectKeys.plan(runId);
  await writeLines(ports.objects, planKey, plan.stretches);

  const isActive = await ports.runs.recordPlan(datasetId, runId, {
    total_rows: plan.selectedRows,
    models: { ...ports.models },
    prompt_versions: { ...ports.promptVersions },
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
  return { plan_key: planKey, chunk_count: plan.stretches.length, max_concurrency: workforce.workers };
}
