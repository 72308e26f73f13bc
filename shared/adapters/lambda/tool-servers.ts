import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  type ServerTool,
  type ToolServer,
  ToolServerError,
  type ToolServers,
} from '#shared/domain/responses/tool-servers.ts';
import {
  ToolServerAnswer,
  type ToolServerRequest,
  type ToolServerSession,
} from '#shared/schema/tool-server-call.ts';

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
  // A repeated invocation could call a tool twice.
  client = new LambdaClient({ maxAttempts: 1 }),
): ToolServers {
  const known = new WeakMap<ToolServer, Known>();

  const ask = async (request: ToolServerRequest, signal: AbortSignal): Promise<ToolServerAnswer> => {
    signal.throwIfAborted();
    const { FunctionError, Payload } = await client
      .send(
        new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(request)) }),
        { abortSignal: signal },
      )
      .catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
    if (FunctionError !== undefined) {
      throw new ToolServerError('timeout', 'The conversation with the tool server was broken off.');
    }
    const answer = ToolServerAnswer.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
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
