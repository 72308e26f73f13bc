import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ToolServers } from '../decide/tool-servers.ts';

/** Remote tool servers, called through their own function. The Lambda client is loaded on first use. */
export const toolServers = /* @__PURE__ */ need<ToolServers>(
  { invokes: ['tasks/tools/call-tool-server'] },
  () => {
    const loaded = once(async () => {
      const { createToolServers } = await import('../adapters/tool-servers.ts');
      return createToolServers(env.functionName('tasks/tools/call-tool-server'), { trace: outgoingTrace });
    });
    return {
      list: async (...asked) => (await loaded()).list(...asked),
      call: async (...asked) => (await loaded()).call(...asked),
      leave: async (server) => (await loaded()).leave(server),
    };
  },
);
