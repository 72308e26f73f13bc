import { CallDeferred, type WantedCall } from '#shared/models/decide/call-memo.ts';
import { readJson, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { LAST_START_SECONDS, readDoneRows, writeCheckpoint } from '#shared/runs/run-rows.ts';
import {
  askingOf,
  type Invocation,
  runWorker,
  type WorkEnd,
  type WorkStatus,
  workOf,
} from '#shared/runs/run-worker.ts';
import type { BatchPlan, BatchWork } from '#shared/runs/schema/run-context.ts';
import { type AdaptChunkPorts, openBatch, readRequest } from './adapt-chunk.ts';
import { adaptRow } from './adapt-row.ts';
import { BatchState, type WantedLine } from './decide/batch-jobs.ts';
import { WorkedRow } from './decide/reuse.ts';
import { effortOf } from './run-batch.ts';

/** Rows at once: those with linked images wait for them. */
const ROWS_AT_ONCE = 8;

/**
 * Collects the model calls that the rows of a batch wait for, without making one: every row runs until a call has no answer
 * of an earlier pass. A row that needs no further call is done, and goes into a checkpoint.
 */
export async function collectCalls(
  ports: AdaptChunkPorts,
  { also = [], ...first }: BatchWork,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> {
  const { pass } = await readJson(ports.objects, objectKeys.batchState(first.run_id), BatchState);
  for (const batch of [first, ...also]) {
    const { status } = await runWorker(ports, batch, collectBatch(ports, batch, pass, invocation));
    if (status === 'stopped') return { status };
  }
  return { status: 'finished' };
}

async function collectBatch(
  ports: AdaptChunkPorts,
  batch: BatchPlan,
  pass: number,
  invocation: Invocation,
): Promise<WorkEnd> {
  const { objects, clock } = ports;
  const { run_id: runId, n } = batch;
  const request = await readRequest(ports, batch);
  const wanted = new Map<string, WantedCall>();
  const { unselected, lines, ...work } = await openBatch(ports, batch, request, (call) =>
    wanted.set(call.id, call),
  );
  const { job } = workOf(ports, batch, invocation, { budget: request.budget, unselected });
  // A run that was stopped delivers the rows that the jobs have answered, once there were some.
  const run = await ports.runs.find(batch.dataset_id, runId);
  const isStopped = run?.status !== 'running' || (run.stop_reason !== undefined && pass === 1);
  if (isStopped) return { status: 'stopped', reason: null };

  const stored = { ...job, lines, parse: (value: unknown) => WorkedRow.parse(value) };
  const done = new Map((await readDoneRows(stored)).map((result) => [result.row, result]));
  const finished: WorkedRow[] = [];
  const { signal } = new AbortController();
  let next = 0;
  // Rows that are not reached in time are collected by the next pass, or worked on singly.
  const hasTime = (): boolean => clock.now() < invocation.deadlineMs - LAST_START_SECONDS * 1000;
  const workOff = async (): Promise<void> => {
    for (; next < lines.length && hasTime(); ) {
      const place = next;
      next += 1;
      const row = batch.first_row + place;
      if (done.has(row)) continue;
      try {
        finished.push(await adaptRow(work, lines[place] ?? '', row, askingOf(job, signal)));
      } catch (error) {
        if (!(error instanceof CallDeferred)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, workOff));
  if (finished.length > 0) await writeCheckpoint(job, `${invocation.attempt}-pass`, finished);
  const efforts = [...done.values(), ...finished].map(effortOf);
  await job.onProgress?.({
    rowsDone: efforts.length,
    rowsTotal: lines.length,
    rowsFailed: efforts.filter(({ isFailed }) => isFailed).length,
    tokens: efforts.reduce((sum, { tokens }) => sum + tokens, 0),
  });
  const calls = [...wanted.values()].map(
    ({ id, modelId, request }): WantedLine => ({ id, model_id: modelId, request }),
  );
  await writeLines(objects, objectKeys.wantedCalls(runId, pass, n), calls);
  return { status: 'finished', reason: null };
}
