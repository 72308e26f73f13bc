import { BatchState } from '#shared/adaptation/decide/batch-jobs.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { Executions } from '#shared/runs/decide/executions.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { growsDataset } from '#shared/runs/decide/run-kinds.ts';
import { runCancelled } from '#shared/runs/decide/stop-reasons.ts';
import { type BillFailedRunPorts, endFailedRun } from './end-failed-run.ts';

export interface CancelRunPorts extends BillFailedRunPorts {
  readonly runs: BillFailedRunPorts['runs'] & Pick<RunRepository, 'requestStop'>;
  readonly executions: Pick<Executions, 'stop'>;
  readonly clock: Clock;
}

/** Workers check every 5 s for a stop request, and write a checkpoint. */
const GRACE_SECONDS = 8;
const LOOK_SECONDS = 1;

/**
 * Whether jobs of a model provider are under way for a run, or what they have answered is being collected. Its state machine
 * then ends it: a provider takes minutes to end a job, and what it has answered until then is delivered and billed.
 */
async function waitsForJobs(objects: CancelRunPorts['objects'], runId: string): Promise<boolean> {
  const state = await findJson(objects, objectKeys.batchState(runId), BatchState);
  return state !== null && state.stage !== 'done' && (state.stage === 'jobs' || state.pass > 1);
}

/**
 * Cancels a run. Its workers get a stop request and a few seconds to write checkpoints; then the execution is stopped
 * and the run ended: it fails with `run_cancelled`, and delivered rows are billed and can be downloaded. A run that waits
 * for batch jobs has them cancelled, and ends when they have ended; one that grows a dataset ends when the rows that are
 * done are its. Idempotent.
 * Returns the run's status.
 */
export async function cancelRun(
  ports: CancelRunPorts,
  { dataset_id: datasetId, run_id: runId }: { readonly dataset_id: string; readonly run_id: string },
): Promise<{ status: string }> {
  const { runs, clock } = ports;
  await runs.requestStop(datasetId, runId, runCancelled);
  const asked = await runs.find(datasetId, runId);
  // Its rows are delivered together, by its state machine: once the workers have seen the request, it assembles what is done.
  if (asked !== null && growsDataset(asked)) return { status: asked.status };
  if (await waitsForJobs(ports.objects, runId)) {
    await ports.endBatchJobs(runId);
    return { status: 'running' };
  }
  const untilMs = clock.now() + GRACE_SECONDS * 1000;
  let run = await runs.find(datasetId, runId);
  while (run?.status === 'running' && clock.now() < untilMs) {
    await clock.sleep(LOOK_SECONDS * 1000);
    run = await runs.find(datasetId, runId);
  }
  if (run?.status !== 'running') return { status: run?.status ?? 'missing' };

  await ports.executions.stop(run.pipeline, runId);
  const ended = await endFailedRun(ports, run, runCancelled, clock.now());
  return { status: ended.status };
}
