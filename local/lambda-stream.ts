import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadStreamingFunction, readText } from './streaming-runtime.ts';

/**
 * Runs a function under a streaming runtime like Lambda's, in a separate process: what it writes to the response stream
 * is sent over HTTP at once. Run it as a program with the path of the function's module; it prints its address as a
 * line of JSON, and ends with its stdin. AUTHORIZER_CONTEXT is the context of the authorizer.
 */
const invoke = await loadStreamingFunction(process.argv[2] ?? '');
const authorizer = JSON.parse(process.env.AUTHORIZER_CONTEXT ?? '{}') as Record<string, string>;

const server = createServer(async (request, response) => {
  const body = await readText(request);
  invoke(request, response, { path: request.url ?? '/', body, authorizer });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
