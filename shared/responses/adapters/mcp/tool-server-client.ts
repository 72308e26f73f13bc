import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  type ConnectOptions,
  type DiscoverResult,
  type FetchLike,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {
  createGuardedAgent,
  type GuardedAgent,
  type GuardOptions,
} from '#shared/platform/adapters/egress/guarded-agent.ts';
import { RELEASE } from '#shared/platform/schema/release.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { findSchemaProblem } from '../../decide/tool-schema.ts';
import { type ToolServer, ToolServerError } from '../../decide/tool-servers.ts';
import { type ListedTool, TOOLS_MAX } from '../../schema/listed-tool.ts';
import type { CalledTool, ListedTools, ToolServerSession } from '../../schema/tool-server-call.ts';
import { readOutcome } from './read-outcome.ts';
import { redactCredential } from './redact-credential.ts';
import { createServerFetch, type ServerFetch, type ServerFetchLimits } from './server-fetch.ts';

export interface ToolServerClientOptions {
  readonly guard: Pick<GuardOptions, 'allowed' | 'denied' | 'resolve'>;
  readonly listTimeoutMs?: number;
  readonly callTimeoutMs?: number;
  readonly answerBytesMax?: number;
  readonly bytesMax?: number;
  /** The trace to propagate to servers. */
  readonly trace?: () => TraceHeaders | undefined;
}

export interface ToolServerClient {
  /** Every tool, in a new session. @throws {ToolServerError} */
  list(server: ToolServer, signal: AbortSignal): Promise<ListedTools>;
  /**
   * Calls once; a call that may have reached the server is not retried. `session` continues a session with the same
   * server, `inputSchema` is the tool's own if it was listed.
   * @throws {ToolServerError}
   */
  call(
    server: ToolServer,
    call: {
      readonly tool: string;
      readonly inputSchema: Readonly<Record<string, unknown>> | null;
      readonly args: Readonly<Record<string, unknown>>;
      readonly session: ToolServerSession | null;
    },
    signal: AbortSignal,
  ): Promise<CalledTool>;
  /** Asks the server to end a session, and waits at most a second; its response is ignored. */
  leave(server: ToolServer, session: ToolServerSession): Promise<void>;
}

/** Tools left out of a listing that it names. */
const LEFT_OUT_NAMED = 5;
const PAGES_MAX = 16;
const LISTING_BYTES_MAX = 1024 * 1024;
const SCHEMA_BYTES_MAX = 64 * 1024;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const LEAVE_TIMEOUT_MS = 1_000;
/** A server with an older protocol revision, before initialization. */
const LEGACY: ToolServerSession = { era: 'legacy', id: null, version: null };
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Characters allowed in a header: no control characters but the tab. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/**
 * A client of the Model Context Protocol over Streamable HTTP, for old and new revisions, through the egress client.
 */
export function createToolServerClient(options: ToolServerClientOptions): ToolServerClient {
  const {
    listTimeoutMs = 20_000,
    callTimeoutMs = 120_000,
    answerBytesMax = 4 * 1024 * 1024,
    bytesMax = 8 * 1024 * 1024,
    trace = () => undefined,
  } = options;
  /** Protocol metadata with the trace (SEP-414), in addition to the HTTP headers. */
  const meta = (): { _meta?: Record<string, unknown> } => {
    const headers = trace();
    return headers === undefined ? {} : { _meta: { ...headers } };
  };
  const guarded = createGuardedAgent({
    ...options.guard,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: callTimeoutMs,
  });

  const limits = { answerBytesMax, bytesMax };
  const converse = createConversations(guarded, limits, trace);

  return {
    list: (server, signal) =>
      converse(server, null, listTimeoutMs, signal, async (client, session) => {
        const { tools } = await client.listTools(meta(), { timeout: listTimeoutMs });
        const listed = readTools(tools, client.leftOut);
        return { ...redactCredential(server.authorization, listed), session: session() };
      }),

    async call(server, { tool, inputSchema, args, session }, signal) {
      const ask = (from: ToolServerSession | null) =>
        converse(server, from, callTimeoutMs, signal, async (client, session) => {
          const result = await client.callTool(
            { name: tool, arguments: args, ...meta() },
            {
              timeout: callTimeoutMs,
              ...(inputSchema === null
                ? {}
                : { toolDefinition: { name: tool, inputSchema: inputSchema as Tool['inputSchema'] } }),
            },
          );
          const { output, failed } = redactCredential(server.authorization, readOutcome(result));
          if (Buffer.byteLength(output) > OUTPUT_BYTES_MAX) {
            throw new ToolServerError('too_large', `The tool answered more than ${OUTPUT_BYTES_MAX} bytes.`);
          }
          return { output, failed, session: session() };
        });
      try {
        return await ask(session);
      } catch (error) {
        // The server has lost the session, so it has not run the tool.
        const forgotten =
          error instanceof ToolServerError && error.kind === 'http_error' && error.code === 404;
        if (!forgotten || session === null) throw error;
        return await ask(null);
      }
    },

    async leave(server, session) {
      const { fetch } = createServerFetch(guarded, server.authorization, { ...limits, trace: trace() });
      const transport = createTransport(requireAddress(server), fetch, session);
      await transport.start();
      await endSession(transport);
      await transport.close();
    },
  };
}

/** Returns what connects, works and disconnects within a time limit, and converts all failures to one kind of error. */
function createConversations(
  guarded: GuardedAgent,
  limits: ServerFetchLimits,
  trace: NonNullable<ToolServerClientOptions['trace']>,
) {
  return async <T>(
    server: ToolServer,
    session: ToolServerSession | null,
    timeoutMs: number,
    signal: AbortSignal,
    work: (client: LenientClient, session: () => ToolServerSession) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    const url = requireAddress(server);
    const { fetch, failure, refusal, streamsEvents } = createServerFetch(guarded, server.authorization, {
      ...limits,
      trace: trace(),
    });
    let giveUp: (reason: unknown) => void = () => {};
    const broken = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    broken.catch(() => {});
    const onAbort = (): void => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const limit = setTimeout(
      () => giveUp(new ToolServerError('timeout', `The tool server took longer than ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    const met: { client: LenientClient; transport: StreamableHTTPClientTransport }[] = [];
    let isDone = false;
    const connect = async (from: ToolServerSession | null) => {
      const transport = createTransport(url, fetch, from);
      const client = createClient();
      met.push({ client, transport });
      // Without this, an invalid response leaves its request open.
      client.onerror = (error) => giveUp(error);
      await client.connect(transport, { timeout: timeoutMs, ...priorOf(from) });
      return { client, transport };
    };
    const run = async (): Promise<T> => {
      const { client, transport } = await connect(session).catch((error: unknown) => {
        // Servers with older revisions may fail at the discovery request.
        if (session !== null || (refusal()?.status ?? 0) < 500) throw error;
        return connect(LEGACY);
      });
      return await work(client, () => sessionOf(client, transport, session));
    };
    try {
      const result = await Promise.race([run(), broken]);
      isDone = true;
      return result;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const known = failure();
      if (known !== null) throw known;
      if (REFUSES_POST.has(refusal()?.status ?? 0) && (await streamsEvents(url))) throw eventsOnly();
      throw asToolServerError(error, refusal());
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(limit);
      for (const { client, transport } of met) {
        client.onerror = () => {};
        // No later step will end a session that was started here.
        if (!isDone && session === null) await endSession(transport);
        await client.close();
      }
    }
  };
}

/** Servers need not support ending sessions, and expire idle ones. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const ended = transport.terminateSession().catch(() => {});
  await Promise.race([ended, sleep(LEAVE_TIMEOUT_MS, undefined, { ref: false })]);
}

function createTransport(
  url: URL,
  fetch: FetchLike,
  session: ToolServerSession | null,
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(url, {
    fetch,
    redirectPolicy: 'follow',
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
    ...(session?.era === 'legacy' && session.id !== null
      ? { sessionId: session.id, ...(session.version === null ? {} : { protocolVersion: session.version }) }
      : {}),
  });
}

/** How servers with nothing but the transport of 2024-11-05 (HTTP with SSE) answer the POST of a later client. */
const REFUSES_POST: ReadonlySet<number> = new Set([400, 404, 405]);

const eventsOnly = (): ToolServerError =>
  new ToolServerError(
    'protocol_error',
    'The tool server speaks only the older HTTP+SSE transport (2024-11-05), which is not supported. Name its address for Streamable HTTP, often one that ends in /mcp.',
  );

/** A page of tools as servers send it: nulls stand for what is absent. */
const ToolPage = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor ?? undefined),
});

/** A tool that a model can be offered, whatever else its server says of it. */
const OfferedTool = z.looseObject({
  name: z.string(),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? undefined),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z
    .looseObject({})
    .nullish()
    .transform((hints) => hints ?? undefined),
});

/** A client that leaves a tool out of a listing which the protocol does not allow, instead of failing with all of them. */
class LenientClient extends Client {
  /** Why tools were left out, in their order. */
  readonly leftOut: string[] = [];
  #seen = 0;

  // The library's own listing sends its pages through here, and keeps the rest: limits of pages and rules of headers.
  override request = ((request: { readonly method: string }, ...rest: unknown[]) => {
    const send = super.request.bind(this) as (...args: unknown[]) => Promise<unknown>;
    if (request.method !== 'tools/list') return send(request, ...rest);
    return send(
      request,
      ToolPage.transform((page) => ({ ...page, tools: this.#offered(page.tools) })),
      ...rest,
    );
  }) as unknown as Client['request'];

  #offered(tools: readonly unknown[]): unknown[] {
    // Looked at before any of them is parsed: a list of millions would block the function.
    if (this.#seen + tools.length > TOOLS_MAX) throw tooManyTools();
    return tools.flatMap((tool) => {
      this.#seen += 1;
      const offered = OfferedTool.safeParse(tool);
      if (offered.success) return [{ ...offered.data, place: this.#seen }];
      const [{ path: [field = 'definition'] = [] } = {}] = offered.error.issues;
      this.leftOut.push(`tool ${this.#seen} has no valid ${String(field)}`);
      return [];
    });
  }
}

function createClient(): LenientClient {
  return new LenientClient(
    { name: 'tunesmith', version: RELEASE },
    {
      versionNegotiation: { mode: 'auto' },
      listMaxPages: PAGES_MAX,
      // Regular expressions of an untrusted schema are not run.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
}

/** Known protocol state of a server. */
function priorOf(session: ToolServerSession | null): Pick<ConnectOptions, 'prior'> {
  if (session === null) return {};
  return session.era === 'modern'
    ? { prior: { kind: 'modern', discover: session.discover as unknown as DiscoverResult } }
    : { prior: { kind: 'legacy' } };
}

function requireAddress({ url, authorization }: ToolServer): URL {
  if (!URL.canParse(url))
    throw new ToolServerError('refused', 'The address of the tool server is not a URL.');
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ToolServerError(
      'refused',
      'The address holds a credential: send it as `authorization` instead.',
    );
  }
  if (authorization !== null && !HEADER_VALUE.test(authorization)) {
    throw new ToolServerError('refused', 'The value of `authorization` cannot be sent in a header.');
  }
  return parsed;
}

function sessionOf(
  client: Client,
  transport: StreamableHTTPClientTransport,
  from: ToolServerSession | null,
): ToolServerSession {
  const discover = client.getProtocolEra() === 'modern' ? client.getDiscoverResult() : undefined;
  if (discover !== undefined) return { era: 'modern', discover };
  return {
    era: 'legacy',
    id: transport.sessionId ?? null,
    version: client.getNegotiatedProtocolVersion() ?? (from?.era === 'legacy' ? from.version : null),
  };
}

/**
 * The tools of a listing that models accept, and what it says of those that are left out.
 * @param leftOut what was left out before
 * @throws {ToolServerError} if they take too many bytes
 */
function readTools(
  tools: readonly (Tool & { readonly place?: unknown })[],
  leftOut: readonly string[],
): Pick<ListedTools, 'tools' | 'left_out'> {
  if (Buffer.byteLength(JSON.stringify(tools)) > LISTING_BYTES_MAX) {
    throw new ToolServerError(
      'too_large',
      `The tools take more than ${LISTING_BYTES_MAX} bytes to describe.`,
    );
  }
  const names = new Set<string>();
  const problems = [...leftOut];
  const read = tools.flatMap(({ name, description, inputSchema, annotations, place }): ListedTool[] => {
    const problem = findToolProblem(name, names, inputSchema);
    if (problem !== null) {
      problems.push(`tool ${Number(place)} ${problem}`);
      return [];
    }
    names.add(name);
    return [
      {
        name,
        description: description ?? null,
        input_schema: inputSchema,
        annotations: annotations ?? null,
      },
    ];
  });
  return { tools: read, left_out: problems.length === 0 ? null : tellLeftOut(problems) };
}

const tooManyTools = (): ToolServerError =>
  new ToolServerError('too_large', `The tool server offers more than ${TOOLS_MAX} tools.`);

function tellLeftOut(problems: readonly string[]): string {
  const named = problems.slice(0, LEFT_OUT_NAMED).join('; ');
  const more = problems.length > LEFT_OUT_NAMED ? `; and ${problems.length - LEFT_OUT_NAMED} more` : '';
  return `The tool server has tools that were left out: ${named}${more}.`;
}

function findToolProblem(name: string, taken: ReadonlySet<string>, inputSchema: unknown): string | null {
  if (!TOOL_NAME.test(name)) return 'has an invalid name: use 1 to 64 of A-Z a-z 0-9 _ . -';
  if (taken.has(name)) return 'has the same name as another tool';
  if (Buffer.byteLength(JSON.stringify(inputSchema)) > SCHEMA_BYTES_MAX) {
    return `has a schema of more than ${SCHEMA_BYTES_MAX} bytes`;
  }
  const problem = findSchemaProblem(inputSchema);
  return problem === null ? null : `has a schema that ${problem}`;
}

/** A library error without its message, which quotes the server. */
function asToolServerError(error: unknown, refusal: ReturnType<ServerFetch['refusal']>): ToolServerError {
  if (error instanceof ToolServerError) return error;
  if (error instanceof ProtocolError) {
    return new ToolServerError(
      'protocol_error',
      `The tool server answered with the error ${error.code}.`,
      error.code,
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new ToolServerError('timeout', 'The tool server did not answer in time.');
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported) {
    return new ToolServerError(
      'protocol_error',
      'The tool requests input from its caller (elicitation or sampling), which is not supported.',
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded) {
    return new ToolServerError(
      'too_large',
      `The tool server lists its tools on more than ${PAGES_MAX} pages.`,
    );
  }
  if (refusal !== null) {
    const { status } = refusal;
    return new ToolServerError(
      'http_error',
      `The tool server answered ${status}${adviceFor(refusal)}.`,
      status,
    );
  }
  return new ToolServerError('protocol_error', 'The answer of the tool server violates the protocol.');
}

function adviceFor({ status, redirected }: NonNullable<ReturnType<ServerFetch['refusal']>>): string {
  if (status !== 401 && status !== 403) return '';
  return redirected
    ? ': it redirects, and a credential goes to no address but the one that is named'
    : ': it wants another `authorization`, or one at all';
}
