import { setTimeout as sleep } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { type InvocationResult, invoke } from '#shared/platform/adapters/call-function.ts';
import type { TraceHeaders } from '#shared/platform/trace-context.ts';
import { type ToolServer, ToolServerError, type ToolServers } from '../decide/tool-servers.ts';
import type { ListedTool } from '../schema/listed-tool.ts';
import {
  ToolServerReply,
  type ToolServerRequest,
  type ToolServerSession,
} from '../schema/tool-server-call.ts';

const ATTEMPTS_MAX = 4;
const WAIT_BASE_MILLISECONDS = 200;
const LEAVE_MILLISECONDS = 2_000;
/** Sessions of a server that are ended; a server may begin another with each call. */
const SESSIONS_KEPT = 8;

interface KnownServer {
  /** The session of the next call. */
  readonly session: ToolServerSession;
  readonly tools: readonly ListedTool[];
  /** The server's sessions, by id: concurrent calls may have started several. */
  readonly kept: ReadonlyMap<string, ToolServerSession>;
}

/**
 * Tool servers that are called through a separate Lambda function, one invocation per step. Session state belongs to
 * the object that identifies the server: steps with the same object share one session, others never do.
 */
export function createToolServers(
  functionName: string,
  {
    // A retried invocation could call a tool twice.
    client = new LambdaClient({ maxAttempts: 1 }),
    wait = waitFor,
    trace = () => undefined,
  }: {
    readonly client?: LambdaClient;
    readonly wait?: typeof waitFor;
    /** The trace to propagate. */
    readonly trace?: () => TraceHeaders | undefined;
  } = {},
): ToolServers {
  const known = new WeakMap<ToolServer, KnownServer>();
  const learn = (server: ToolServer, session: ToolServerSession, tools: KnownServer['tools']): void => {
    const kept = new Map(known.get(server)?.kept);
    if (session.era === 'legacy' && session.id !== null && kept.size < SESSIONS_KEPT)
      kept.set(session.id, session);
    known.set(server, { session, tools, kept });
  };

  const invokeFor = async (request: ToolServerRequest, signal: AbortSignal): Promise<InvocationResult> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await invoke(client, functionName, request, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (tried === ATTEMPTS_MAX || !mayBeRepeated(request, error)) {
          throw new ToolServerError('http_error', 'The tool server could not be asked.', null, {
            cause: error,
          });
        }
        await wait(Math.random() * WAIT_BASE_MILLISECONDS * 2 ** tried, signal);
      }
    }
  };

  const ask = async (asked: ToolServerRequest, signal: AbortSignal): Promise<ToolServerReply> => {
    const { text, functionError } = await invokeFor({ ...asked, trace: trace() }, signal);
    if (functionError !== undefined) {
      throw new ToolServerError('timeout', 'The call of the tool server was interrupted.');
    }
    const answer = ToolServerReply.parse(JSON.parse(text));
    if ('error' in answer) {
      const { kind, message, code } = answer.error;
      throw new ToolServerError(kind, message, code);
    }
    return answer;
  };

  return {
    async list(server, signal) {
      const answer = await ask({ action: 'list', server }, signal);
      if (!('listed' in answer)) throw new Error(`${functionName} answered another request.`);
      const { session, tools, left_out: leftOut } = answer.listed;
      learn(server, session, tools);
      return { tools, leftOut };
    },

    async call(server, tool, args, signal) {
      const { session, tools } = known.get(server) ?? { session: null, tools: [] };
      const inputSchema = tools.find(({ name }) => name === tool)?.input_schema ?? null;
      const answer = await ask(
        { action: 'call', server, tool, input_schema: inputSchema, args, session },
        signal,
      );
      if (!('called' in answer)) throw new Error(`${functionName} answered another request.`);
      const { output, failed } = answer.called;
      learn(server, answer.called.session, tools);
      return { output, failed };
    },

    async leave(server) {
      const sessions = [...(known.get(server)?.kept.values() ?? [])];
      known.delete(server);
      const signal = AbortSignal.timeout(LEAVE_MILLISECONDS);
      // One after another: each occupies a function until its server responds.
      for (const session of sessions) {
        if (signal.aborted) return;
        const request: ToolServerRequest = { action: 'leave', server, session, trace: trace() };
        await invoke(client, functionName, request, signal).catch(() => {});
      }
    },
  };
}

/** A throttled invocation has not run. Any other may have; repeating a listing is harmless. */
function mayBeRepeated({ action }: ToolServerRequest, error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'TooManyRequestsException') return true;
  // Without a status the connection failed.
  return action === 'list' && ($metadata?.httpStatusCode ?? 500) >= 500;
}

/** @throws the signal's reason */
async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
