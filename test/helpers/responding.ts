import { expect } from 'vitest';
import type { AnswerUsage } from '#shared/access/decide/usage-meter.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { AskFailure } from '#shared/models/decide/ask-model.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { createLinkCheck, createLinkRules } from '#shared/platform/adapters/egress/link-check.ts';
import { LINGER_MILLISECONDS } from '#shared/responses/decide/answer.ts';
import type { FoundRow } from '#shared/responses/decide/dataset-search.ts';
import { foldEvents } from '#shared/responses/decide/fold-events.ts';
import type { Stack } from '#shared/responses/decide/stack.ts';
import { createHostedServers } from '#shared/responses/decide/tool-catalog.ts';
import type { ToolOutcome, ToolServer } from '#shared/responses/decide/tool-servers.ts';
import { type RespondPorts, respond } from '#shared/responses/respond.ts';
import { createResponseRepository } from '#shared/responses/response-history.ts';
import type { ListedTool } from '#shared/responses/schema/listed-tool.ts';
import type { ModelResponse, ResponseEvent } from '#shared/responses/schema/response.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { ToolCatalog } from '#shared/responses/schema/tool.ts';
import { PNG } from './images.ts';
import { createMemoryObjects } from './memory-objects.ts';
import { createMemoryStore } from './memory-store.ts';
import { makeCaller } from './records.ts';
import { newDigits } from './responses.ts';

type ServerScript = {
  readonly tools: readonly ListedTool[] | Error;
  readonly call?: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;
};

/** Names of `.example` are public but for one; others are not known. */
async function resolveExample(host: string) {
  if (!host.endsWith('.example')) throw new Error('unknown');
  return [{ address: host === 'inside.example' ? '10.0.0.7' : '1.1.1.1', family: 4 }];
}

export interface RespondingOptions {
  readonly model: AnsweringModel;
  /** Tool servers by URL. */
  readonly servers?: Readonly<Record<string, ServerScript>>;
  /** Entries of the catalog, with what they need. */
  readonly hosted?: readonly Readonly<Record<string, unknown>>[];
  /** What teams have stored for hosted servers. */
  readonly connection?: (teamId: string, provider: string) => string | null;
  readonly stacks?: readonly Stack[];
  readonly found?: (query: string) => readonly FoundRow[];
  readonly admit?: RespondPorts['usage']['admit'];
  readonly now?: () => number;
  /** How long a model call may go on without its caller; by default not at all. */
  readonly sleep?: RespondPorts['sleep'];
}

export const makeTool = (name: string, changes: Partial<ListedTool> = {}): ListedTool => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object', properties: {} },
  annotations: null,
  ...changes,
});

/** `POST /responses` on stand-ins for models, servers, searches and the ledger, which remember what they were asked. */
export function createResponding(options: RespondingOptions) {
  const objects = createMemoryObjects();
  // What is billed for a model's silence depends on the time: it does not pass unless a test says so.
  const begunAt = Date.now();
  const calls: { server: ToolServer; tool: string; args: unknown }[] = [];
  const listed: ToolServer[] = [];
  const left: ToolServer[] = [];
  const searched: { teamId: string; datasetIds: readonly string[]; query: string; limit: number }[] = [];
  const settled: AnswerUsage[] = [];
  const released: number[] = [];
  const covered: number[] = [];
  const failures: unknown[] = [];
  const unbilled: unknown[] = [];
  const scriptOf = (url: string): ServerScript => {
    const script = options.servers?.[url];
    if (script === undefined) throw new Error(`No server is scripted at ${url}.`);
    return script;
  };
  const ports: RespondPorts = {
    models: {
      choose: async (_teamId, id) => ({
        id,
        model: options.model,
        price: { input_millicredits: 1, output_millicredits: 2 },
        toolPrices: new Map([['web_search', 100]]),
        contextTokens: 8192,
      }),
    },
    stacks: {
      find: async (teamId, slug) =>
        options.stacks?.find((stack) => stack.team_id === teamId && stack.slug === slug) ?? null,
    },
    hostedServers: createHostedServers(
      ToolCatalog.parse((options.hosted ?? []).map((entry) => ({ name: 'Tool', description: '', ...entry }))),
      async (teamId, provider) => options.connection?.(teamId, provider) ?? null,
    ),
    toolServers: {
      async list(server) {
        listed.push(server);
        const { tools } = scriptOf(server.url);
        if (tools instanceof Error) throw tools;
        return { tools, leftOut: null };
      },
      async call(server, tool, args) {
        calls.push({ server, tool, args });
        return (await scriptOf(server.url).call?.(tool, args)) ?? { output: `${tool} done`, failed: false };
      },
      leave: async (server) => void left.push(server),
    },
    datasetSearch: {
      requireSearchable: async () => {},
      async search(teamId, datasetIds, query, limit) {
        searched.push({ teamId, datasetIds, query, limit });
        return options.found?.(query) ?? [];
      },
    },
    usage: {
      admit:
        options.admit ??
        (async (_caller, { microcredits }) => {
          covered.push(microcredits);
          return {
            reserve: async (total) => void covered.push(total),
            settle: async (usage) => void settled.push(usage),
            release: async () => void released.push(1),
          };
        }),
    },
    responses: createResponseRepository(objects),
    approvals: createMemoryStore(Date.now).approvals,
    approvalKey: async () => 'approval key of the tests',
    requirePublicLink: createLinkCheck({
      allowed: [],
      resolve: resolveExample,
    }),
    fetchImage: async (url) => {
      const check = createLinkRules({ allowed: [], resolve: resolveExample });
      await check(url).catch((error: Error) => {
        throw new AskFailure('image_missing', error.message, error);
      });
      return Buffer.from(PNG, 'base64');
    },
    newDigits,
    sleep:
      options.sleep ??
      ((milliseconds, signal) =>
        milliseconds === LINGER_MILLISECONDS ? Promise.resolve() : systemClock.sleep(milliseconds, signal)),
    now: options.now ?? (() => begunAt),
  };
  const caller = makeCaller();

  const bound = (
    input: Omit<Parameters<typeof respond>[1], 'onBegun' | 'onFailure' | 'onUnbilled'> & {
      onBegun?: (id: string) => void;
    },
  ): AsyncGenerator<ResponseEvent, void> =>
    respond(ports, {
      onBegun: () => {},
      ...input,
      onFailure: (error) => failures.push(error),
      onUnbilled: (error) => unbilled.push(error),
    });
  /** Every event of an answer. */
  const stream = (
    body: Readonly<Record<string, unknown>>,
    given: {
      signal?: AbortSignal;
      isCommitted?: () => boolean;
      caller?: typeof caller;
      beforeLong?: () => Promise<void>;
    } = {},
  ): AsyncGenerator<ResponseEvent, void> =>
    bound({
      caller: given.caller ?? caller,
      request: CreateResponseRequest.parse({ model: 'scripted', ...body }),
      signal: given.signal ?? new AbortController().signal,
      ...(given.beforeLong === undefined ? {} : { beforeLong: given.beforeLong }),
      isCommitted: given.isCommitted ?? (() => false),
    });
  const events = async (...args: Parameters<typeof stream>): Promise<ResponseEvent[]> => {
    const all: ResponseEvent[] = [];
    for await (const event of stream(...args)) all.push(structuredClone(event));
    return all;
  };
  const ask = async (...args: Parameters<typeof stream>): Promise<ModelResponse> =>
    foldEvents(stream(...args));
  return {
    respond: bound,
    ports,
    objects,
    caller,
    calls,
    listed,
    left,
    searched,
    settled,
    released,
    covered,
    failures,
    unbilled,
    stream,
    events,
    ask,
  };
}

/** Holds a failed answer against its order: what began has ended, before its last event, which says the same. */
export function expectEnded(told: readonly ResponseEvent[]): void {
  const begun = told.flatMap((event) => (event.type === 'response.output_item.added' ? [event] : []));
  const done = told.flatMap((event) => (event.type === 'response.output_item.done' ? [event] : []));
  const last = told.at(-1);
  expect(last?.type).toBe('response.failed');
  expect(begun.length).toBeGreaterThan(0);
  expect(done.map(({ output_index: index }) => index)).toEqual(
    expect.arrayContaining(begun.map(({ output_index: index }) => index)),
  );
  expect(done).toHaveLength(begun.length);
  const { output } = (last as { response: ModelResponse }).response;
  for (const { output_index: index, item } of done) expect(output[index]).toEqual(item);
  expect(output.map((item) => ('status' in item ? item.status : 'none'))).not.toContain('in_progress');
  expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, n) => n));
}

export const textOf = ({ output }: Pick<ModelResponse, 'output'>): string =>
  output
    .flatMap((item) => (item.type === 'message' ? (item.content as { text?: string }[]) : []))
    .map(({ text }) => text ?? '')
    .join('');
