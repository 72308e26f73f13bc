import { createConnectionReader } from '#shared/platform/adapters/connection-reader.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createHostedServers } from '../decide/tool-catalog.ts';
import type { HostedServers } from '../decide/tool-servers.ts';
import { toolCatalog } from './tool-catalog.ts';

/** The tool servers of the operator, with their stored credentials. */
export const hostedServers = /* @__PURE__ */ need<HostedServers>(
  { toolCatalog: true, connections: true },
  () => createHostedServers(toolCatalog.get(), createConnectionReader(env.connectionsPrefix())),
);
