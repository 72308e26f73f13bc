import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { deliveredRunId } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { FILE_VALUES_MAX, objectIn, type Room } from '#shared/openai/decide/object-in.ts';
import { FILE_BYTES_MAX, FILE_ROWS_MAX, readFileRows, tooManyRows } from '#shared/openai/read-file-rows.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { readBefore } from '#shared/responses/decide/chain.ts';
import { stackSlugOf } from '#shared/responses/decide/stack-rules.ts';
import type {
  FoundResponse,
  ResponseRepository,
  StoredResponse,
} from '#shared/responses/decide/stored-response.ts';
import type { ModelResponse } from '#shared/responses/schema/response.ts';
import type { VerdictRepository } from '#shared/review/decide/verdict.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { EvalRunRecord } from './decide/records.ts';
import { INPUT, type Sampling } from './decide/sample.ts';
import { verdictsByRow } from './decide/summary.ts';
import { type DataSource, Row } from './schema/eval.ts';

export interface ReadRowsPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly verdicts: Pick<VerdictRepository, 'list'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'listSizes'>;
}

const StoredRow = Row.extend({
  /** Why it has no answer that could be graded, or that a model could be asked for. */
  error: z.string().optional(),
  /** All that its stored response answered, for a model that is asked again; absent where `item.input` is. */
  asked: z.array(z.unknown()).optional(),
  /** What its stored response was asked with besides, where the run names nothing else: functions, and the form of the answer. */
  asked_with: z.record(z.string(), z.unknown()).optional(),
});
export type StoredRow = z.infer<typeof StoredRow>;
/** The rows of a run as its workers read them: a file that changes while the run goes on changes no row of it. */
export const StoredRows = z.object({
  rows: z.array(StoredRow),
  /** The dataset whose rows these are, number by number; null where verdicts of people are on other rows. */
  verdicts_of: z.string().nullable(),
});
type StoredRows = z.infer<typeof StoredRows>;

export interface EvalRows {
  readonly rows: readonly StoredRow[];
  /** Whether people say that a row is right, by its number; empty where a model answers. */
  readonly verdicts: ReadonlyMap<number, boolean>;
}

export interface ReadingTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether no more is to be read: a worker that is ended by its time begins anew. */
  readonly isOver: () => boolean;
}

/**
 * The rows of a run, in their order. The first worker stores them for those that go on.
 * @throws {ServiceError} `invalid_request` for more rows than a run takes or there is time to read, `run_interrupted` if the file is gone
 */
export async function readEvalRows(
  ports: ReadRowsPorts,
  run: EvalRunRecord,
  time: ReadingTime,
): Promise<EvalRows> {
  const found = await findEvalRows(ports, run);
  if (found !== null) return found;
  const stored = await readSource(ports, run, time);
  const key = objectKeys.evalContent(run.team_id, run.run_id);
  await ports.objects.write(key, JSON.stringify(stored), 'application/json');
  return withVerdicts(ports, stored);
}

/** The rows of a run as its first worker has stored them; null before that. */
export async function findEvalRows(ports: ReadRowsPorts, run: EvalRunRecord): Promise<EvalRows | null> {
  const key = objectKeys.evalContent(run.team_id, run.run_id);
  const stored = await findJson(ports.objects, key, StoredRows);
  return stored === null ? null : withVerdicts(ports, stored);
}

async function withVerdicts(
  { verdicts }: Pick<ReadRowsPorts, 'verdicts'>,
  { rows, verdicts_of: of }: StoredRows,
): Promise<EvalRows> {
  return { rows, verdicts: of === null ? new Map() : verdictsByRow(await verdicts.list(of)) };
}

async function readSource(ports: ReadRowsPorts, run: EvalRunRecord, time: ReadingTime): Promise<StoredRows> {
  const { source, type } = run.data_source;
  if (source.type === 'file_content')
    throw new ServiceError('run_interrupted', 'The rows of the run are gone.');
  if (source.type === 'responses') {
    const isAsked = 'model' in run.data_source && run.data_source.model != null;
    const read = responseReader(ports.objects);
    const found = await readResponses(ports, run.team_id, source, time, isAsked, read);
    const rows = isAsked ? await withQuestions(read, run, found, time) : found.map(({ row }) => row);
    return { rows, verdicts_of: null };
  }
  const datasetId = datasetIdOf(source.id, 'data_source.source.id');
  const dataset = await ports.datasets.find(datasetId);
  if (dataset === null) throw new ServiceError('run_interrupted', 'The file of the run is gone.');
  const runId = deliveredRunId(dataset);
  const context = { team_id: run.team_id, run_id: run.run_id, dataset_id: datasetId };
  const room: Room = { values: FILE_VALUES_MAX };
  const rows = (await readFileRows(ports, context, runId, 'data_source')).map((line) => rowOf(line, room));
  if (room.values < 0) throw tooManyRows('data_source');
  // Verdicts are on the rows of the file: answers of a model are others, and a run may have dropped rows.
  return { rows, verdicts_of: type === 'jsonl' && runId === null ? datasetId : null };
}

/** A row of a file: `{item, sample}`, or a row of any other form, which is the item. */
function rowOf(line: Readonly<Record<string, unknown>>, room: Room): Row {
  const item = objectIn(line.item, room);
  if (item === null) return { item: line };
  const sample = objectIn(line.sample, room);
  return sample === null ? { item } : { item, sample };
}

/** By how much the clock of the object store may be behind that of the function which dates a response. */
const CLOCKS_SECONDS = 60;

/** Reads a stored response by its key, an expired one too; null if there is none. */
type ReadResponse = (key: string) => Promise<FoundResponse | null>;

/**
 * Keeps the responses that were read last, as many bytes as the rows of a run may have: each turn of a conversation is a stored response
 * that names all before it.
 */
function responseReader(objects: Pick<ObjectStore, 'read'>): ReadResponse {
  const kept = new Map<string, FoundResponse>();
  let bytes = 0;
  return async (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      // The last entry of the map is the one that was read last.
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const body = await objects.read(key);
    if (body === null) return null;
    const stored = { ...(JSON.parse(body.toString('utf8')) as StoredResponse), bytes: body.length };
    kept.set(key, stored);
    bytes += body.length;
    for (const [oldest, each] of kept) {
      if (bytes <= FILE_BYTES_MAX) break;
      kept.delete(oldest);
      bytes -= each.bytes;
    }
    return stored;
  };
}

interface FoundRow {
  /** When it was answered, in seconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  readonly row: StoredRow;
}

/**
 * Stored responses of a team as rows, the oldest first: what was asked is `item.input`, what was answered is the sample. The objects stored last are
 * read first, and no more of them than can hold the newest responses that are wanted.
 */
async function readResponses(
  { objects }: ReadRowsPorts,
  teamId: string,
  source: Extract<DataSource['source'], { type: 'responses' }>,
  { now, isOver }: ReadingTime,
  isAsked: boolean,
  read: ReadResponse,
): Promise<FoundRow[]> {
  const listed: { readonly key: string; readonly modifiedMs: number }[] = [];
  for await (const { key, modifiedMs } of objects.listSizes(objectKeys.responsesOf(teamId)))
    listed.push({ key, modifiedMs });
  listed.sort((a, b) => b.modifiedMs - a.modifiedMs);
  const rowsMax = source.limit ?? FILE_ROWS_MAX + 1;
  // The newest first.
  const found: FoundRow[] = [];
  let [bytes, looked] = [0, 0];
  for (const { key, modifiedMs } of listed) {
    const latest = modifiedMs / 1000 + CLOCKS_SECONDS;
    const oldest = found.length < rowsMax ? (source.created_after ?? -1) : (found.at(-1)?.at ?? -1);
    if (latest < oldest) break;
    if (isOver()) {
      throw invalidField(
        'data_source.source',
        `has more stored responses to look through than there is time for: ${looked} were read, of which ${found.length} are wanted. Give created_after, or a limit`,
      );
    }
    looked += 1;
    const stored = await read(key);
    if (stored === null || stored.expires_at_ms <= now || !isWanted(stored.response, source)) continue;
    const { response, input } = stored;
    const at = response.created_at;
    const item = {
      input: input.filter(({ type }) => type === 'message'),
      id: response.id,
      metadata: response.metadata,
    };
    found.splice(found.findLastIndex((each) => each.at >= at) + 1, 0, {
      at,
      bytes: stored.bytes,
      row: { item, ...answerIn(response, isAsked) },
    });
    bytes += stored.bytes - (found.length > rowsMax ? (found.pop()?.bytes ?? 0) : 0);
    if (found.length > FILE_ROWS_MAX || bytes > FILE_BYTES_MAX) throw tooManyRows('data_source');
  }
  if (found.length === 0)
    throw invalidField(
      'data_source.source',
      'names no stored response: responses are stored that were asked for with store, and kept for 30 days',
    );
  return found.reverse();
}

const TOO_LONG = `The response cannot be asked again: the conversations of the run have more than ${FILE_BYTES_MAX / 2 ** 20} MB.`;

/** Items of a conversation that any model can be asked with again, in the request of a run. */
const REPLAYED: readonly string[] = ['message', 'function_call', 'function_call_output'];

/**
 * The rows with all that their responses answered, for a run that asks a model with it: instructions, earlier turns, and calls of
 * functions with their outputs. What a model thought is no part of it. A row whose conversation cannot be asked again has an error.
 * `item.input` stays the messages of the last request, which templates and graders name.
 * @throws {ServiceError} `invalid_request` for more than there is time to read
 */
async function withQuestions(
  read: ReadResponse,
  { team_id, data_source: asking }: EvalRunRecord,
  found: readonly FoundRow[],
  { now, isOver }: ReadingTime,
): Promise<StoredRow[]> {
  const messages = 'input_messages' in asking ? asking.input_messages : null;
  const isWhole =
    messages == null || (messages.type === 'item_reference' && messages.item_reference === INPUT);
  if (!isWhole) return found.map(({ row }) => row);
  const responses: Pick<ResponseRepository, 'find'> = {
    async find(teamId, id) {
      const stored = await read(objectKeys.response(teamId, id));
      return stored !== null && stored.expires_at_ms > now ? stored : null;
    },
  };
  const rows: StoredRow[] = [];
  let bytes = 0;
  for (const { row } of found) {
    // Long conversations take their time, in which the lease has to be renewed.
    await setImmediate();
    if (isOver()) {
      throw invalidField(
        'data_source.source',
        `has longer conversations than there is time for: ${rows.length} of ${found.length} were read. Give created_after, or a limit`,
      );
    }
    const asked = await readAsked(responses, { teamId: team_id, asking, id: String(row.item.id) }, now);
    const size = 'error' in asked ? 0 : JSON.stringify(asked).length;
    const hasRoom = bytes + size <= FILE_BYTES_MAX;
    rows.push({ ...row, ...(hasRoom ? asked : { error: TOO_LONG }) });
    if (hasRoom) bytes += size;
  }
  return rows;
}

/** All that a stored response answered, or why it cannot be asked again. */
async function readAsked(
  responses: Pick<ResponseRepository, 'find'>,
  { teamId, asking, id }: { readonly teamId: string; readonly asking: DataSource; readonly id: string },
  now: number,
): Promise<Pick<StoredRow, 'asked' | 'asked_with'> | { readonly error: string }> {
  const stored = await responses.find(teamId, id, now);
  if (stored === null) return { error: 'The stored response was deleted before it could be asked again.' };
  const askedWith = readAskedWith(stored.response, asking);
  if (typeof askedWith === 'string') return { error: `The response cannot be asked again: ${askedWith}.` };
  const { before, isWhole } = await readBefore(responses, teamId, stored, now);
  if (!isWhole)
    return { error: 'The response cannot be asked again: earlier turns are deleted, expired or too long.' };
  const items = [
    ...before.flatMap((each) => [...each.input, ...each.response.output]),
    ...stored.input,
  ].filter(({ type }) => type !== 'reasoning');
  const other = items.find(({ type }) => !REPLAYED.includes(String(type)));
  if (other !== undefined)
    return { error: `The response cannot be asked again: its conversation has an item ${other.type}.` };
  const { instructions } = stored.response;
  const system = { type: 'message', role: 'system', content: instructions };
  return { asked: instructions == null ? items : [system, ...items], asked_with: askedWith };
}

/**
 * What a stored response was asked with besides its conversation: its functions with the choice among them, where the run names no tools,
 * and the form of its answer, where it names none. In words why another model cannot be asked with that.
 */
function readAskedWith(
  { model, tools = [], tool_choice, text }: ModelResponse,
  asking: DataSource,
): Readonly<Record<string, unknown>> | string {
  const { model: asked, sampling_params: sampling } = asking as Sampling;
  if (stackSlugOf(model) !== null && asked !== model)
    return `it was answered by ${model}, which has instructions and tools of its own. Name that as the model`;
  const format = text?.format;
  const form = format === undefined || format.type === 'text' ? {} : { text: { format } };
  if (tools.length === 0 || sampling?.tools != null) return form;
  const other = tools.find(({ type }) => type !== 'function');
  if (other !== undefined) return `it was asked with the tool ${other.type}`;
  return { ...form, tools, tool_choice };
}

function isWanted(
  { created_at, model, metadata }: ModelResponse,
  source: Extract<DataSource['source'], { type: 'responses' }>,
): boolean {
  const { created_after: after, created_before: before, model: named, metadata: wanted } = source;
  if (after != null && created_at < after) return false;
  if (before != null && created_at > before) return false;
  if (named != null && model !== named) return false;
  return Object.entries(wanted ?? {}).every(([name, value]) =>
    Object.entries(metadata ?? {}).some(([own, said]) => own === name && said === value),
  );
}

/** What a stored response answered; one that failed has no answer to grade, but may be asked for again. */
function answerIn(response: ModelResponse, isAsked: boolean): Pick<StoredRow, 'sample' | 'error'> {
  const { status, error } = response;
  if (!isAsked && status === 'failed')
    return { error: `The stored response failed: ${error?.message ?? 'it has no answer.'}` };
  const text = outputText(response);
  return { sample: { output_text: text, model: response.model, ...chatValues(response, text) } };
}

/** The text of a response. */
export function outputText({ output }: Pick<ModelResponse, 'output'>): string {
  return output
    .flatMap((item) => (item.type === 'message' && Array.isArray(item.content) ? item.content : []))
    .flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : []))
    .join('');
}

/** An answer as chat completions have it, which graders written for OpenAI's evals read. */
export function chatValues({ output, status }: ModelResponse, text: string) {
  const calls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } }]
      : [],
  );
  const reason = status === 'incomplete' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const message = { role: 'assistant', content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  const choice = { index: 0, message, finish_reason: reason };
  return { output_tools: calls, choices: [choice] as const };
}
