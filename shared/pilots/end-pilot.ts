import { priceRows } from '#shared/access/decide/prices.ts';
import { rowPriceOf } from '#shared/adaptation/decide/price-rows.ts';
import { WorkedRow } from '#shared/adaptation/decide/reuse.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { isDelivered, lacksPair } from '#shared/runs/decide/outcomes.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { type EndRun, endOnce } from '#shared/runs/end-run.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import { PilotRows } from './decide/state.ts';
import { partsOf } from './decide/steps.ts';
import { type PilotPorts, readPilotWork } from './pilot-work.ts';
import { writeState } from './write-state.ts';

/**
 * Writes the delivered rows of each arm under their indexes in the dataset, for the run that takes them over, and prices
 * those that do not lack a pair which their arm asks for, rounded once. A pilot whose sample was not drawn bills nothing.
 */
export async function billPilot(
  { objects }: Pick<PilotPorts, 'objects'>,
  { run_id: runId }: Pick<RunRecord, 'run_id'>,
): Promise<{ billedCredits: number; counts: null }> {
  if ((await objects.head(objectKeys.pilotRows(runId))) === null) return { billedCredits: 0, counts: null };
  const request = await readJson(objects, objectKeys.runRequest(runId), PilotRequestObject);
  const { rows } = await readJson(objects, objectKeys.pilotRows(runId), PilotRows);
  let billed = 0;
  for (const [index] of request.arms.entries()) {
    const arm = index + 1;
    const results = await deliveredRows(objects, runId, arm, rows);
    await writeLines(objects, objectKeys.pilotResults(runId, arm), results);
    billed += results.filter((result) => !lacksPair(result)).length;
  }
  return { billedCredits: priceRows(billed, rowPriceOf(request.specification)), counts: null };
}

/** What the rows took was spent by the pilot. */
async function deliveredRows(
  objects: PilotPorts['objects'],
  runId: string,
  arm: number,
  rows: readonly number[],
): Promise<WorkedRow[]> {
  const parse = (value: unknown): WorkedRow | null => WorkedRow.safeParse(value).data ?? null;
  const delivered: WorkedRow[] = [];
  for (const { n } of partsOf(arm, rows.length)) {
    const results = await readResults(objects, { run_id: runId, n }, parse);
    for (const { seconds: _seconds, ...result } of results.values()) {
      if (!isDelivered(result)) continue;
      const row = rows[result.row];
      if (row === undefined) throw new RangeError(`Row ${result.row} is not in the sample.`);
      delivered.push({ ...result, row, tokens: { input: 0, output: 0 }, calls: 0 });
    }
  }
  return delivered;
}

/** What a pilot that ends early keeps: it shows what is done, and bills it. */
export async function interruptPilot(
  ports: PilotPorts,
  run: RunRecord,
): Promise<{ billedCredits: number; counts: null }> {
  const isDrawn = (await ports.objects.head(objectKeys.pilotRows(run.run_id))) !== null;
  if (isDrawn) await writeState(ports, await readPilotWork(ports, run), 'interrupted');
  return billPilot(ports, run);
}

export interface EndPilotPorts extends PilotPorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly endRun: EndRun;
}

/**
 * Ends a pilot: bills the delivered rows and ends the run. One that failed keeps what is done, and shows it.
 * Idempotent.
 */
export function endPilot(
  ports: EndPilotPorts,
  context: RunContext,
  error: ErrorData | null,
  now: number,
): Promise<RunRecord> {
  return endOnce(ports.runs, context, async (run) => {
    const { dataset_id, run_id } = run;
    const { billedCredits } = await (error === null ? billPilot(ports, run) : interruptPilot(ports, run));
    return ports.endRun({ dataset_id, run_id, error, billedCredits, now });
  });
}
