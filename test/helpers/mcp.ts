import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { handler } from '#functions/api/mcp/call.ts';
import { endpointEvent } from '#shared/mcp/adapters/call-endpoint.ts';
import { callMcp } from '#shared/mcp/contracts.ts';
import { readEndpointReply } from '#shared/mcp/decide/endpoint-request.ts';
import type { CallEndpoint } from '#shared/mcp/decide/ports.ts';
import { theEndpoints, theUploads } from '#shared/mcp/wire.ts';
import { type Caller, callerToContext } from '#shared/platform/access/caller.ts';
import { context, eventOf } from './call.ts';
import { loadHandler } from './handlers.ts';
import { type StandIn, standIn } from './memory-resources.ts';
import type { World } from './world.ts';

/** The endpoints of the API in this process, for the MCP server. `called` gets the ids of the functions. */
export function endpointsOf(world: () => World, called: string[] = []): StandIn {
  const call: CallEndpoint = async ({ function_id, method }, caller, request) => {
    called.push(function_id);
    const id = function_id.replace(/^api\//, '').replaceAll('/', '.');
    const endpoint = (await loadHandler({ id })).with({}, world().use);
    const event = endpointEvent(method, request, callerToContext(caller), undefined);
    return readEndpointReply(JSON.stringify(await endpoint(event as never, context())));
  };
  return standIn(theEndpoints, call);
}

/** Uploads that arrive in the bucket of a world, by the addresses that it presigns. */
export const uploadsOf = (world: () => World): StandIn =>
  standIn(theUploads, async (url, text) => {
    await world().objects.write(decodeURIComponent(new URL(url).pathname.slice(1)), text, 'text/csv');
    return 200;
  });

/** Sends a request to the server in memory, as API Gateway would. */
export const mcpFetch =
  (world: World, caller: Caller): typeof fetch =>
  async (address, init) => {
    const request = new Request(address, init);
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const event = eventOf(callMcp, {
      as: caller,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    const { statusCode, headers, body } = await handler.with({}, world.use)(event, context());
    return new Response(statusCode === 202 ? null : body, {
      status: statusCode,
      headers: headers as Record<string, string>,
    });
  };

/** The official client, connected to the server in memory. */
export async function connectMcp(world: World, caller: Caller): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('https://service.test/mcp'), {
    fetch: mcpFetch(world, caller),
  });
  await client.connect(transport);
  return client;
}
