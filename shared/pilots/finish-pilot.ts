import { priceRows } from '#shared/access/decide/prices.ts';
import { rowPriceOf } from '#shared/adaptation/decide/quote.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import type { SettleRun } from '#shared/runs/settle-run.ts';
import { deliveredOf } from './decide/describe-arm.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import { LOOKS, partsOfLook } from './decide/steps.ts';
import { type PilotPorts, readPilot } from './pilot-work.ts';
import { writeState } from './write-state.ts';

export interface BillPilotPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'list' | 'head'>;
}

/**
 * Prices the delivered rows of all arms, rounded once. A pilot whose sample was not drawn bills nothing.
 */
export async function billPilot(
  { objects }: BillPilotPorts,
  { run_id: runId }: Pick<RunRecord, 'run_id'>,
): Promise<{ billedCredits: number; counts: null }> {
  if ((await objects.head(objectKeys.pilotRows(runId))) === null) return { billedCredits: 0, counts: null };
  const request = await readJson(objects, objectKeys.runRequest(runId), PilotRequestObject);
  let delivered = 0;
  const parse = (value: unknown): RunResult | null => RunResult.safeParse(value).data ?? null;
  for (const [index] of request.arms.entries()) {
    for (const look of LOOKS) {
      for (const { n } of partsOfLook(look, index + 1, request.sample_rows)) {
        delivered += deliveredOf({ results: await readResults(objects, { run_id: runId, n }, parse) }).length;
      }
    }
  }
  return { billedCredits: priceRows(delivered, rowPriceOf(request.specification)), counts: null };
}

export interface FinishPilotPorts extends PilotPorts {
  readonly runs: Pick<RunRepository, 'find' | 'close'>;
  readonly settleRun: SettleRun;
}

/**
 * Ends a pilot: bills the delivered rows and settles the run. One that failed keeps what is done, and shows it.
 * Idempotent.
 */
export async function finishPilot(
  ports: FinishPilotPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> {
  const { dataset_id: datasetId, run_id: runId } = context;
  const run = await ports.runs.find(datasetId, runId);
  if (run === null) throw new Error(`There is no run ${runId}.`);
  if (run.status !== 'running') return run;
  if (error !== null) {
    await ports.runs.close(datasetId, runId);
    const isDrawn = (await ports.objects.head(objectKeys.pilotRows(runId))) !== null;
    if (isDrawn) await writeState(ports, await readPilot(ports, context), 'interrupted');
  }
  const { billedCredits } = await billPilot(ports, run);
  return ports.settleRun({ dataset_id: datasetId, run_id: runId, error, billedCredits, now });
}
