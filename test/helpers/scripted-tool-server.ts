import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listening } from './listening.ts';

export interface ToolServerRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON-RPC method of its body. */
  readonly rpc: string | undefined;
  readonly body: string;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** What the server does in place of a method's ordinary answer. */
type Behaviour = (response: ServerResponse, message: Message, headers: IncomingHttpHeaders) => void;

export interface ScriptedToolServer {
  readonly url: string;
  /** As `host:port`. */
  readonly target: string;
  readonly requests: ToolServerRequestSeen[];
  /** JSON-RPC methods of its requests, in their order. */
  methods(): (string | undefined)[];
  tools: unknown[];
  /** By JSON-RPC method, the empty one for requests that have none, or `*` for every request. */
  readonly behaviours: Map<string, Behaviour>;
  close(): Promise<void>;
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export const answerResult = (response: ServerResponse, { id }: Message, result: unknown): void =>
  answerJson(response, { jsonrpc: '2.0', id, result });

/** Greets as a server that keeps a session. */
export const greetInSession =
  (id: string): Behaviour =>
  (response, message) => {
    response.setHeader('mcp-session-id', id);
    answerResult(response, message, GREETING);
  };

const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1' },
};

const ECHO = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
};

/**
 * A tool server of an old revision that does what tests have it do, and remembers what it was asked; on any free port
 * where none is named.
 */
export async function startScriptedToolServer(wanted = 0): Promise<ScriptedToolServer> {
  const requests: ToolServerRequestSeen[] = [];
  const behaviours = new Map<string, Behaviour>();
  const ordinary: Record<string, Behaviour> = {
    initialize: (response, message) => answerResult(response, message, GREETING),
    'notifications/initialized': (response) => void response.writeHead(202).end(),
    'tools/list': (response, message) => answerResult(response, message, { tools: scripted.tools }),
    'tools/call': (response, message) =>
      answerResult(response, message, {
        content: [{ type: 'text', text: JSON.stringify(message.params?.arguments) }],
      }),
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message: Message = body === '' ? {} : JSON.parse(body);
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rpc: message.method,
      body,
    });
    const behave =
      behaviours.get(message.method ?? '') ?? behaviours.get('*') ?? ordinary[message.method ?? ''];
    if (behave !== undefined) return behave(response, message, request.headers);
    return answerJson(
      response,
      { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'No such method' } },
      400,
    );
  });
  await listening(server, wanted);
  const { port } = server.address() as AddressInfo;
  const scripted: ScriptedToolServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    target: `127.0.0.1:${port}`,
    requests,
    methods: () => requests.map(({ rpc }) => rpc),
    tools: [ECHO],
    behaviours,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return scripted;
}
