import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '#shared/platform/access/caller.ts';
import { mcpFetch } from './mcp.ts';
import type { World } from './world.ts';

/** The MCP server in memory on a port of this machine, which lets everyone in as `caller`. */
export async function startMcpServer(
  world: World,
  caller: Caller,
): Promise<{ readonly url: string } & Disposable> {
  const send = mcpFetch(world, caller);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = 'GET', headers } = request;
    const answer = await send(`http://service.test${request.url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' && name !== 'host' ? [[name, value] as [string, string]] : [],
      ),
      ...(method === 'POST' ? { body: Buffer.concat(parts) } : {}),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.dispose]: () => void server.close(),
  };
}
