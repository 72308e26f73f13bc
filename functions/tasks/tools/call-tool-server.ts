import { runTask } from '#shared/platform/runtime/task.ts';
import { callToolServer as contract } from '#shared/responses/background.ts';
import { ToolServerError } from '#shared/responses/decide/tool-servers.ts';
import { toolServerClient } from '#shared/responses/wire-responder.ts';

/** Time reserved to respond if a server uses all of its time. */
const MARGIN_MS = 3_000;

// The client library prints names that servers choose, and a server may choose the credential that it received. The log
// of this function never writes to the console itself.
Object.assign(globalThis.console, { debug: () => {}, log: () => {}, warn: () => {} });

export const handler = runTask(contract, { toolServerClient }, async (input, { toolServerClient }, tools) => {
  const signal = AbortSignal.timeout(Math.max(1, tools.deadline - tools.now - MARGIN_MS));
  try {
    if (input.action === 'list') return { listed: await toolServerClient.list(input.server, signal) };
    if (input.action === 'leave') {
      await toolServerClient.leave(input.server, input.session);
      return { left: true as const };
    }
    const { server, tool, args, session, input_schema: inputSchema } = input;
    return { called: await toolServerClient.call(server, { tool, inputSchema, args, session }, signal) };
  } catch (error) {
    const { kind, message, code } = asFailure(error, signal);
    return { error: { kind, message, code } };
  }
});

function asFailure(error: unknown, signal: AbortSignal): ToolServerError {
  if (error instanceof ToolServerError) return error;
  if (signal.aborted) return new ToolServerError('timeout', 'The tool server did not answer in time.');
  throw error;
}
