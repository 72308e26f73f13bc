import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import { unixSeconds } from '#shared/openai/decide/ids.ts';
import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { digitsOf, uuidOf } from '#shared/training/decide/model-name.ts';
import type {
  CreateEvalRequest,
  CriterionResult,
  DataSource,
  Eval,
  EvalRun,
  ModelUsage,
} from '../schema/eval.ts';

/** An eval as stored. */
export interface EvalRecord extends Pick<CreateEvalRequest, 'data_source_config' | 'testing_criteria'> {
  readonly eval_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A run of an eval as stored; rows that its request brought are an object of the bucket. */
export interface EvalRunRecord {
  readonly run_id: string;
  readonly eval_id: string;
  readonly team_id: string;
  /** Which of the team's places for runs it holds, from 0; null while it waits for one, undefined until it is queued. */
  readonly place?: number | null;
  /** In whose name models are asked. */
  readonly caller: Caller;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly data_source: DataSource;
  readonly status: EvalRun['status'];
  readonly error: EvalRun['error'] | null;
  readonly result_counts: EvalRun['result_counts'];
  readonly criteria: readonly CriterionResult[];
  readonly usage: readonly ModelUsage[];
  readonly created_at: string;
  /** When a worker last wrote of it. */
  readonly worked_at: string;
  /** Since when models that its rows ask have answered nothing; not before a worker has written. */
  readonly silent_since?: SilentSince;
  /** Whether its deletion has begun: what its worker still writes is to be empty. */
  readonly is_deleting?: true;
}

/** A run that waits for a place of its team. */
export interface QueuedEvalRun extends Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id' | 'created_at'> {
  /** The number of places that it may have: the first of its team's. */
  readonly places: number;
  /** Of one that was ended after it had got a place. */
  readonly has_ended?: true;
}

export type EvalRunChange = Partial<
  Pick<
    EvalRunRecord,
    'status' | 'error' | 'result_counts' | 'criteria' | 'usage' | 'worked_at' | 'silent_since'
  >
>;

/** Milliseconds since the epoch from which on a model has answered nothing, by its name. */
export type SilentSince = Readonly<Record<string, number>>;

/** What a list of evals is made of. */
export type EvalHead = Pick<EvalRecord, 'eval_id' | 'created_at' | 'updated_at'>;

/** What a list of runs is made of. */
export type EvalRunHead = Pick<
  EvalRunRecord,
  'team_id' | 'eval_id' | 'run_id' | 'status' | 'place' | 'created_at' | 'worked_at' | 'is_deleting'
>;

export interface EvalRepository {
  create(record: EvalRecord): Promise<void>;
  find(teamId: string, evalId: string): Promise<EvalRecord | null>;
  /** All evals of a team, oldest first. */
  list(teamId: string): Promise<EvalHead[]>;
  /** How many evals of a team are stored: those that are to be erased too. Consistent read. */
  count(teamId: string): Promise<number>;
  /** @returns false, and no change, if it is gone */
  update(teamId: string, evalId: string, changes: Partial<EvalRecord>): Promise<boolean>;
  /** Has an eval be erased. From then on neither it nor its runs are found. @returns false, and no change, if it is gone */
  markRemoved(teamId: string, evalId: string, at: string): Promise<boolean>;
  /** Has the evals of a team be erased whose deletion by version 0.1.0 broke off: nobody finds them, and they count. */
  resumeRemovals(teamId: string, at: string): Promise<void>;
  /** The teams with evals that are to be erased. */
  teamsWithRemoved(): Promise<string[]>;
  /** The ids of evals of a team that are to be erased, and were due by `before`: those that have waited longest first. */
  listRemoved(teamId: string, before: string, max: number): Promise<string[]>;
  /** Has the erasure of an eval wait until `at`. No change if it is gone. */
  deferRemoval(teamId: string, evalId: string, at: string): Promise<void>;
  remove(teamId: string, evalId: string): Promise<void>;
  /** @returns false, and no run, if its eval is gone or is being deleted */
  createRun(record: EvalRunRecord): Promise<boolean>;
  /** Consistent read; null also of an eval that is to be erased. */
  findRun(teamId: string, evalId: string, runId: string): Promise<EvalRunRecord | null>;
  /** A run without its texts. Consistent read; null also of an eval that is to be erased. */
  findRunHead(teamId: string, evalId: string, runId: string): Promise<EvalRunHead | null>;
  /** The runs of an eval, also of one that is to be erased, oldest first. */
  listRuns(teamId: string, evalId: string): Promise<EvalRunHead[]>;
  /** The ids of the runs of a team over a dataset; of the last second some may be missing. */
  listRunsOver(teamId: string, datasetId: string): Promise<string[]>;
  /** Changes a run that has not ended. @returns false, and no change, if it has or is gone */
  changeRun(
    run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>,
    changes: EvalRunChange,
  ): Promise<boolean>;
  /** Changes what was found in a run that was cancelled. No change of another, or of one that is being deleted. */
  noteCanceled(
    run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>,
    found: Required<Pick<EvalRunChange, 'result_counts' | 'criteria' | 'usage'>>,
  ): Promise<void>;
  /** Has a run wait for a place. @returns false, and no change, if it is gone or is being deleted */
  enqueue(queued: QueuedEvalRun): Promise<boolean>;
  /** Gives a run that waits a place. @returns false, and no change, if it has one, has ended or is gone */
  placeRun(
    run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>,
    place: number,
    at: string,
  ): Promise<boolean>;
  /** The runs of a team that wait, oldest first. Consistent read. */
  listQueued(teamId: string): Promise<QueuedEvalRun[]>;
  /** Notes of a run that waits that it has ended, so that its place is given back by who starts runs. No change if it waits no longer. */
  endQueued(queued: Pick<QueuedEvalRun, 'team_id' | 'run_id' | 'created_at'>): Promise<void>;
  /** Has a run wait no longer. */
  dequeue(queued: Pick<QueuedEvalRun, 'team_id' | 'run_id' | 'created_at'>): Promise<void>;
  /** The teams with runs that wait, those whose have waited longest first. */
  teamsWithQueued(): Promise<string[]>;
  /** Notes that a run is being deleted, whether or not it has ended. @returns null if it is gone */
  beginRemoval(run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>): Promise<EvalRunHead | null>;
  removeRun(run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>): Promise<void>;
}

export const isOpen = ({ status }: Pick<EvalRunRecord, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';

export const evalIdOf = (uuid: string): string => `eval_${digitsOf(uuid)}`;
export const runIdOf = (uuid: string): string => `evalrun_${digitsOf(uuid)}`;
export const itemIdOf = (runUuid: string, n: number): string => `outputitem_${digitsOf(runUuid)}_${n}`;

/** The own id in an id of the API; null for what is none. */
const ownId = (prefix: string, id: string): string | null =>
  id.startsWith(prefix) ? uuidOf(id.slice(prefix.length)) : null;

/** The own id in that of an eval; null for what is none. */
export const ownEvalId = (id: string): string | null => ownId('eval_', id);

/** @throws {ServiceError} `eval_not_found` */
export async function requireEval(
  evals: Pick<EvalRepository, 'find'>,
  teamId: string,
  id: string,
): Promise<EvalRecord> {
  const uuid = ownEvalId(id);
  const found = uuid === null ? null : await evals.find(teamId, uuid);
  if (found !== null) return found;
  throw evalNotFound();
}

export const evalNotFound = (): ServiceError =>
  notFound('There is no eval with this id in your team. Check the id, or list your evals.');

/** @throws {ServiceError} `eval_not_found` */
export async function requireEvalRun(
  evals: Pick<EvalRepository, 'findRun'>,
  teamId: string,
  { eval_id, run_id }: { readonly eval_id: string; readonly run_id: string },
): Promise<EvalRunRecord> {
  const [evalUuid, runUuid] = [ownId('eval_', eval_id), ownId('evalrun_', run_id)];
  const found = evalUuid === null || runUuid === null ? null : await evals.findRun(teamId, evalUuid, runUuid);
  if (found !== null) return found;
  throw runNotFound();
}

export const runNotFound = (): ServiceError =>
  notFound('There is no run with this id of this eval. Check the ids, or list the runs of the eval.');

export const notFound = (message: string): ServiceError => new ServiceError('eval_not_found', message);

/** The number of the row of an output item; null for what is no id of one of the run. */
export function rowOfItem({ run_id }: Pick<EvalRunRecord, 'run_id'>, id: string): number | null {
  const prefix = itemIdOf(run_id, 0).slice(0, -1);
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^\d{1,6}$/.test(digits) ? Number(digits) : null;
}

const SAMPLE_SCHEMA = {
  type: 'object',
  properties: { output_text: { type: 'string' }, output_json: { type: 'object' }, model: { type: 'string' } },
};

export function toEval(record: EvalRecord): Eval {
  const { data_source_config: config } = record;
  return {
    id: evalIdOf(record.eval_id),
    object: 'eval',
    created_at: unixSeconds(record.created_at),
    name: record.name,
    metadata: record.metadata,
    data_source_config:
      config.type === 'custom'
        ? {
            type: 'custom',
            schema: {
              type: 'object',
              properties: {
                item: config.item_schema,
                ...(config.include_sample_schema === true ? { sample: SAMPLE_SCHEMA } : {}),
              },
              required: ['item'],
            },
          }
        : {
            type: config.type,
            schema: { type: 'object', properties: { item: { type: 'object' }, sample: SAMPLE_SCHEMA } },
            metadata: config.metadata ?? null,
          },
    testing_criteria: record.testing_criteria.map((grader) =>
      grader.type === 'text_similarity'
        ? { ...grader, pass_threshold: grader.pass_threshold ?? 0.5 }
        : grader,
    ),
  };
}

/** Milliseconds after which a run whose worker is silent has failed: its last attempt has ended by then. */
const SILENT_MILLISECONDS = 3_600_000;

const INTERRUPTED = { code: 'run_interrupted', message: 'The run was interrupted. Start another.' };

/** Whether the worker of a run is gone. `now` is in milliseconds since the epoch. */
function isLost(run: EvalRunHead, now: number): boolean {
  const isWaiting = run.place === null;
  return isOpen(run) && !isWaiting && now - Date.parse(run.worked_at) > SILENT_MILLISECONDS;
}

/** The status of a run for callers. `now` is in milliseconds since the epoch. */
export const shownStatus = (run: EvalRunHead, now: number): EvalRun['status'] =>
  isLost(run, now) ? 'failed' : run.status;

/** A run for callers. `now` is in milliseconds since the epoch. */
export function toEvalRun(record: EvalRunRecord, now: number): EvalRun {
  const { data_source, result_counts, criteria } = record;
  const model = 'model' in data_source ? data_source.model : null;
  const [id, evalId] = [runIdOf(record.run_id), evalIdOf(record.eval_id)];
  const graded = result_counts.passed + result_counts.failed;
  return {
    id,
    object: 'eval.run',
    eval_id: evalId,
    created_at: unixSeconds(record.created_at),
    name: record.name,
    metadata: record.metadata,
    status: shownStatus(record, now),
    model: model ?? '',
    data_source,
    error: isLost(record, now) ? INTERRUPTED : (record.error ?? { code: '', message: '' }),
    report_url: `/api/v1/evals/${evalId}/runs/${id}/output_items`,
    result_counts,
    per_testing_criteria_results: [...criteria],
    per_model_usage: [...record.usage],
    ...shareOf(result_counts.passed, graded),
  };
}

/** A share with its 95 % interval. */
export function shareOf(
  passed: number,
  graded: number,
): { pass_rate: number | null; interval: [number, number] | null } {
  if (graded === 0) return { pass_rate: null, interval: null };
  const [low, high] = wilsonInterval(passed / graded, graded);
  return { pass_rate: passed / graded, interval: [low, high] };
}

/**
 * The run, for a caller who sees its rows: those of a file are rows of a dataset, and stored responses are what others
 * asked of the team's models. One that is being deleted has no rows any more, or not all of them.
 * @throws {ServiceError} `scope_missing`, `eval_not_found`
 */
export function requireRows(caller: Caller, run: EvalRunRecord): EvalRunRecord {
  if (run.data_source.source.type !== 'file_content') requireScope(caller, 'datasets:read');
  if (run.is_deleting === true) throw runNotFound();
  return run;
}
