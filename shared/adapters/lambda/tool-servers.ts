import { setTimeout as sleep } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import {
  type ServerTool,
  type ToolServer,
  ToolServerError,
  type ToolServers,
} from '#shared/domain/responses/tool-servers.ts';
import type { TraceHeaders } from '#shared/domain/trace-context.ts';
import {
  ToolServerAnswer,
  type ToolServerRequest,
  type ToolServerSession,
} from '#shared/schema/tool-server-call.ts';
import { type Invoked, invoke } from './call-function.ts';

const ATTEMPTS_MAX = 4;
const WAIT_BASE_MILLISECONDS = 200;

interface Known {
  readonly session: ToolServerSession;
  readonly tools: readonly ServerTool[];
}

/**
 * Tool servers, spoken to by a function of its own that is invoked for each step. What is known of a server belongs to
 * the object that names it: steps with the same object share one session, and nobody else's do.
 */
export function createToolServers(
  functionName: string,
  {
    // A repeated invocation could call a tool twice.
    client = new LambdaClient({ maxAttempts: 1 }),
    wait = waitFor,
    trace = () => undefined,
  }: {
    readonly client?: LambdaClient;
    readonly wait?: typeof waitFor;
    /** The trace that steps go on with. */
    readonly trace?: () => TraceHeaders | undefined;
  } = {},
): ToolServers {
  const known = new WeakMap<ToolServer, Known>();

  const invokeFor = async (request: ToolServerRequest, signal: AbortSignal): Promise<Invoked> => {
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

  const ask = async (asked: ToolServerRequest, signal: AbortSignal): Promise<ToolServerAnswer> => {
    const { text, functionError } = await invokeFor({ ...asked, trace: trace() }, signal);
    if (functionError !== undefined) {
      throw new ToolServerError('timeout', 'The conversation with the tool server was broken off.');
    }
    const answer = ToolServerAnswer.parse(JSON.parse(text));
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
      known.set(server, answer.listed);
      return answer.listed.tools;
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
      known.set(server, { session: answer.called.session, tools });
      return { output, failed };
    },
  };
}

/** An invocation that was turned away has not run. Any other may have; a list that is made twice does no harm. */
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
