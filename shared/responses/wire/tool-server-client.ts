import { need, resource } from '#shared/platform/runtime/need.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { createToolServerClient, type ToolServerClient } from '../adapters/mcp/tool-server-client.ts';

/** A direct connection to tool servers: only for the function without other access. */
export const theToolServerClient = /* @__PURE__ */ resource<ToolServerClient>(
  'calls of tool servers',
  ({ env }) => {
    return createToolServerClient({
      guard: env.egressGuard(),
      trace: outgoingTrace,
    });
  },
);

export const toolServerClient = /* @__PURE__ */ need({ egress: true }, (use) => use(theToolServerClient));
