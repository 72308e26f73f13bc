import { isDeepStrictEqual } from 'node:util';
import type { UsageMeter } from '#shared/access/decide/usage-meter.ts';
import type { AnsweringModels, ChosenModel } from '#shared/models/decide/answering-models.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { OWN_TOOLS, type Sampling } from '#shared/models/decide/turn.ts';
import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import type { FetchImage } from '#shared/tabular/decide/images/load-image.ts';
import {
  type AnswerPorts,
  answer,
  asksLogprobs,
  failedAtOnce,
  formatOf,
  itemsSent,
  providerCallsMax,
  type Question,
} from './decide/answer.ts';
import { AnswerFailed } from './decide/answer-failed.ts';
import type { ApprovalRepository } from './decide/approvals.ts';
import { Budget, type CountedTurn } from './decide/budget.ts';
import { Conversation, providerTypeOf } from './decide/conversation.ts';
import type { DatasetSearch } from './decide/dataset-search.ts';
import { fetchLinkedImages, withImages } from './decide/linked-images.ts';
import { imageLinksOf, LINKS_MAX, providerLinksOf, refusalOfProvided } from './decide/provider-items.ts';
import type { Stack, StackRepository } from './decide/stack.ts';
import { datasetsToSearch, requirePermittedServer, requireStack, stackSlugOf } from './decide/stack-rules.ts';
import {
  type ResponseRepository,
  STORED_MILLISECONDS,
  type StoredResponse,
  toStoredItems,
} from './decide/stored-response.ts';
import type { HostedServers, ToolServer, ToolServers } from './decide/tool-servers.ts';
import { type AttachedServer, SEARCH_TOOL, toTurnTool } from './decide/toolbox.ts';
import { type History, readHistory } from './response-history.ts';
import type { ModelResponse, ResponseEvent } from './schema/response.ts';
import type {
  CreateResponseRequest,
  FileSearchToolParam,
  FunctionToolParam,
  InputItem,
  ItemReference,
  McpToolParam,
  ToolParam,
} from './schema/response-request.ts';

/** Types that a provider describes to the model, and the caller executes: their calls are free. */
const CALLERS_TOOLS: readonly string[] = ['custom', 'local_shell', 'apply_patch', 'computer_use_preview'];

/** Default number of rows from a search. */
const RESULTS_DEFAULT = 8;

export interface RespondPorts {
  readonly models: AnsweringModels;
  readonly stacks: Pick<StackRepository, 'find'>;
  readonly hostedServers: HostedServers;
  readonly toolServers: ToolServers;
  readonly datasetSearch: DatasetSearch;
  readonly usage: UsageMeter;
  readonly responses: ResponseRepository;
  readonly approvals: ApprovalRepository;
  readonly approvalKey: () => Promise<string>;
  /** @throws {ServiceError} `invalid_request` if the model's server may not open the address */
  readonly requirePublicLink: (address: string) => Promise<void>;
  readonly fetchImage: FetchImage;
  readonly sleep: Clock['sleep'];
  /** 32 hexadecimal digits, different each time. */
  readonly newDigits: () => string;
  readonly now: () => number;
}

export interface RespondInput {
  readonly caller: Caller;
  readonly request: CreateResponseRequest;
  readonly sampling?: Sampling;
  readonly signal: AbortSignal;
  /** Whether the response has started, so that a failure is an event and no longer a status. */
  readonly isCommitted: () => boolean;
  /** Waits for the memory of a long conversation before it is read. */
  readonly beforeLong?: () => Promise<void>;
  /** Called with the response's id. */
  readonly onBegun: (responseId: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Called if a delivered response could not be billed. */
  readonly onUnbilled: (error: unknown) => void;
}

/**
 * Generates the events of a response. Everything that the request names is looked up first, and rejected if it is not
 * the team's or not permitted. The response is stored before its last event, so that the next request can continue it,
 * and billed afterwards.
 * @throws {ServiceError} of `POST /responses`, before the first event, unless the response has started with a keep-alive
 */
export async function* respond(
  ports: RespondPorts,
  input: RespondInput,
): AsyncGenerator<ResponseEvent, void> {
  const begunAt = ports.now();
  const response = beginResponse(`resp_${ports.newDigits()}`, input.request, begunAt);
  input.onBegun(response.id);
  try {
    yield* respondIn(response, begunAt, ports, input);
  } catch (error) {
    // No event was sent so far.
    if (!input.isCommitted() && !(error instanceof AnswerFailed)) throw error;
    input.onFailure(error);
    yield* failedAtOnce(response, error, ports.now);
  }
}

/** @throws {ServiceError} {AnswerFailed} before its first event, and not afterwards */
async function* respondIn(
  response: ModelResponse,
  begunAt: number,
  ports: RespondPorts,
  input: RespondInput,
): AsyncGenerator<ResponseEvent, void> {
  const opening = new Opening();
  const { question, budget, answering, first, images, links } = await prepare(
    response,
    begunAt,
    ports,
    input,
    opening,
  ).catch(async (error: unknown) => {
    await opening.close().catch(input.onUnbilled);
    throw error;
  });

  async function* events(): AsyncGenerator<ResponseEvent, void> {
    // No model or tool server is called for a team that cannot pay, or has reached its limit of concurrent responses.
    await budget.reserve(first);
    const opened = Promise.all([
      fetchLinkedImages(images, ports.fetchImage, ports.sleep),
      Promise.all(links.map(ports.requirePublicLink)),
    ]);
    const [shown] = await Promise.race([opened, endOf(input.signal)]);
    yield* answer(question, { ...answering, model: withImages(answering.model, shown) });
  }
  yield* metered(events(), {
    budget,
    onUnbilled: input.onUnbilled,
    leave: () =>
      leaveServers(
        question.servers.map(({ server }) => server),
        ports,
      ),
  });
}

/** The reservation of a response whose conversation is long to read: it is given back if nothing comes of it. */
class Opening {
  #budget: Budget | null = null;
  #reserved: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @throws {ServiceError} `credits_insufficient`, `rate_limited`; {Error} if it is closed: nobody would give back what it reserves */
  async open(budget: Budget, { max_output_tokens: most }: CreateResponseRequest): Promise<void> {
    if (this.#isClosed) throw new Error('The answer has ended before its conversation was read.');
    this.#budget = budget;
    this.#reserved = budget.open(most ?? null);
    await this.#reserved;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reserved.catch(() => undefined);
    await this.#budget?.end();
  }
}

/** What an answer begins with: its question, and what it needs. @throws {ServiceError} {AnswerFailed} */
async function prepare(
  response: ModelResponse,
  begunAt: number,
  ports: RespondPorts,
  input: RespondInput,
  opening: Opening,
) {
  const { caller, request } = input;
  const budgetOf = (chosen: ChosenModel): Budget =>
    new Budget(
      chosen,
      response,
      (asked) => ports.usage.admit(caller, asked, begunAt),
      request.max_credits ?? null,
    );
  const found = await lookUp(ports, input, begunAt, budgetOf, opening);
  const { stack, tools, chosen, budget, before, servers } = found;
  const earlier = before.itemsFor(chosen.id);
  const own = toStoredItems(itemsOf(request, earlier), (prefix) => newId(ports, prefix));
  const conversation = new Conversation([...earlier, ...own]);
  requireForwarded(request, earlier, chosen);
  if ((request.top_logprobs ?? 0) > 0 && !asksLogprobs(request)) {
    throw invalidField('top_logprobs', 'needs message.output_text.logprobs in include');
  }

  const instructions = [stack?.instructions, request.instructions].filter(Boolean).join('\n\n') || null;
  const question: Question = {
    teamId: caller.team_id,
    response,
    conversation,
    instructions,
    functions: tools.functions,
    servers,
    search: tools.search,
    providerTools: tools.provider,
    choice: request.tool_choice ?? 'auto',
    request,
    sampling: input.sampling ?? {},
    contextTokens: chosen.contextTokens,
  };
  const answering = answerPorts(ports, input, budget, {
    input: own,
    ancestors: before.ancestors,
    chosen,
    begunAt,
  });
  const whole = firstTurn(question);
  const images = imageLinksOf(whole);
  const links = providerLinksOf(whole);
  if (images.length + links.length > LINKS_MAX) {
    throw invalidField('input', `contains ${images.length + links.length} links; send at most ${LINKS_MAX}`, {
      maximum: LINKS_MAX,
    });
  }
  const first = { ...whole, items: itemsSent(question, whole.items, whole, whole.maxOutputTokens) };
  return { question, budget, answering, first, images, links };
}

/** Tool servers that are left at once, each of which occupies a function, and milliseconds after which no more are. */
const LEAVING_AT_ONCE = 8;
const LEAVING_MILLISECONDS = 4_000;

/** Ends the sessions of tool servers; those that there is no time for end by themselves. */
async function leaveServers(
  servers: readonly ToolServer[],
  { toolServers, now }: Pick<RespondPorts, 'toolServers' | 'now'>,
): Promise<void> {
  const deadline = now() + LEAVING_MILLISECONDS;
  for (let at = 0; at < servers.length && now() < deadline; at += LEAVING_AT_ONCE) {
    await Promise.all(servers.slice(at, at + LEAVING_AT_ONCE).map((server) => toolServers.leave(server)));
  }
}

/** Finds what the request names. @throws {ServiceError} what is not there, not the team's, or not permitted */
async function lookUp(
  ports: RespondPorts,
  { caller, request, signal, beforeLong }: RespondInput,
  begunAt: number,
  budgetOf: (chosen: ChosenModel) => Budget,
  opening: Opening,
) {
  const teamId = caller.team_id;
  const slug = stackSlugOf(request.model);
  const stack = slug === null ? null : await requireStack(ports.stacks, teamId, slug);
  const tools = sortTools(request, stack);
  // A stack grants the search of its datasets; without one the key needs the scope to read them.
  if (tools.search !== null && stack === null) requireScope(caller, 'datasets:read');
  const choosing = ports.models
    .choose(teamId, stack?.model ?? request.model)
    .then((chosen) => ({ chosen, budget: budgetOf(chosen) }));
  const lookedUp = Promise.all([
    choosing,
    readPrevious(ports, teamId, request, begunAt, {
      // A stack grants the rows of its searches, in the turns that follow too.
      mayReadRows: stack !== null || caller.scopes.includes('datasets:read'),
      beforeLong: async () => {
        await beforeLong?.();
        await opening.open((await choosing).budget, request);
      },
    }),
    attachServers(tools.servers, caller, ports.hostedServers),
    tools.search === null
      ? undefined
      : ports.datasetSearch.requireSearchable(teamId, tools.search.datasetIds),
  ]);
  const [{ chosen, budget }, before, servers] = await Promise.race([lookedUp, endOf(signal)]);
  return { stack, tools, chosen, budget, before, servers };
}

const newId = ({ newDigits }: RespondPorts, prefix: string): string => `${prefix}_${newDigits()}`;

/** What an answer needs; `asked` is stored with the response. */
function answerPorts(
  ports: RespondPorts,
  { caller: { team_id: teamId }, request, signal, onFailure }: RespondInput,
  budget: Budget,
  asked: Pick<StoredResponse, 'input' | 'ancestors'> & {
    readonly chosen: ChosenModel;
    readonly begunAt: number;
  },
): AnswerPorts {
  const { chosen } = asked;
  return {
    model: chosen.model,
    reserve: (turn) => budget.reserve(turn),
    countProvided: (item) => budget.count(item),
    sleep: ports.sleep,
    toolServers: ports.toolServers,
    datasetSearch: ports.datasetSearch,
    approvalKey: ports.approvalKey,
    claimApproval: (approvalId) => ports.approvals.claim(teamId, approvalId),
    newId: (prefix) => newId(ports, prefix),
    newNonce: () => ports.newDigits().slice(0, 24),
    now: ports.now,
    signal,
    onFailure,
    keep: async (response, withheld) => {
      if (request.store !== true) return;
      await ports.responses.put(teamId, {
        response,
        input: asked.input,
        ancestors: asked.ancestors,
        withheld,
        answered_by: chosen.id,
        expires_at_ms: asked.begunAt + STORED_MILLISECONDS,
      });
    },
  };
}

/** @throws the signal's reason once it is aborted */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Passes the events on; afterwards bills the response and ends the tool sessions, for any outcome. */
async function* metered(
  events: AsyncGenerator<ResponseEvent, void>,
  answering: {
    readonly budget: Budget;
    readonly onUnbilled: (error: unknown) => void;
    readonly leave: () => Promise<unknown>;
  },
): AsyncGenerator<ResponseEvent, void> {
  const { budget, onUnbilled, leave } = answering;
  try {
    yield* events;
  } finally {
    const leaving = leave();
    // A delivered response stays valid if billing fails: the sweeper returns the reservation.
    await budget.end().catch(onUnbilled);
    await leaving;
  }
}

async function readPrevious(
  { responses }: RespondPorts,
  teamId: string,
  { previous_response_id: previousId, truncation }: CreateResponseRequest,
  now: number,
  reading: { readonly mayReadRows: boolean; readonly beforeLong: () => Promise<unknown> },
): Promise<History> {
  return previousId === undefined || previousId === null
    ? { itemsFor: () => [], ancestors: [] }
    : readHistory(responses, teamId, previousId, now, {
        isShortened: truncation === 'auto',
        ...reading,
      });
}

/**
 * The items that the request adds to the conversation; referenced items are already in it.
 * @throws {ServiceError} `invalid_request` if there is no input, or a referenced item is missing
 */
function itemsOf(
  { input, previous_response_id: previousId }: CreateResponseRequest,
  earlier: readonly InputItem[],
): InputItem[] {
  if (typeof input === 'string' && input !== '') return [{ type: 'message', role: 'user', content: input }];
  const items = typeof input === 'string' ? [] : (input ?? []);
  if (items.length === 0 && (previousId === undefined || previousId === null)) {
    throw invalidField('input', 'is required unless previous_response_id supplies the conversation');
  }
  const known = new Set(earlier.map(({ id }) => id));
  return items.flatMap((item, n) => {
    if (!isReference(item)) {
      // Callers reuse item ids across requests: a new id lets both be listed.
      const isNamesake = typeof item.id === 'string' && known.has(item.id) && isSaidByCaller(item);
      known.add(item.id);
      return [isNamesake ? { ...item, id: undefined } : item];
    }
    if (known.has(item.id)) return [];
    throw invalidField(
      `input[${n}].id`,
      `references ${JSON.stringify(item.id)}, which is not an item of this conversation: send the item itself, or the ` +
        'previous_response_id of a stored response that has it',
    );
  });
}

const isSaidByCaller = ({ type }: InputItem): boolean =>
  (type ?? 'message') === 'message' || type === 'function_call_output';

const isReference = (item: NonNullable<CreateResponseRequest['input']>[number]): item is ItemReference =>
  typeof item === 'object' &&
  (item.type === 'item_reference' || (!('role' in item) && (item.type ?? null) === null));

interface SortedTools {
  readonly functions: readonly FunctionToolParam[];
  readonly servers: readonly McpToolParam[];
  readonly search: Question['search'];
  readonly provider: readonly Extract<ToolParam, { type: string }>[];
}

/** The tools by executor. @throws {ServiceError} if two have the same name, or the stack does not permit one */
function sortTools(
  { tools: given, tool_choice: choice }: CreateResponseRequest,
  stack: Stack | null,
): SortedTools {
  const tools = given ?? [];
  const functions = new Map<string, FunctionToolParam>();
  const servers = new Map<string, McpToolParam>();
  const provider: ToolParam[] = [];
  let search: Question['search'] = null;
  for (const [n, tool] of tools.entries()) {
    const path = `tools[${n}]`;
    if (isOf<FunctionToolParam>(tool, 'function')) {
      if (functions.has(tool.name)) throw invalidField(`${path}.name`, 'is the name of another function too');
      functions.set(tool.name, tool);
    } else if (isOf<McpToolParam>(tool, 'mcp')) {
      if (servers.has(tool.server_label)) {
        throw invalidField(`${path}.server_label`, 'is the label of another server too');
      }
      if (stack !== null) requirePermittedServer(stack, tool, path);
      servers.set(tool.server_label, tool);
    } else if (isOf<FileSearchToolParam>(tool, 'file_search')) {
      if (search !== null) throw invalidField(path, 'is a second file_search; name all datasets in one');
      const { dataset_ids: ids, vector_store_ids: stores } = tool;
      if (ids !== undefined && stores !== undefined && !isDeepStrictEqual(ids, stores)) {
        throw invalidField(`${path}.vector_store_ids`, 'differs from dataset_ids; omit one of them');
      }
      search = {
        datasetIds: datasetsToSearch(stack, ids ?? stores, path),
        limit: tool.max_num_results ?? RESULTS_DEFAULT,
      };
    } else provider.push(tool);
  }
  if (search !== null && functions.has(SEARCH_TOOL)) {
    throw invalidField('tools', `has a function named ${SEARCH_TOOL} next to the dataset search; rename it`);
  }
  if (
    choice !== undefined &&
    choice !== null &&
    choice !== 'auto' &&
    choice !== 'none' &&
    tools.length === 0
  ) {
    throw invalidField('tool_choice', 'demands a tool, but there are no tools');
  }
  return { functions: [...functions.values()], servers: [...servers.values()], search, provider };
}

const isOf = <T extends ToolParam>(tool: ToolParam, type: T['type']): tool is T => tool.type === type;

/**
 * @throws {ServiceError} `invalid_request` if the caller's catalog does not have a label, or its credential is missing
 */
async function attachServers(
  params: readonly McpToolParam[],
  caller: Caller,
  hosted: HostedServers,
): Promise<AttachedServer[]> {
  return Promise.all(
    params.map(async (param): Promise<AttachedServer> => {
      const { server_label: label, server_url: url, authorization } = param;
      if (url !== undefined) {
        const server = { label, url, authorization: authorization ?? null };
        return { param, server, identity: url, byDefault: 'never' };
      }
      const { default_require_approval: byDefault, ...server } = await hosted.find(
        caller,
        label,
        authorization ?? null,
      );
      return { param, server, identity: `hosted:${label}`, byDefault };
    }),
  );
}

/** @throws {ServiceError} `invalid_request` if the model's provider does not run a tool, or the tool of an item */
function requireForwarded(
  { tools, input }: CreateResponseRequest,
  earlier: readonly InputItem[],
  { model, id, toolPrices }: ChosenModel,
): void {
  const refuse = (path: string, type: string, extra?: Record<string, unknown>) =>
    invalidField(
      path,
      `is of the type ${JSON.stringify(type)}, which the provider of ${id} does not run`,
      extra,
    );
  for (const [n, tool] of (tools ?? []).entries()) {
    const { type } = tool;
    if (OWN_TOOLS.includes(type)) continue;
    if (!model.forwards(type)) throw refuse(`tools[${n}]`, type, { allowed: OWN_TOOLS });
    requireBounded(`tools[${n}]`, tool, 'tool');
    if (toolPrices.has(type) || CALLERS_TOOLS.includes(type)) continue;
    throw invalidField(
      `tools[${n}]`,
      `is of the type ${JSON.stringify(type)}, which has no price for ${id}: ask your operator to price it (provider_tools)`,
      { allowed: [...OWN_TOOLS, ...toolPrices.keys()] },
    );
  }
  const items = typeof input === 'string' ? [] : (input ?? []);
  for (const [n, item] of items.entries()) {
    const type = isReference(item) ? null : providerTypeOf(item);
    if (type === null) continue;
    if (!model.forwards(type)) throw refuse(`input[${n}]`, type);
    requireBounded(`input[${n}]`, item, 'item');
  }
  for (const item of earlier) {
    const type = providerTypeOf(item);
    if (type === null || model.forwards(type)) continue;
    throw invalidField(
      'previous_response_id',
      `contains an item of the type ${JSON.stringify(type)}, which the provider of ${id} does not run: continue with the ` +
        'model that wrote it, or send the conversation without it',
    );
  }
}

/** @throws {ServiceError} `invalid_request` if the cost of a provider's item or tool has no bound */
function requireBounded(path: string, whole: unknown, of: 'item' | 'tool'): void {
  const refusal = refusalOfProvided(whole, of);
  if (refusal !== null) throw invalidField(path, refusal);
}

/** The first model call with all of its conversation, as far as it is known before the tool servers are listed. */
function firstTurn(question: Question): CountedTurn {
  const { conversation, instructions, request, contextTokens, functions, providerTools, choice } = question;
  const usesTools = choice !== 'none';
  return {
    instructions,
    items: conversation.toTurn((_, name) => name, contextTokens),
    tools: usesTools ? functions.map(toTurnTool) : [],
    providerTools: usesTools ? providerTools : [],
    providerCallsMax: providerCallsMax(question, request.max_tool_calls ?? Number.POSITIVE_INFINITY),
    format: formatOf(request),
    maxOutputTokens: request.max_output_tokens ?? null,
  };
}

/** The initial response object: the request without its secrets. */
function beginResponse(id: string, request: CreateResponseRequest, now: number): ModelResponse {
  return {
    id,
    object: 'response',
    created_at: Math.floor(now / 1000),
    completed_at: null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: request.model,
    instructions: request.instructions ?? null,
    output: [],
    previous_response_id: request.previous_response_id ?? null,
    tools: (request.tools ?? []).map(toEcho),
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    max_tool_calls: request.max_tool_calls ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: request.top_logprobs ?? 0,
    truncation: request.truncation ?? 'disabled',
    text: { format: request.text?.format ?? { type: 'text' } },
    reasoning: request.reasoning ?? null,
    usage: null,
    store: request.store ?? false,
    background: false,
    service_tier: 'default',
    metadata: request.metadata ?? {},
    user: request.user ?? null,
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    prompt_cache_retention: request.prompt_cache_retention ?? null,
  };
}

function toEcho(tool: ToolParam): { type: string; [field: string]: unknown } {
  // OpenAI clients require them in every search tool; those of a stack are hidden.
  if (isOf<FileSearchToolParam>(tool, 'file_search')) {
    return { ...tool, vector_store_ids: tool.dataset_ids ?? tool.vector_store_ids ?? [] };
  }
  if (!isOf<McpToolParam>(tool, 'mcp')) return tool;
  const { authorization: _, server_url: url, ...shown } = tool;
  return { ...shown, ...(url === undefined ? {} : { server_url: withoutSecrets(url) }) };
}

/** An address without possible credentials: user, password and query. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
