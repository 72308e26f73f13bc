import { createConnectionReader } from '../../adapters/secrets/connection-reader.ts';
import { createHostedServers } from '../../domain/responses/tool-catalog.ts';
import type { HostedServers } from '../../domain/responses/tool-servers.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { toolCatalog } from './tool-catalog.ts';

/** The tool servers of the operator, with their stored credentials. */
export const hostedServers = need<HostedServers>({ toolCatalog: true, connections: true }, () =>
  createHostedServers(toolCatalog.get(), createConnectionReader(env.connectionsPrefix())),
);
