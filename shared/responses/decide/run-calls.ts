import type { TurnItem } from '#shared/models/decide/turn.ts';
import { putOwn } from '#shared/platform/own.ts';
import type { EventBody, FileSearchCall, McpApprovalRequest, McpCall } from '../schema/response.ts';
import { AnswerFailed } from './answer-failed.ts';
import { approvalIdOf } from './approvals.ts';
import type { Passages } from './citations.ts';
import { parseArguments } from './conversation.ts';
import type { DatasetSearch, FoundRow } from './dataset-search.ts';
import type { Draft } from './draft.ts';
import { describeToolFailure, ToolServerError, type ToolServers } from './tool-servers.ts';
import type { AttachedServer } from './toolbox.ts';
import type { ServiceCall } from './turn-writer.ts';

/** Concurrent calls of one turn. */
const CALLS_AT_ONCE = 8;

export interface CallPorts {
  readonly toolServers: Pick<ToolServers, 'call'>;
  readonly datasetSearch: Pick<DatasetSearch, 'search'>;
  /** The key that signs proposals. */
  readonly approvalKey: () => Promise<string>;
  readonly newId: (prefix: string) => string;
  readonly newNonce: () => string;
  readonly signal: AbortSignal;
  /** Reports the cause of a failure that becomes an item or ends a started response: nothing is thrown then. */
  readonly onFailure: (error: unknown) => void;
}

export interface CallContext {
  readonly teamId: string;
  readonly draft: Draft;
  readonly passages: Passages;
  readonly search: { readonly datasetIds: readonly string[]; readonly limit: number } | null;
  /** What the user asked last, which is searched for where the model's call of the search names no query. */
  readonly asked: string;
  /** Whether search items include the rows that they found. */
  readonly showsResults: boolean;
}

/** The results of the calls of a turn. */
export interface CallsOutcome {
  /** Results for the model, in the order of the calls. */
  readonly results: readonly TurnItem[];
  /** Whether calls wait for approval. */
  readonly waits: boolean;
}

interface Running {
  readonly begin: readonly EventBody[];
  readonly end: Promise<{ readonly events: readonly EventBody[]; readonly output: string }>;
}

/**
 * Makes the calls of a turn in parallel and reports them in order; calls that need approval are proposed instead. A
 * failed server becomes an item with its error, and the model gets the error as the result.
 * @throws {ServiceError} if a search is rejected; {AnswerFailed} if it fails
 */
export async function* runCalls(
  calls: readonly ServiceCall[],
  context: CallContext,
  ports: CallPorts,
): AsyncGenerator<EventBody, CallsOutcome> {
  const results: TurnItem[] = [];
  let waits = false;
  for (let at = 0; at < calls.length; at += CALLS_AT_ONCE) {
    const running: { call: ServiceCall; run: Running }[] = [];
    for (const call of calls.slice(at, at + CALLS_AT_ONCE)) {
      if (call.target?.kind === 'server' && call.target.waits) {
        yield* propose(call, call.target.attached, call.target.tool.name, context, ports);
        waits = true;
        continue;
      }
      const run = start(call, context, ports);
      // Awaited below in the order of the calls; this handler prevents an unhandled rejection until then.
      run.end.catch(() => {});
      yield* run.begin;
      running.push({ call, run });
    }
    for (const { call, run } of running) {
      const { events, output } = await run.end;
      context.draft.grow(output.length);
      yield* events;
      results.push({ type: 'tool_result', callId: call.callId, output });
    }
  }
  return { results, waits };
}

function start(call: ServiceCall, context: CallContext, ports: CallPorts): Running {
  switch (call.target?.kind) {
    case 'search':
      return startSearch(call, context, ports);
    case 'server': {
      if (call.shown === null) throw new Error('A call that does not wait is shown before it is made.');
      const { item, index } = call.shown;
      return { begin: [], end: finishCall(item, index, call.target.attached, ports) };
    }
    default:
      return {
        begin: [],
        end: Promise.resolve({ events: [], output: `There is no tool named ${JSON.stringify(call.name)}.` }),
      };
  }
}

/** Ends a call, whose item is already in the draft, with an error. */
export function refuseCall(
  item: McpCall,
  index: number,
  message: string,
): { events: EventBody[]; output: string } {
  item.status = 'failed';
  item.error = message;
  return {
    events: [
      { type: 'response.mcp_call.failed', item_id: item.id, output_index: index },
      { type: 'response.output_item.done', output_index: index, item },
    ],
    output: `The call failed: ${message}`,
  };
}

/** Makes a call whose item is already in the draft. */
export async function finishCall(
  item: McpCall,
  index: number,
  { server }: AttachedServer,
  ports: Pick<CallPorts, 'toolServers' | 'signal' | 'onFailure'>,
): Promise<{ events: EventBody[]; output: string }> {
  const place = { item_id: item.id, output_index: index };
  const fail = (message: string) => refuseCall(item, index, message);
  const args = parseArguments(item.arguments);
  if (args === null) return fail('The arguments are not a JSON object.');
  try {
    const { output, failed } = await ports.toolServers.call(server, item.name, args, ports.signal);
    if (failed) return fail(output);
    item.status = 'completed';
    item.output = output;
    return {
      events: [
        { type: 'response.mcp_call.completed', ...place },
        { type: 'response.output_item.done', output_index: index, item },
      ],
      output,
    };
  } catch (error) {
    if (error instanceof ToolServerError) {
      reportCause(error, ports);
      return fail(describeToolFailure(server, error));
    }
    throw error;
  }
}

/** A server's own failures are shown to the caller; a failure with a cause is the installation's and is logged. */
export function reportCause(error: ToolServerError, { onFailure }: Pick<CallPorts, 'onFailure'>): void {
  if (error.cause !== undefined) onFailure(error);
}

async function* propose(
  call: ServiceCall,
  { server, identity }: AttachedServer,
  name: string,
  { draft, teamId }: CallContext,
  { approvalKey, newNonce }: CallPorts,
): AsyncGenerator<EventBody> {
  const proposed = { server_label: server.label, name, arguments: call.arguments };
  const id = approvalIdOf(
    { team_id: teamId, server: identity, ...proposed },
    newNonce(),
    await approvalKey(),
  );
  const item: McpApprovalRequest = { type: 'mcp_approval_request', id, ...proposed };
  const index = draft.place(item);
  yield { type: 'response.output_item.added', output_index: index, item };
  yield { type: 'response.output_item.done', output_index: index, item };
}

function startSearch(call: ServiceCall, context: CallContext, ports: CallPorts): Running {
  const named = parseArguments(call.arguments)?.query;
  const query = typeof named === 'string' && named.trim() !== '' ? named : context.asked;
  const queries = query.trim() === '' ? [] : [query];
  const item: FileSearchCall = {
    type: 'file_search_call',
    id: ports.newId('fs'),
    status: 'in_progress',
    queries,
    results: null,
  };
  const index = context.draft.place(item);
  const place = { item_id: item.id, output_index: index };
  const begin: EventBody[] = [
    { type: 'response.output_item.added', output_index: index, item: { ...item } },
    { type: 'response.file_search_call.in_progress', ...place },
    { type: 'response.file_search_call.searching', ...place },
  ];
  const search = async () => {
    const [text] = queries;
    const done: EventBody = { type: 'response.output_item.done', output_index: index, item };
    if (text === undefined || context.search === null) {
      item.status = 'failed';
      return { events: [done], output: 'The search needs a query: call it again with one.' };
    }
    const { datasetIds, limit } = context.search;
    const found = await ports.datasetSearch.search(context.teamId, datasetIds, text, limit, ports.signal);
    item.status = 'completed';
    const results = found.map((row) => resultOf(row, context.passages.numberOf(row)));
    if (context.showsResults) item.results = results;
    else putOwn(context.draft.withheld, item.id, { results });
    return {
      events: [{ type: 'response.file_search_call.completed', ...place } as const, done],
      output: context.passages.describe(found),
    };
  };
  return { begin, end: search() };
}

function resultOf(row: FoundRow, passage: number): NonNullable<FileSearchCall['results']>[number] {
  return {
    file_id: row.dataset_id,
    filename: row.dataset_name,
    score: row.score,
    text: row.text,
    attributes: { dataset_id: row.dataset_id, row: row.row, passage },
  };
}

/** A response that must use datasets and found nothing in them. */
export function ungrounded(): AnswerFailed {
  return new AnswerFailed(
    'ungrounded',
    'tool_choice demands an answer from the attached datasets, and the search found nothing.',
  );
}
