import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { createToolServerClient, type ToolServerClient } from '../adapters/mcp/tool-server-client.ts';

/** Connects to tool servers directly: only for the function without other access. */
export const toolServerClient = /* @__PURE__ */ need<ToolServerClient>({ egress: true }, () => {
  const runtime = env.lambdaRuntime();
  return createToolServerClient({
    guard: { allowed: env.egressAllow(), denied: runtime === null ? [] : [runtime] },
    trace: outgoingTrace,
  });
});
