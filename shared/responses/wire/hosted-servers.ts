import { need } from '#shared/platform/runtime/need.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { createHostedServers } from '../decide/tool-catalog.ts';
import type { HostedServers } from '../decide/tool-servers.ts';
import { toolCatalog } from './tool-catalog.ts';

/** The tool servers of the operator, with their stored credentials. */
export const hostedServers = /* @__PURE__ */ need<HostedServers>(
  { toolCatalog: true, connections: true },
  (use) => createHostedServers(use(toolCatalog), use(theConnections)),
);
