import { createToolServers } from '../../adapters/lambda/tool-servers.ts';
import type { ToolServers } from '../../domain/responses/tool-servers.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { outgoingTrace } from '../trace.ts';

/** Remote tool servers, through the function that alone speaks to them. */
export const toolServers = need<ToolServers>({ invokes: ['tasks/tools/call-tool-server'] }, () =>
  createToolServers(env.functionName('tasks/tools/call-tool-server'), { trace: outgoingTrace }),
);
