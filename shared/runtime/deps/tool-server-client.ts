import { createToolServerClient, type ToolServerClient } from '../../adapters/mcp/tool-server-client.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { outgoingTrace } from '../trace.ts';

/** Speaks to tool servers by itself: only for the function that holds nothing else. */
export const toolServerClient = need<ToolServerClient>({ egress: true }, () => {
  const runtime = env.lambdaRuntime();
  return createToolServerClient({
    guard: { allowed: env.egressAllow(), denied: runtime === null ? [] : [runtime] },
    trace: outgoingTrace,
  });
});
