import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { Invariants } from './invariants.ts';
import type { SimulatedObjects } from './simulated-objects.ts';

/** Whether the results of a run, counted once more, are those that it was billed for and that its report tells of; not where they are deleted. */
export async function countAgain(
  objects: SimulatedObjects,
  invariants: Invariants,
  run: RunRecord,
): Promise<void> {
  const dataset = invariants.datasets.find(({ dataset_id }) => dataset_id === run.dataset_id);
  if (run.status === 'running' || run.counts === null || dataset?.state === 'deleted') return;
  if (kindOf(run).makes !== 'version' || run.request_key === null) return;
  const request = await readJson(objects.atOnce, run.request_key, RunRequestObject);
  const report = await readJson(objects.atOnce, objectKeys.report(run.run_id), StoredReport);
  const again = await assembleResults(objects.atOnce, run, request, run.counts.total);
  const { input, output, calls } = again.tokens;
  const delivered = JSON.stringify([again.counts, { input, output, calls }, again.edits]);
  const counted = JSON.stringify([run.counts, report.tokens, report.edits]);
  if (delivered !== counted)
    invariants.breaks('what was counted is delivered', `${run.run_id}: ${counted} became ${delivered}`);
}
