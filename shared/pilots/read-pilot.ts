import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { findJson, readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { stageOf } from '#shared/runs/decide/view.ts';
import { describeArm } from './decide/describe-arm.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import { reviewPairs } from './decide/review-pairs.ts';
import { PilotState } from './decide/state.ts';
import type { PairVerdictsRequest, ReviewedPilot } from './schema/pair-verdicts.ts';
import { type Pilot, PilotRow, type PilotRowsPage, type PilotRowsQuery } from './schema/pilot.ts';

export interface ReadPilotPorts {
  readonly runs: Pick<RunRepository, 'find' | 'listPilots' | 'readProcessedRows'>;
  readonly objects: Pick<ObjectStore, 'read'>;
}

const LISTED_MAX = 40;

/** The pilots of a dataset, newest first. */
export async function listPilots(
  ports: ReadPilotPorts,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
): Promise<Pilot[]> {
  const pilots = await ports.runs.listPilots(dataset_id, LISTED_MAX);
  return forEachAtOnce(pilots, async (run) => {
    const pilot = await describePilot(ports, run);
    // Settings may be long: eight blueprints of 20,000 characters, forty times.
    return {
      ...pilot,
      arms: pilot.arms.map(({ brand_controls, recipe_specification, ...arm }) => arm),
    };
  });
}

/** A pilot as callers see it: its run, and what its last step has stored of its arms. */
export async function describePilot(ports: ReadPilotPorts, run: RunRecord): Promise<Pilot> {
  const { objects, runs } = ports;
  // A launch whose process died before it stored what was asked has a run that ends as not started.
  const request = await findJson(objects, objectKeys.runRequest(run.run_id), PilotRequestObject);
  const state = await findJson(objects, objectKeys.pilotState(run.run_id), PilotState);
  const sampleRows = state?.sample_rows ?? request?.sample_rows ?? 0;
  const total = sampleRows * (request?.arms.length ?? 0);
  const done = await runs.readProcessedRows(run.run_id);
  const arms = state?.arms ?? (request === null ? [] : unstartedArms(request));
  return {
    pilot_id: run.run_id,
    dataset_id: run.dataset_id,
    status: run.status,
    sample_rows: sampleRows,
    progress: {
      rows_done: Math.min(total, done),
      rows_total: total,
      stage: run.status === 'running' ? stageOf(run, done) : null,
    },
    column_mapping: request?.column_mapping ?? {},
    // An execution that was stopped has written nothing of its end.
    arms: arms.map((arm) =>
      run.status !== 'running' && arm.status === 'running' ? { ...arm, status: 'interrupted' } : arm,
    ),
    recommendation: run.status === 'succeeded' ? (state?.recommendation ?? null) : null,
    judge: state?.judge ?? null,
    credits_reserved: run.reserved_credits,
    credits_charged: run.settled_credits,
    error: run.error_data,
    created_at: run.started_at,
    ended_at: run.ended_at,
  };
}

function unstartedArms(request: PilotRequestObject): Pilot['arms'] {
  return request.arms.map((_, index) =>
    describeArm(
      { arm: index + 1, results: new Map(), described: new Map(), scores: new Map(), verdicts: [] },
      request,
      { status: 'running', judge: null, confidence: 0.95 },
    ),
  );
}

/**
 * Win rates of the arms by what people say of pairs.
 * @throws {ServiceError} `pilot_running` while the pilot is active, and as `reviewPairs`
 */
export async function reviewPilot(
  { objects }: Pick<ReadPilotPorts, 'objects'>,
  run: RunRecord,
  asked: PairVerdictsRequest,
): Promise<ReviewedPilot> {
  const { run_id: runId } = run;
  if (run.status === 'running') {
    throw new ServiceError(
      'pilot_running',
      'The answers of the pilot are not compared yet. Wait until it has ended.',
    );
  }
  const request = await readJson(objects, objectKeys.runRequest(runId), PilotRequestObject);
  const lines = await readLines(objects, objectKeys.pilotAnswers(runId));
  const rows = lines.map((line) => PilotRow.parse(JSON.parse(line)));
  const arms = request.arms.map((_, index) => index + 1);
  return { pilot_id: runId, arms: reviewPairs(runId, arms, rows, asked) };
}

const PAGE_ROWS_DEFAULT = 20;

/** A page of the answers of a pilot, from the place `offset` of its sample on. */
export async function readPilotRows(
  { objects }: Pick<ReadPilotPorts, 'objects'>,
  { run_id: runId }: Pick<RunRecord, 'run_id'>,
  { offset = 0, limit = PAGE_ROWS_DEFAULT }: PilotRowsQuery,
): Promise<PilotRowsPage> {
  const lines = await readLines(objects, objectKeys.pilotAnswers(runId));
  const items = lines.slice(offset, offset + limit).map((line) => PilotRow.parse(JSON.parse(line)));
  return { items, total: lines.length };
}
