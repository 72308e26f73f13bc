import type * as z from 'zod';
import type { AnsweringModels } from '#shared/models/decide/answering-models.ts';
import { faultOfFile } from '#shared/openai/decide/fault-of-file.ts';
import { type WaitForFilePorts, waitForFile } from '#shared/openai/wait-for-file.ts';
import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { faultOf } from './decide/grade.ts';
import {
  type EvalRecord,
  type EvalRepository,
  type EvalRunHead,
  type EvalRunRecord,
  evalNotFound,
  ownEvalId,
  requireEval,
  requireEvalRun,
  runNotFound,
} from './decide/records.ts';
import { sampleFaults } from './decide/sample.ts';
import type { StoredRows } from './read-rows.ts';
import type { CreateEvalRequest, CreateEvalRunRequest, DataSource } from './schema/eval.ts';
import type { Grader } from './schema/grader.ts';
import {
  OPEN_EVAL_RUNS_MAX,
  OPEN_PROGRAM_RUNS_MAX,
  type StartQueuedRunsPorts,
  startQueuedRuns,
} from './start-queued-runs.ts';

/** The most evals of a team (those that wait to be erased too), runs of an eval, and runs of a team that wait for a place. */
export const EVALS_MAX = 500;
export const EVAL_RUNS_MAX = 500;
export const QUEUED_EVAL_RUNS_MAX = 100;
/** Graders of an eval, those within others counted: each looks at each row. */
export const EVAL_GRADERS_MAX = 20;
/** Bytes of an eval, or of a run without its rows, as JSON: each is one item of the table. */
export const EVAL_BYTES_MAX = 300_000;

export interface CreateEvalPorts {
  readonly evals: Pick<EvalRepository, 'create' | 'list' | 'count' | 'remove' | 'resumeRemovals'>;
  readonly newId: () => string;
}

/**
 * @throws {ServiceError} `invalid_request`, `runs_limit_reached` where the team has as many evals as it may, `rate_limited` where others
 * that were created at the same moment may leave room
 */
export async function createEval(
  { evals, newId }: CreateEvalPorts,
  caller: Caller,
  request: CreateEvalRequest,
  now: number,
): Promise<EvalRecord> {
  requireGraders(request.testing_criteria);
  if (Buffer.byteLength(JSON.stringify(request)) > EVAL_BYTES_MAX) {
    throw invalidField(
      'testing_criteria',
      `makes the eval longer than ${EVAL_BYTES_MAX} bytes as JSON; shorten its templates`,
    );
  }
  const stored = await evals.count(caller.team_id);
  if (stored >= EVALS_MAX) {
    await evals.resumeRemovals(caller.team_id, timestamp(now));
    throw tooManyEvals((await evals.list(caller.team_id)).length, stored);
  }
  const at = timestamp(now);
  const record: EvalRecord = {
    eval_id: newId(),
    team_id: caller.team_id,
    name: request.name ?? 'Eval',
    metadata: request.metadata ?? null,
    data_source_config: request.data_source_config,
    testing_criteria: request.testing_criteria,
    created_at: at,
    updated_at: at,
  };
  await evals.create(record);
  // Counted again, so that of several that are made at once no more stay than may: each of them may count the others, and go.
  if ((await evals.count(caller.team_id)) > EVALS_MAX) {
    await evals.remove(record.team_id, record.eval_id);
    throw new ServiceError(
      'rate_limited',
      `A team has at most ${EVALS_MAX} evals, and others were created at the same moment, so that this one was taken back. Try again.`,
      { retryAfterSeconds: 5 },
    );
  }
  return record;
}

/**
 * @param left evals that the team has not deleted
 * @param stored all that are stored
 */
const tooManyEvals = (left: number, stored: number): ServiceError =>
  new ServiceError(
    'runs_limit_reached',
    left >= EVALS_MAX
      ? `The team has ${EVALS_MAX} evals, which is the limit. Delete some.`
      : `The team has ${left} evals, and ${stored - left} that it has deleted and that are not erased yet; ${EVALS_MAX} are the limit. They are erased within minutes: try again then.`,
    left >= EVALS_MAX ? {} : { retryAfterSeconds: SWEEP_SECONDS },
  );

/** Graders, with those within others in their place. */
const allGraders = (graders: readonly Grader[]) =>
  graders.flatMap((each) => (each.type === 'multi' ? Object.values(each.graders) : [each]));

function requireGraders(graders: readonly Grader[]): void {
  const count = allGraders(graders).length;
  if (count > EVAL_GRADERS_MAX) {
    throw invalidField(
      'testing_criteria',
      `has ${count} graders, those within others counted, and at most ${EVAL_GRADERS_MAX} are taken`,
    );
  }
  for (const [n, grader] of graders.entries()) {
    const fault = faultOf(grader);
    if (fault !== null) throw invalidField(`testing_criteria[${n}].${fault[0]}`, fault[1]);
    if (graders.findIndex(({ name }) => name === grader.name) < n) {
      throw invalidField(`testing_criteria[${n}].name`, 'is the name of another grader too');
    }
  }
}

export interface CreateEvalRunPorts extends WaitForFilePorts, Omit<StartQueuedRunsPorts, 'clock'> {
  readonly evals: EvalRepository;
  readonly objects: Pick<ObjectStore, 'write' | 'remove'>;
  readonly models: Pick<AnsweringModels, 'choose'>;
  readonly newId: () => string;
  /** A run that waits and could not be started yet: the sweep does. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Queues a run of an eval, and starts it if its team has a place. A worker reads its rows, has them answered, and grades them.
 * @throws {ServiceError} every code of the contract `evals.runs.create`
 */
export async function createEvalRun(
  ports: CreateEvalRunPorts,
  {
    caller,
    evalId,
    request,
    now,
  }: {
    readonly caller: Caller;
    readonly evalId: string;
    readonly request: CreateEvalRunRequest;
    readonly now: number;
  },
): Promise<EvalRunRecord> {
  const { evals, objects } = ports;
  const of = await requireEval(evals, caller.team_id, evalId);
  const { eval_id, testing_criteria, name } = of;
  const asked = sourceOf(of, request.data_source);
  await requireSource(ports, caller, asked);
  for (const model of modelsOf(asked, testing_criteria)) await ports.models.choose(caller.team_id, model);
  const runs = await evals.listRuns(caller.team_id, eval_id);
  if (runs.length >= EVAL_RUNS_MAX) {
    throw new ServiceError('runs_limit_reached', `An eval has at most ${EVAL_RUNS_MAX} runs. Delete some.`, {
      retryAfterSeconds: 60,
    });
  }
  if ((await evals.listQueued(caller.team_id)).length >= QUEUED_EVAL_RUNS_MAX) {
    throw new ServiceError(
      'runs_limit_reached',
      `A team has at most ${QUEUED_EVAL_RUNS_MAX} runs of evals that wait, while ${OPEN_EVAL_RUNS_MAX} are worked on. Wait until one has ended.`,
      { retryAfterSeconds: 60 },
    );
  }
  const hasPrograms = allGraders(testing_criteria).some(({ type }) => type === 'python');
  const places = hasPrograms ? OPEN_PROGRAM_RUNS_MAX : OPEN_EVAL_RUNS_MAX;
  const run: EvalRunRecord = {
    run_id: ports.newId(),
    eval_id,
    team_id: caller.team_id,
    caller,
    name: request.name ?? name,
    metadata: request.metadata ?? null,
    data_source: withoutContent(asked),
    status: 'queued',
    error: null,
    result_counts: { total: 0, passed: 0, failed: 0, errored: 0 },
    criteria: [],
    usage: [],
    created_at: timestamp(now),
    worked_at: timestamp(now),
  };
  const key = objectKeys.evalContent(run.team_id, run.run_id);
  try {
    // Before its rows: what nobody knows of could not be deleted.
    if (!(await evals.createRun(run))) throw evalNotFound();
    if (asked.source.type === 'file_content') {
      const stored: z.input<typeof StoredRows> = { rows: asked.source.content, verdicts_of: null };
      await objects.write(key, JSON.stringify(stored), 'application/json');
    }
    const { team_id, run_id, created_at } = run;
    if (!(await evals.enqueue({ team_id, eval_id, run_id, created_at, places }))) throw evalNotFound();
  } catch (cause) {
    await evals.dequeue(run);
    // Before the run: nobody would know of them any more.
    await objects.remove([key]);
    await evals.removeRun(run);
    if (cause instanceof ServiceError && cause.code === 'eval_not_found') throw cause;
    throw new ServiceError('service_unavailable', 'The run could not be started. Try again in a moment.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
  // It is queued, and so will be started: an error would have its caller ask for another.
  await startQueuedRuns({ ...ports, clock: { now: () => now } }, run.team_id).catch(ports.onFailure);
  return run;
}

/**
 * What a run reads: of stored responses those alone that have the metadata of its eval, too.
 * @throws {ServiceError} `invalid_request` where the run wants another value of an entry, which no response can have as well
 */
function sourceOf(
  { data_source_config: config }: Pick<EvalRecord, 'data_source_config'>,
  asked: DataSource,
): DataSource {
  if (asked.type !== 'responses' || asked.source.type !== 'responses') return asked;
  if (config.type !== 'logs' || config.metadata == null) return asked;
  const { source } = asked;
  const own = new Map(Object.entries(source.metadata ?? {}));
  for (const [entry, value] of Object.entries(config.metadata)) {
    if (own.has(entry) && own.get(entry) !== value) {
      throw invalidField(
        'data_source.source.metadata',
        `has another ${JSON.stringify(entry)} than the data_source_config of the eval, so that no response could have both`,
      );
    }
    own.set(entry, value);
  }
  return { ...asked, source: { ...source, metadata: Object.fromEntries(own) } };
}

async function requireSource(ports: CreateEvalRunPorts, caller: Caller, asked: DataSource): Promise<void> {
  const { source } = asked;
  // Stored responses are what all keys of the team have asked, with what searches found for them.
  if (source.type !== 'file_content') requireScope(caller, 'datasets:read');
  if (source.type === 'file_id') {
    const path = 'data_source.source.id';
    const file = await waitForFile(ports, caller, source.id, path);
    const fault = faultOfFile(file);
    if (fault !== null) throw invalidField(path, `cannot be read: ${fault.message}`);
    if ((file.row_count ?? 0) === 0) throw invalidField(path, 'is a file without rows');
  }
  if (asked.type === 'responses' && asked.model == null && source.type !== 'responses') {
    throw invalidField('data_source.model', 'is required, unless the source is stored responses');
  }
  if (Buffer.byteLength(JSON.stringify(withoutContent(asked))) > EVAL_BYTES_MAX) {
    throw invalidField(
      'data_source',
      `is longer than ${EVAL_BYTES_MAX} bytes as JSON without its rows; shorten its templates`,
    );
  }
  const [fault] = sampleFaults(asked);
  if (fault !== undefined) throw invalidField(fault.path, fault.message);
}

/** The models that a run asks. */
function modelsOf(source: DataSource, graders: readonly Grader[]): Set<string> {
  const judges = allGraders(graders).flatMap((grader) => ('model' in grader ? [grader.model] : []));
  return new Set([...('model' in source && source.model != null ? [source.model] : []), ...judges]);
}

/** A source without the rows that it brought, which are stored apart. */
const withoutContent = (asked: DataSource): DataSource =>
  asked.source.type === 'file_content' ? { ...asked, source: { ...asked.source, content: [] } } : asked;

/**
 * Has a run that was ended wait no longer. If it has a place and still waits, no worker may ever begin it: it stays in the queue,
 * so that whoever starts the team's runs next, the sweep at the latest, gives the place back.
 */
async function leaveQueue(
  evals: Pick<EvalRepository, 'dequeue' | 'endQueued'>,
  run: EvalRunHead,
): Promise<void> {
  await (typeof run.place === 'number' ? evals.endQueued(run) : evals.dequeue(run));
}

export interface RemoveEvalRunPorts {
  readonly evals: Pick<EvalRepository, 'beginRemoval' | 'removeRun' | 'changeRun' | 'dequeue' | 'endQueued'>;
  readonly objects: Pick<ObjectStore, 'list' | 'remove'>;
}

/** Deletes a run with its output items; one that goes on is cancelled first. Idempotent. */
export async function removeEvalRun({ evals, objects }: RemoveEvalRunPorts, run: EvalRunHead): Promise<void> {
  await evals.changeRun(run, { status: 'canceled' });
  // After the end of the run, since which it gets no place.
  await leaveQueue(evals, (await evals.beginRemoval(run)) ?? run);
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.evalRun(run.team_id, run.run_id))) keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
  await evals.removeRun(run);
}

/** Leaves nothing in what a worker has written of a run that was deleted meanwhile: a worker may write objects, and delete none. */
export async function emptyRunObjects(
  objects: Pick<ObjectStore, 'list' | 'write'>,
  { team_id, run_id }: Pick<EvalRunRecord, 'team_id' | 'run_id'>,
): Promise<void> {
  for await (const key of objects.list(objectKeys.evalRun(team_id, run_id))) {
    await objects.write(key, '', 'application/jsonl');
  }
}

/**
 * Deletes an eval with its runs. From then on nobody finds them, and their workers stop; the sweep erases them.
 * @returns its id
 * @throws {ServiceError} `eval_not_found`
 */
export async function removeEval(
  evals: Pick<EvalRepository, 'markRemoved'>,
  teamId: string,
  id: string,
  now: number,
): Promise<string> {
  const evalId = ownEvalId(id);
  if (evalId === null || !(await evals.markRemoved(teamId, evalId, timestamp(now)))) throw evalNotFound();
  return evalId;
}

export interface SweepRemovedEvalsPorts extends RemoveEvalRunPorts {
  readonly evals: RemoveEvalRunPorts['evals'] &
    Pick<EvalRepository, 'teamsWithRemoved' | 'listRemoved' | 'deferRemoval' | 'listRuns' | 'remove'>;
  readonly clock: { readonly now: () => number };
}

/** A sweep begins at least as often. */
const SWEEP_SECONDS = 300;
/** For which a sweep begins to erase some more: the next one erases the others. */
const ERASING_MILLISECONDS = 60_000;
/** Runs that are erased before the next team has its turn. */
const RUNS_AT_A_TURN = 20;
/** After which an erasure that failed is tried again. */
const RETRY_MILLISECONDS = 3_600_000;

interface FailedErasure {
  readonly team_id: string;
  readonly cause: unknown;
}

/**
 * Erases deleted evals with their runs. The teams take turns of a few runs, and what fails is tried again later, so that neither one
 * team's backlog nor what fails each time keeps others waiting.
 * @returns the teams of which an erasure failed
 */
export async function sweepRemovedEvals(ports: SweepRemovedEvalsPorts): Promise<readonly FailedErasure[]> {
  const until = ports.clock.now() + ERASING_MILLISECONDS;
  const failures: FailedErasure[] = [];
  let turns = (await ports.evals.teamsWithRemoved()).map((teamId) =>
    eraseInTurns(ports, teamId, (failure) => failures.push(failure)),
  );
  while (turns.length > 0) {
    const others: typeof turns = [];
    for (const turn of turns) {
      if (ports.clock.now() >= until) return failures;
      if ((await turn.next()).done !== true) others.push(turn);
    }
    turns = others;
  }
  return failures;
}

/** Erases what a team has deleted, some runs at each step. */
async function* eraseInTurns(
  ports: SweepRemovedEvalsPorts,
  team_id: string,
  onFailure: (failure: FailedErasure) => void,
): AsyncGenerator<void, void> {
  const { evals, clock } = ports;
  try {
    for (const evalId of await evals.listRemoved(team_id, timestamp(clock.now()), EVALS_MAX)) {
      try {
        const runs = await evals.listRuns(team_id, evalId);
        for (let at = 0; at < runs.length; at += RUNS_AT_A_TURN) {
          await forEachAtOnce(runs.slice(at, at + RUNS_AT_A_TURN), (run) => removeEvalRun(ports, run));
          yield;
        }
        await evals.remove(team_id, evalId);
      } catch (cause) {
        onFailure({ team_id, cause });
        await evals.deferRemoval(team_id, evalId, timestamp(clock.now() + RETRY_MILLISECONDS));
      }
      yield;
    }
  } catch (cause) {
    onFailure({ team_id, cause });
  }
}

/**
 * Cancels a run; one that has ended is answered as it is.
 * @throws {ServiceError} `eval_not_found`
 */
export async function cancelEvalRun(
  evals: Pick<EvalRepository, 'findRun' | 'changeRun' | 'dequeue' | 'endQueued'>,
  teamId: string,
  ids: { readonly eval_id: string; readonly run_id: string },
): Promise<EvalRunRecord> {
  const run = await requireEvalRun(evals, teamId, ids);
  await evals.changeRun(run, { status: 'canceled' });
  const now = await evals.findRun(teamId, run.eval_id, run.run_id);
  await leaveQueue(evals, now ?? run);
  if (now === null) throw runNotFound();
  return now;
}
