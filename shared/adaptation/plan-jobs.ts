import type { BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { own } from '#shared/platform/own.ts';
import { readJsonLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { BatchPlan } from '#shared/runs/schema/run-context.ts';
import {
  type BatchJob,
  type BatchState,
  createJobPlanner,
  type DraftJob,
  WantedLine,
} from './decide/batch-jobs.ts';

export interface PlanJobsPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/** Reads the calls that the rows of a batch want in a pass, by model. */
export async function readWanted(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  pass: number,
  n: number,
): Promise<Map<string, WantedLine[]>> {
  const lines = await readJsonLines(objects, objectKeys.wantedCalls(runId, pass, n), WantedLine);
  return groupBy(lines, ({ model_id: modelId }) => modelId);
}

/** Writes the input of a pass's jobs. Calls of a job that would be too small are left to single calls. */
export async function planJobs(
  { objects }: PlanJobsPorts,
  provider: BatchProvider,
  runId: string,
  state: BatchState,
): Promise<BatchJob[]> {
  const planner = createJobPlanner(provider, state.refused);
  const jobs: BatchJob[] = [];
  const keep = (draft: DraftJob) => keepJob(objects, provider, runId, state, jobs, draft);
  for (const { n } of await readJsonLines(objects, objectKeys.plan(runId), BatchPlan)) {
    for (const [modelId, calls] of await readWanted(objects, runId, state.pass, n)) {
      for (const draft of planner.add(n, modelId, calls)) await keep(draft);
    }
  }
  for (const draft of planner.end()) await keep(draft);
  return jobs;
}

/** Writes the input of jobs of half the calls. @returns the jobs of the pass with them at the end, and without `job` */
export async function splitJob(
  { objects }: PlanJobsPorts,
  provider: BatchProvider,
  runId: string,
  state: BatchState,
  job: BatchJob,
): Promise<BatchJob[]> {
  const limits = { ...provider.limits, callsMax: Math.ceil(job.calls / 2) };
  const planner = createJobPlanner({ limits, toLine: provider.toLine }, state.refused);
  const jobs = state.jobs.map((each) => (each === job ? { ...each, is_recorded: true } : each));
  const keep = (draft: DraftJob) =>
    keepJob(objects, provider, runId, state, jobs, draft, { held_since: job.held_since });
  for (const [n, parts] of groupBy(job.parts, (part) => part.n)) {
    const calls = (await readWanted(objects, runId, state.pass, n)).get(job.model_id) ?? [];
    for (const { from, to } of parts) {
      for (const draft of planner.add(n, job.model_id, calls.slice(from, to), from)) await keep(draft);
    }
  }
  for (const draft of planner.end()) await keep(draft);
  return jobs;
}

/** Writes the input of a job, and adds it to `jobs`. */
async function keepJob(
  objects: Pick<ObjectStore, 'write'>,
  provider: BatchProvider,
  runId: string,
  { pass, refused }: BatchState,
  jobs: BatchJob[],
  { modelId, lines, parts, tokensMax }: DraftJob,
  changes: Partial<BatchJob> = {},
): Promise<void> {
  if (lines.length < provider.limits.callsMin) return;
  const body = lines.map((line) => `${line}\n`).join('');
  await objects.write(objectKeys.batchInput(runId, pass, jobs.length), body, 'application/jsonl');
  jobs.push({
    name: `${runId}-${pass}-${jobs.length}`,
    model_id: modelId,
    calls: lines.length,
    parts: [...parts],
    tokens_max: tokensMax,
    refused: [...(own(refused, modelId) ?? [])],
    is_tried: false,
    job_id: null,
    submitted_at: null,
    cancelled_at: null,
    unreachable_since: null,
    held_since: null,
    is_recorded: false,
    ...changes,
  });
}
