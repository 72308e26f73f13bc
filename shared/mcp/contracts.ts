import { endpoint } from '#shared/platform/contracts/endpoint.ts';
import { McpMessage, McpReply } from './schema/message.ts';

export const callMcp = endpoint({
  id: 'mcp.call',
  method: 'POST',
  path: '/mcp',
  summary: 'Call the MCP server of the service',
  description:
    'The Model Context Protocol over Streamable HTTP, without sessions: one JSON-RPC message for each request. ' +
    'Its tools are endpoints of this API; each needs the scope of its endpoint. A notification is answered with 202 and no ' +
    'body. Failures of a tool are its result (`isError`); failures of the protocol are JSON-RPC errors.',
  data: 'What the called tool changes.',
  credits:
    'What the called tool costs. Tools that cost take `max_credits`, and start nothing that could cost more.',
  tag: 'Service',
  scope: 'any',
  streams: 'protocol',
  readsHeaders: [
    'accept',
    'content-type',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
  ],
  body: McpMessage,
  status: 200,
  response: McpReply,
  errors: [],
});
