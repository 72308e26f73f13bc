import { CallDeferred, type WantedCall } from '#shared/models/decide/call-memo.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { LAST_START_SECONDS, type RowsJob, readDoneRows, writeCheckpoint } from '#shared/runs/run-rows.ts';
import { type Invocation, runWorker, type WorkStatus } from '#shared/runs/run-worker.ts';
import type { BatchWork } from '#shared/runs/schema/run-context.ts';
import { type AdaptBatchPorts, openBatch, readRequest, searcherOf } from './adapt-batch.ts';
import { BatchState, type WantedLine } from './decide/batch-jobs.ts';
import type { WorkedRow } from './decide/reuse.ts';
import { readKnownRows } from './read-doubts.ts';

/** Rows at once: those with linked images wait for them. */
const ROWS_AT_ONCE = 8;

/**
 * Collects the model calls that the rows of a batch wait for, without making one: every row runs until a call has no answer
 * of an earlier pass. A row that needs no further call is done, and goes into a checkpoint.
 */
export async function collectCalls(
  ports: AdaptBatchPorts,
  { also = [], ...first }: BatchWork,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> {
  const { objects, runs } = ports;
  const { run_id: runId, dataset_id: datasetId } = first;
  const { pass } = await readJson(objects, objectKeys.batchState(runId), BatchState);
  const request = await readRequest(ports, first);
  const { budget } = request;
  const known = await readKnownRows(objects, first, request);
  const opening = { ...ports, searcher: searcherOf(ports), known };
  for (const batch of [first, ...also]) {
    const wanted = new Map<string, WantedCall>();
    const collect = (call: WantedCall): unknown => wanted.set(call.id, call);
    const { status } = await runWorker(
      ports,
      batch,
      invocation,
      async (plan) => ({ budget, ...(await openBatch(opening, plan, request, collect)) }),
      async (job) => {
        // A run that was stopped delivers the rows that the jobs have answered, once there were some.
        const run = await runs.find(datasetId, runId);
        const isStopped = run?.status !== 'running' || (run.stop_reason !== undefined && pass === 1);
        if (isStopped) return { status: 'stopped' };
        await workUntilCalls(job);
        const calls = [...wanted.values()].map(
          ({ id, modelId, request }): WantedLine => ({ id, model_id: modelId, request }),
        );
        await writeLines(objects, objectKeys.wantedCalls(runId, pass, batch.n), calls);
        return { status: 'finished' };
      },
    );
    if (status === 'stopped') return { status };
  }
  return { status: 'finished' };
}

/** Runs each row up to its next call. Those that are not reached in time are left to the next pass, or worked on singly. */
async function workUntilCalls(job: RowsJob<WorkedRow>): Promise<void> {
  const { lines, clock, deadlineMs, effortOf } = job;
  const done = new Map((await readDoneRows(job)).map((result) => [result.row, result]));
  const finished: WorkedRow[] = [];
  const { signal } = new AbortController();
  // No call is made here, so a row that is given up has used nothing.
  const abandoned = (): void => undefined;
  let next = 0;
  const hasTime = (): boolean => clock.now() < deadlineMs - LAST_START_SECONDS * 1000;
  const workOff = async (): Promise<void> => {
    for (; next < lines.length && hasTime(); ) {
      const place = next;
      next += 1;
      const row = job.firstRow + place;
      if (done.has(row)) continue;
      try {
        finished.push(await job.process(lines[place] ?? '', row, signal, abandoned));
      } catch (error) {
        if (!(error instanceof CallDeferred)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, workOff));
  if (finished.length > 0) await writeCheckpoint(job, `${job.attempt}-pass`, finished);
  const efforts = [...done.values(), ...finished].flatMap((result) => effortOf?.(result) ?? []);
  await job.onProgress?.({
    rowsDone: efforts.length,
    rowsTotal: lines.length,
    rowsFailed: efforts.filter(({ isFailed }) => isFailed).length,
    tokens: efforts.reduce((sum, { tokens }) => sum + tokens, 0),
    unbilledTokens: finished.reduce((sum, result) => sum + (effortOf?.(result).unbilledTokens ?? 0), 0),
  });
}
