import { setImmediate } from 'node:timers/promises';
import { currentCaller } from '#shared/access/current-caller.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { PAGE_BYTES_MAX } from '#shared/openai/read-page.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { holdLease } from '#shared/platform/hold-lease.ts';
import { writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { isPassing } from '#shared/responses/ask-patiently.ts';
import type { ModelResponse } from '#shared/responses/schema/response.ts';
import { bytesOfJob, CALL_BYTES_MAX, callSandbox } from '#shared/witnesses/call-sandbox.ts';
import type { CodeJob, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';
import {
  type Asker,
  type AskForRowsPorts,
  ROW_MILLISECONDS,
  RowQuestions,
  Superseded,
  usageOf,
  Waiting,
} from './ask-for-rows.ts';
import { fitItem } from './decide/fit-item.ts';
import {
  GraderFailed,
  type GraderPorts,
  grade,
  type ModelQuestion,
  QUESTION_CHARACTERS_MAX,
  type Score,
} from './decide/grade.ts';
import { programValues, pythonJob, pythonScore, VALUES_CHARACTERS_MAX } from './decide/python-job.ts';
import {
  type EvalRecord,
  type EvalRepository,
  type EvalRunRecord,
  evalIdOf,
  isOpen,
  itemIdOf,
  runIdOf,
} from './decide/records.ts';
import { questionOf } from './decide/sample.ts';
import { countItems, summarize } from './decide/summary.ts';
import { jsonOf, textOf, Unfillable } from './decide/template.ts';
import { BLOCK_ROWS, readBlock, writeStatuses } from './list-items.ts';
import { emptyRunObjects } from './manage-evals.ts';
import {
  chatValues,
  findEvalRows,
  outputText,
  type ReadRowsPorts,
  readEvalRows,
  type StoredRow,
} from './read-rows.ts';
import type { ModelUsage, OutputItem } from './schema/eval.ts';
import type { Grader } from './schema/grader.ts';
import {
  claimOfEvalRun,
  EVAL_PLACE_SECONDS,
  type EvalRunAddress,
  giveBackPlace,
  type StartQueuedRunsPorts,
} from './start-queued-runs.ts';

export interface WorkEvalRunPorts extends ReadRowsPorts, StartQueuedRunsPorts, AskForRowsPorts {
  readonly evals: StartQueuedRunsPorts['evals'] &
    Pick<EvalRepository, 'find' | 'findRun' | 'changeRun' | 'noteCanceled'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list' | 'listSizes' | 'head'>;
  readonly newId: () => string;
  readonly access: Pick<AccessAdministration, 'listKeys' | 'findTeam' | 'findPlan'>;
  readonly runCode: (payload: unknown, signal?: AbortSignal) => Promise<unknown>;
  /** Starts another worker: of this run, which goes on where this one ends, or of one that waits. */
  readonly start: StartQueuedRunsPorts['start'];
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly onFailure: (error: unknown) => void;
}

/** Rows that are worked on at once, and kept together. */
const ROWS_AT_ONCE = 5;
/** A worker begins no row with less time left: the row’s, and what the end of a call that is broken off takes. */
const REST_MILLISECONDS = ROW_MILLISECONDS + 60_000;

/** Between two turns of rows whose model answers nothing. */
const PAUSE_MILLISECONDS = 30_000;
/** Characters of a question, as JSON, that a row without an answer keeps. */
const UNANSWERED_CHARACTERS_MAX = 10_000;

/**
 * Works on a run until it has ended, or the time is up. Finished rows are kept, so that a killed worker repeats those few
 * at most that it was at. What ends the run early is its error.
 *
 * One worker works at a time: the rows of two would be billed twice.
 * @param deadline milliseconds since the epoch
 */
export async function workEvalRun(
  ports: WorkEvalRunPorts,
  address: EvalRunAddress,
  deadline: number,
): Promise<{ status: string }> {
  const worked = await holdLease(ports, `eval run ${address.run_id} is worked on`, (isMine) =>
    workAlone(ports, address, deadline, isMine),
  );
  if (worked?.status === 'in_progress') await ports.start(address);
  return worked ?? { status: 'worked_on' };
}

async function workAlone(
  ports: WorkEvalRunPorts,
  { team_id, eval_id, run_id }: EvalRunAddress,
  deadline: number,
  isMine: () => boolean,
): Promise<{ status: string }> {
  const { evals } = ports;
  const [of, run] = [await evals.find(team_id, eval_id), await evals.findRun(team_id, eval_id, run_id)];
  if (of === null || run === null || !isOpen(run)) {
    // A worker that was killed may have written after the deletion.
    if (run === null || run.is_deleting === true) await emptyRunObjects(ports.objects, { team_id, run_id });
    // It was cancelled while no worker was at it.
    else if (of !== null && run.status === 'canceled' && run.criteria.length === 0)
      await endRun(ports, of, run, await readAnswered(ports, run), CANCELED);
    await giveBackPlace(ports, { team_id, run_id });
    return { status: 'gone' };
  }
  const { place } = run;
  if (typeof place !== 'number') return { status: 'queued' };
  const answered: Answered = { items: [], asked: () => [], total: null, verdicts: new Map() };
  const end = await work(ports, of, { ...run, place }, { deadline, isMine, answered });
  const status = typeof end === 'string' ? end : await endRun(ports, of, run, answered, end);
  // What was written after the deletion has listed the objects would stay.
  const left = await evals.findRunHead(team_id, eval_id, run_id);
  if (left === null || left.is_deleting === true) await emptyRunObjects(ports.objects, { team_id, run_id });
  if (typeof end !== 'string') await giveBackPlace(ports, run);
  return { status };
}

/** What a worker has read or made of a run so far. */
interface Answered {
  items: readonly OutputItem[];
  /** What models read and wrote for the rows behind these, which it is at. */
  asked: () => readonly ModelUsage[];
  /** Rows of the run; null before they are read. */
  total: number | null;
  verdicts: ReadonlyMap<number, boolean>;
}

/** What is kept of a run of which no worker is at work. */
async function readAnswered(ports: WorkEvalRunPorts, run: EvalRunRecord): Promise<Answered> {
  const items: OutputItem[] = [];
  for (let n = 0; items.length === n * BLOCK_ROWS; n += 1)
    items.push(...(await readBlock(ports.objects, run, n)).map(countedOf));
  const questions = new RowQuestions(ports, run, () => false, {});
  await questions.resume(items.length);
  const isUntouched = items.length === 0 && questions.usage().length === 0;
  const content = isUntouched ? null : await findEvalRows(ports, run);
  return {
    items,
    asked: () => questions.usage(),
    total: content?.rows.length ?? null,
    verdicts: content?.verdicts ?? new Map(),
  };
}

/** How a run ends. */
type End =
  | { readonly status: 'completed' | 'canceled' }
  | { readonly status: 'failed'; readonly error: EvalRunRecord['error'] };
const CANCELED: End = { status: 'canceled' };

/**
 * Ends a run, with what the graders found in the rows that were answered, and what models read and wrote: that is charged, however it
 * ends. One that was cancelled meanwhile stays so.
 */
async function endRun(
  { evals, clock }: Pick<WorkEvalRunPorts, 'evals' | 'clock'>,
  { testing_criteria }: EvalRecord,
  run: EvalRunRecord,
  { items, asked, total, verdicts }: Answered,
  end: End,
): Promise<End['status']> {
  const found =
    total === null
      ? null
      : {
          result_counts: { ...countItems(items), total },
          criteria: testing_criteria.map((grader, n) => summarize(grader, n, items, verdicts)),
          usage: sumUsage(items, asked()),
        };
  const worked_at = timestamp(clock.now());
  const isEnded = end !== CANCELED && (await evals.changeRun(run, { ...end, ...found, worked_at }));
  if (isEnded) return end.status;
  if (found !== null) await evals.noteCanceled(run, found);
  return 'canceled';
}

async function work(
  ports: WorkEvalRunPorts,
  of: EvalRecord,
  run: EvalRunRecord & { readonly place: number },
  {
    deadline,
    isMine,
    answered,
  }: { readonly deadline: number; readonly isMine: () => boolean; readonly answered: Answered },
): Promise<End | 'in_progress' | 'worked_on'> {
  const { evals, clock } = ports;
  const signOf = ({ silentSince }: RowQuestions) => ({
    worked_at: timestamp(clock.now()),
    silent_since: silentSince,
  });
  try {
    const { rows, verdicts } = await readEvalRows(ports, run, {
      now: clock.now(),
      isOver: () => clock.now() > deadline - REST_MILLISECONDS,
    });
    const items: OutputItem[] = [];
    const questions = new RowQuestions(ports, run, isMine, run.silent_since ?? {});
    let hasResumed = false;
    let further = 0;
    Object.assign(answered, { total: rows.length, verdicts, asked: () => questions.usage() });
    for (let first = 0; first < rows.length; first += BLOCK_ROWS) {
      const n = first / BLOCK_ROWS;
      const block = rows.slice(first, first + BLOCK_ROWS);
      let done = await readBlock(ports.objects, run, n);
      answered.items = [...items, ...done];
      const caller =
        done.length === block.length ? run.caller : await currentCaller(ports.access, run, 'the run');
      while (done.length < block.length) {
        if (!isMine()) return 'worked_on';
        if (!hasResumed) await questions.resume(first + done.length);
        hasResumed = true;
        if (clock.now() > deadline - REST_MILLISECONDS) {
          await questions.keep();
          return 'in_progress';
        }
        const isPlaced = await ports.claims.take(
          claimOfEvalRun(run.team_id, run.place),
          EVAL_PLACE_SECONDS,
          run.run_id,
        );
        // Another run has the place, since this one was silent for so long that callers take it for lost.
        if (!isPlaced) throw new ServiceError('run_interrupted', 'The run was interrupted. Start another.');
        const some = block.slice(done.length, done.length + ROWS_AT_ONCE + further);
        const worked = await workRows(
          ports,
          { of, run, caller, questions, first: first + done.length },
          some,
        );
        if (worked === null) {
          const isOpen = await evals.changeRun(run, { status: 'in_progress', ...signOf(questions) });
          if (!isOpen) return CANCELED;
          if (questions.needsAnother) further = Math.min(further + 1, ROWS_AT_ONCE);
          await clock.sleep(PAUSE_MILLISECONDS);
          continue;
        }
        // Its successor writes these rows.
        if (!isMine()) return 'worked_on';
        done = [...done, ...worked];
        answered.items = [...items, ...done];
        questions.clear();
        further = 0;
        if ((await evals.findRunHead(run.team_id, run.eval_id, run.run_id)) === null) return CANCELED;
        await writeLines(ports.objects, objectKeys.evalItems(run.team_id, run.run_id, n), done);
        await writeStatuses(ports.objects, run, answered.items);
        const changed = await evals.changeRun(run, {
          status: 'in_progress',
          result_counts: { ...countItems(answered.items), total: rows.length },
          ...signOf(questions),
        });
        if (!changed) return CANCELED;
      }
      items.push(...done.map(countedOf));
      answered.items = items;
    }
    if (!isMine()) return 'worked_on';
    // A worker that was killed may have written the items alone.
    await writeStatuses(ports.objects, run, items);
    return { status: 'completed' };
  } catch (error) {
    if (error instanceof Superseded || (error instanceof ServiceError && !isMine())) return 'worked_on';
    // A store that is busy: another worker is started.
    if (!(error instanceof ServiceError) || isPassing(error)) throw error;
    ports.onFailure(error);
    const { code, message } = error;
    return { status: 'failed', error: { code, message } };
  }
}

/** What is counted of an output item: the texts of all rows together would fill the worker's memory. */
const countedOf = (item: OutputItem): OutputItem => ({
  ...item,
  datasource_item: {},
  results: item.results.map(({ sample: _, ...result }) => result),
  sample: { ...item.sample, input: [], output: [] },
});

/** What rows are worked on for. */
interface RowsJob {
  readonly of: EvalRecord;
  readonly run: EvalRunRecord;
  readonly caller: Caller;
  readonly questions: RowQuestions;
  /** The number of the first of them. */
  readonly first: number;
}

/**
 * Answers and grades rows, all at once.
 * @returns null while some wait for a model: then they are worked on again, by the next worker if the time is up
 */
async function workRows(
  ports: WorkEvalRunPorts,
  job: RowsJob,
  rows: readonly StoredRow[],
): Promise<OutputItem[] | null> {
  const { questions, caller, first } = job;
  const endMs = ports.clock.now() + ROW_MILLISECONDS;
  const askerOf = questions.begin(caller, endMs);
  const asked = rows.map((row, at) => ({ row, asker: askerOf(first + at) }));
  const samples = await allOf(
    asked.map(async (each) => ({ ...each, ...(await sampleOf(job.run, each.row, each.asker)) })),
  );
  const scores = samples && (await runPrograms(ports, job.of.testing_criteria, samples, endMs));
  const items =
    samples &&
    (await allOf(
      samples.map((sample, at) =>
        gradeRow(ports, job, sample.asker, { sample, at, scoreOf: (source) => scores?.(source, at) ?? '' }),
      ),
    ));
  return items;
}

/**
 * What all come to, once none goes on: what a model answers beside one that fails is charged too. Null where some wait.
 * @throws what one of them has failed of
 */
async function allOf<Value>(works: readonly Promise<Value>[]): Promise<Value[] | null> {
  const settled = await Promise.allSettled(works);
  const failed = settled.find((each) => each.status === 'rejected' && !(each.reason instanceof Waiting));
  if (failed?.status === 'rejected') throw failed.reason;
  const done = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  return done.length === works.length ? done : null;
}

/** Programs of graders, those within others too. */
const programsOf = (graders: readonly Grader[]): string[] => [
  ...new Set(
    graders
      .flatMap((grader) => (grader.type === 'multi' ? Object.values(grader.graders) : [grader]))
      .flatMap((grader) => (grader.type === 'python' ? [grader.source] : [])),
  ),
];

/** Runs all programs of graders on all answers in one call of the sandbox, and what was not run once more. */
async function runPrograms(
  { runCode, clock, random, onFailure }: WorkEvalRunPorts,
  graders: readonly Grader[],
  samples: readonly Sampled[],
  endMs: number,
): Promise<(source: string, at: number) => Score> {
  const sources = programsOf(graders);
  // Once for all programs: a row of many megabytes would be in memory for each of them.
  const texts = samples.map(({ row, values }) => programValues({ item: row.item, sample: values }));
  const all = sources.flatMap((source) => texts.map((text) => jobOf(source, text)));
  const jobs = all.filter((job) => typeof job !== 'string');
  const over = AbortSignal.timeout(Math.max(0, endMs - clock.now()));
  const run = callSandbox({ call: runCode, clock, random, onFailure }, endMs);
  const came: (Ran | null)[] = jobs.length === 0 ? [] : [...(await run(jobs, over))];
  const missing = [...came.entries()].flatMap(([at, each]) => (each === null ? [at] : []));
  if (missing.length > 0) {
    const again = await run(
      missing.flatMap((at) => jobs[at] ?? []),
      over,
    );
    for (const [n, at] of missing.entries()) came[at] = again[n] ?? null;
  }
  const scores = all.map((job) => (typeof job === 'string' ? job : pythonScore(came.shift() ?? null)));
  return (source, at) => scores[sources.indexOf(source) * samples.length + at] ?? pythonScore(null);
}

/** A program with the lines of a row and its answer, or why it is not run. */
function jobOf(source: string, values: string | null): CodeJob | string {
  if (values === null)
    return `The row and its answer are too long for a program: more than ${VALUES_CHARACTERS_MAX} characters as JSON, in which an answer is twice.`;
  const job = pythonJob(source, values);
  return bytesOfJob(job) <= CALL_BYTES_MAX
    ? job
    : `The program with the row and its answer is too long: more than ${CALL_BYTES_MAX} bytes as it is sent to the sandbox.`;
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, total_tokens: 0 };

/** A row with its answer: as templates name it, and as it is shown. */
interface Sampled {
  readonly row: StoredRow;
  readonly values: Readonly<Record<string, unknown>>;
  readonly shown: OutputItem['sample'];
}

/** Grades the answer to a row. */
async function gradeRow(
  { clock }: Pick<WorkEvalRunPorts, 'clock'>,
  { of, run, first }: RowsJob,
  askModel: Asker,
  {
    sample,
    at,
    scoreOf,
  }: { readonly sample: Sampled; readonly at: number; readonly scoreOf: (source: string) => Score },
): Promise<OutputItem> {
  const n = first + at;
  const asked: { readonly question: ModelQuestion; readonly response: ModelResponse }[] = [];
  const { row } = sample;
  const graders: GraderPorts = {
    runPython: async (source) => scoreOf(source),
    ask: async (question, own) => {
      const { response, error } = await askModel.ask(question, own);
      if (response === null) throw new GraderFailed(error);
      asked.push({ question, response });
      return outputText(response);
    },
  };
  const values = { item: row.item, sample: sample.values };
  const results = [];
  for (const grader of sample.shown.error.code === '' ? of.testing_criteria : []) {
    // Comparing long texts takes its time, in which the lease has to be renewed.
    await setImmediate();
    const result = await grade(grader, values, graders);
    const said = asked.splice(0);
    results.push(said.length === 0 ? result : { ...result, ...shownJudge(said) });
  }
  const isWhole = results.length > 0 && results.every(({ error }) => error === null);
  const item: OutputItem = {
    id: itemIdOf(run.run_id, n),
    object: 'eval.run.output_item',
    eval_id: evalIdOf(run.eval_id),
    run_id: runIdOf(run.run_id),
    created_at: Math.floor(clock.now() / 1000),
    status: !isWhole ? 'error' : results.every(({ passed }) => passed) ? 'pass' : 'fail',
    datasource_item_id: n,
    datasource_item: row.item,
    results,
    sample: sample.shown,
  };
  // No more is ever shown of it, and what all graders of all rows of a block were asked would fill the worker's memory.
  return fitItem(item, PAGE_BYTES_MAX);
}

/** What models that grade were asked and answered. */
function shownJudge(
  said: readonly { readonly question: ModelQuestion; readonly response: ModelResponse }[],
): { readonly usage: readonly ModelUsage[]; readonly sample: Readonly<Record<string, unknown>> } {
  const [last] = said.slice(-1);
  return {
    usage: said.map(({ response }) => usageOf(response)),
    sample: {
      input: last === undefined ? [] : shownInput(last.question),
      output: said.map(({ response }) => saidWith(outputText(response), [])),
      finish_reason: last?.response.status === 'incomplete' ? 'length' : 'stop',
      model: last?.response.model ?? '',
    },
  };
}

/** The answer to a row: as templates name it, and as it is shown. */
async function sampleOf(run: EvalRunRecord, row: StoredRow, askModel: Asker): Promise<Omit<Sampled, 'row'>> {
  const asking = tryQuestion(run, row);
  const shown: OutputItem['sample'] = {
    model: '',
    input: [],
    output: [],
    finish_reason: 'stop',
    max_completion_tokens: 0,
    temperature: 1,
    top_p: 1,
    seed: 0,
    usage: NO_USAGE,
    error: { code: '', message: '' },
  };
  if ('error' in asking) {
    return { values: {}, shown: { ...shown, error: { code: 'sample_failed', message: asking.error } } };
  }
  const { question } = asking;
  if (question === null) {
    const given = row.sample ?? {};
    const values = givenValues(given);
    const [{ message, finish_reason } = OF_NO_CHOICE] = choicesOf(values);
    const text = textOf(values.output_text);
    const calls = Array.isArray(message?.tool_calls) ? message.tool_calls.filter(isObject) : [];
    return {
      values,
      shown: {
        ...shown,
        model: textOf(given.model),
        output: text === '' && calls.length === 0 ? [] : [saidWith(text, calls)],
        finish_reason: typeof finish_reason === 'string' ? finish_reason : 'stop',
      },
    };
  }
  const { response, error } = await askModel.ask(question);
  const input = shownInput(question);
  if (response === null) {
    // Nobody pays for what was not answered, and a template makes a long question of a short row.
    const isShort = JSON.stringify(input).length <= UNANSWERED_CHARACTERS_MAX;
    const failed = {
      ...shown,
      input: isShort ? input : [],
      error: { code: 'sample_failed', message: error },
    };
    return { values: {}, shown: failed };
  }
  const text = outputText(response);
  const { model_name: _, invocation_count: __, ...usage } = usageOf(response);
  const { sampling_params: sampling } = run.data_source as {
    sampling_params?: { seed?: number | null } | null;
  };
  const chat = chatValues(response, text);
  return {
    values: { ...valuesOf(text), model: response.model, ...chat },
    shown: {
      ...shown,
      model: response.model,
      input,
      output: [saidWith(text, chat.output_tools)],
      finish_reason: chat.choices[0].finish_reason,
      max_completion_tokens: response.max_output_tokens ?? 0,
      temperature: response.temperature ?? 1,
      top_p: response.top_p ?? 1,
      seed: sampling?.seed ?? 0,
      usage,
    },
  };
}

/** The question about a row, or why there is none. */
function tryQuestion(
  { data_source: source }: EvalRunRecord,
  row: StoredRow,
): { readonly question: unknown } | { readonly error: string } {
  if (row.error !== undefined) return { error: row.error };
  try {
    const question = questionOf(source, row);
    return JSON.stringify(question).length > QUESTION_CHARACTERS_MAX
      ? { error: `The filled messages have more than ${QUESTION_CHARACTERS_MAX} characters.` }
      : { question };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { error: error instanceof Unfillable ? error.message : 'A value of the row is nested too deep.' };
  }
}

type Fields = Readonly<Record<string, unknown>>;
interface Choice {
  readonly message?: Fields;
  readonly finish_reason?: unknown;
}
const OF_NO_CHOICE: Choice = {};

/** The choices of a sample that is a chat completion; none of another. */
function choicesOf({ choices }: Fields): readonly Choice[] {
  return Array.isArray(choices) && choices.every((each) => isObject(each) && isObject(each.message))
    ? choices
    : [];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What templates name of the answer that a row has: its own names, and those of what it says as a chat completion. */
function givenValues(given: Fields): Fields {
  const [{ message } = OF_NO_CHOICE] = choicesOf(given);
  if (message === undefined)
    return given.output_text === undefined ? given : { ...valuesOf(textOf(given.output_text)), ...given };
  return { ...valuesOf(textOf(message.content)), output_tools: message.tool_calls ?? [], ...given };
}

const saidWith = (content: string, calls: readonly Fields[]): OutputItem['sample']['output'][number] => ({
  role: 'assistant',
  content,
  ...(calls.length === 0 ? {} : { tool_calls: [...calls] }),
});

/** What templates name of an answer's text. */
function valuesOf(text: string): Readonly<Record<string, unknown>> {
  const output_json = jsonOf(text);
  return output_json === undefined ? { output_text: text } : { output_text: text, output_json };
}

function shownInput(question: unknown): OutputItem['sample']['input'] {
  const { input } = question as { readonly input: unknown };
  const messages = Array.isArray(input) ? input : [{ role: 'user', content: input }];
  // An item that is no message, such as a call, is shown as it is.
  return messages.map((item: { type?: unknown; role?: unknown; content?: unknown }) =>
    item.role === undefined
      ? { role: textOf(item.type), content: textOf(item) }
      : { role: textOf(item.role), content: textOf(item.content) },
  );
}

/** What models read and wrote for output items, and for the rows behind them, by model. */
function sumUsage(items: readonly OutputItem[], asked: readonly ModelUsage[]): ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  const add = (usage: ModelUsage): void => {
    const { model_name } = usage;
    const sum = sums.get(model_name);
    sums.set(model_name, {
      model_name,
      invocation_count: (sum?.invocation_count ?? 0) + usage.invocation_count,
      prompt_tokens: (sum?.prompt_tokens ?? 0) + usage.prompt_tokens,
      completion_tokens: (sum?.completion_tokens ?? 0) + usage.completion_tokens,
      cached_tokens: (sum?.cached_tokens ?? 0) + usage.cached_tokens,
      total_tokens: (sum?.total_tokens ?? 0) + usage.total_tokens,
    });
  };
  for (const { sample, results } of items) {
    if (sample.usage.total_tokens > 0)
      add({ model_name: sample.model, invocation_count: 1, ...sample.usage });
    for (const { usage } of results) for (const each of (usage ?? []) as ModelUsage[]) add(each);
  }
  for (const usage of asked) if (usage.total_tokens > 0) add(usage);
  return [...sums.values()];
}
