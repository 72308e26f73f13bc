import { need, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ToolServers } from '../decide/tool-servers.ts';

const CALLER = 'tasks/tools/call-tool-server';

/** Remote tool servers, called through their own function. The Lambda client is loaded on first use. */
export const theToolServers = /* @__PURE__ */ resource<ToolServers>('tool servers', ({ env }) => {
  const loaded = once(async () => {
    const { createToolServers } = await import('../adapters/tool-servers.ts');
    return createToolServers(env.functionName(CALLER), { trace: outgoingTrace });
  });
  return {
    list: async (...asked) => (await loaded()).list(...asked),
    call: async (...asked) => (await loaded()).call(...asked),
    leave: async (server) => (await loaded()).leave(server),
  };
});

export const toolServers = /* @__PURE__ */ need({ invokes: [CALLER] }, (use) => use(theToolServers));
