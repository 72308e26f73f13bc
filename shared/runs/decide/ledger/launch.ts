import type { Balance, Hold, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import { holdsNoRows, runIsActive } from '#shared/datasets/decide/not-ready.ts';
import { type DatasetRecord, datasetNotFound } from '#shared/datasets/decide/record.ts';
import { canMove } from '#shared/datasets/decide/states.ts';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { RunRecord } from '../record.ts';
import { kindOf, makesRows, type RunPipeline } from '../run-kinds.ts';
import type { Launch } from './repository.ts';

/** The state of a dataset while a run is active on it. */
export function activeState(run: { readonly pipeline: RunPipeline }): 'ingesting' | 'running' {
  return kindOf(run).countsAgainstPlan ? 'running' : 'ingesting';
}

/** The fields that a launch sets on the dataset. */
export function launchedDataset(launch: Launch): Partial<DatasetRecord> {
  const { run, changes } = launch;
  return {
    ...changes,
    ...(launch.version === undefined ? {} : { latest_version: launch.version.version }),
    state: activeState(run),
    run_id: run.run_id,
    error_data: null,
    updated_at: run.started_at,
  };
}

/** The hold and ledger entry of a run; null for a free run that does not count against the plan. */
export function reservation(run: RunRecord): { hold: Hold; entry: LedgerEntry } | null {
  if (!kindOf(run).countsAgainstPlan) {
    if (run.reserved_credits !== 0) throw new RangeError(`a run of ${run.pipeline} costs nothing`);
    return null;
  }
  const { team_id, run_id, dataset_id, reserved_credits: credits, started_at: created_at } = run;
  return {
    hold: {
      team_id,
      run_id,
      dataset_id,
      credits,
      state: 'held',
      settled_credits: null,
      created_at,
      ended_at: null,
    },
    entry: {
      entry_id: `${run_id}-reserve`,
      team_id,
      type: 'reserve',
      credits,
      run_id,
      dataset_id,
      block: null,
      reason: null,
      created_at,
    },
  };
}

function refusalOfDataset(dataset: DatasetRecord | null, run: RunRecord): ServiceError | null {
  if (dataset === null || dataset.state === 'deleted' || dataset.team_id !== run.team_id) {
    return datasetNotFound();
  }
  const { state } = dataset;
  const { claims } = kindOf(run);
  if (claims === 'training') return untrainable(dataset);
  if (claims === 'append') return refusalOfAppend(dataset);
  if (makesRows(run)) {
    return canMove(state, 'ingesting')
      ? null
      : new ServiceError('dataset_not_ready', 'The upload of this dataset has been completed already.');
  }
  if (state === 'running') return runIsActive(dataset);
  const hasRows = dataset.manifest_key !== null && (dataset.row_count ?? 0) > 0;
  if (hasRows && (dataset.pending_appends ?? 0) > 0) {
    return new ServiceError(
      'dataset_not_ready',
      'Rows are being appended to this dataset. Wait until the append has ended, so that the run includes them.',
      { retryAfterSeconds: 5 },
    );
  }
  if (canMove(state, 'running') && hasRows) return null;
  return holdsNoRows(state);
}

/** Appends that wait for a dataset at most. */
export const PENDING_APPENDS_MAX = 100;

/** An append waits for a run, but not for the rows of the upload. */
function refusalOfAppend(dataset: DatasetRecord): ServiceError | null {
  const { state, pending_appends: pending = 0 } = dataset;
  if (dataset.manifest_key === null || (dataset.row_count ?? 0) === 0 || state === 'ingesting') {
    return holdsNoRows(state);
  }
  if (pending < PENDING_APPENDS_MAX) return null;
  return new ServiceError(
    'runs_limit_reached',
    `${pending} appends wait for this dataset, and at most ${PENDING_APPENDS_MAX} may. Wait until some have ended, or append more rows at once.`,
    { retryAfterSeconds: 30 },
  );
}

function untrainable(dataset: DatasetRecord): ServiceError | null {
  try {
    requireTrainable(dataset);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/**
 * Why a launch fails, or null if it may proceed. `activeReader` is the open training, or pilot, of the dataset: of the
 * kind that is launched.
 */
export function refusalOfLaunch(
  launch: Pick<Launch, 'run' | 'runsAtOnce' | 'newDataset'>,
  dataset: DatasetRecord | null,
  balance: Balance,
  activeReader: string | null = null,
): ServiceError | null {
  const { run, runsAtOnce } = launch;
  const refusal = launch.newDataset === undefined ? refusalOfDataset(dataset, run) : null;
  const { claims, countsAgainstPlan } = kindOf(run);
  if (refusal !== null || !countsAgainstPlan) return refusal;
  if (activeReader !== null && claims === 'training') {
    return new ServiceError(
      'training_running',
      `The training ${activeReader} of this dataset has not ended. Wait until it has, or cancel it.`,
    );
  }
  if (activeReader !== null && claims === 'pilot') {
    return new ServiceError(
      'pilot_running',
      `The pilot ${activeReader} of this dataset has not ended. Wait until it has, or cancel it.`,
    );
  }
  if (balance.available < run.reserved_credits) {
    const needed = run.reserved_credits;
    const { available } = balance;
    return new ServiceError(
      'credits_insufficient',
      `This run needs ${needed} credits and the team has ${available} available. Ask your operator for credits, or take fewer rows with max_rows.`,
      {
        details: [{ path: 'credits', message: `needs ${needed}, available ${available}`, needed, available }],
      },
    );
  }
  if (balance.active_runs >= runsAtOnce) {
    return new ServiceError(
      'runs_limit_reached',
      `The plan allows ${runsAtOnce} runs at once (runs_at_once) and ${balance.active_runs} are active. Wait until one has ended.`,
      { retryAfterSeconds: 60 },
    );
  }
  return null;
}
