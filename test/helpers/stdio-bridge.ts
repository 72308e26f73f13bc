import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/**
 * A process that offers a tool server of standard input and output over HTTP: its arguments are the port and the server's
 * command. Each message that has an id is answered by the line that bears it.
 */
const [port, command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<unknown, (line: string) => void>();

createInterface({ input: server.stdout }).on('line', (line) => {
  const { id } = JSON.parse(line) as { id?: unknown };
  waiting.get(id)?.(line);
  waiting.delete(id);
});
server.on('exit', (code) => process.exit(code ?? 1));

createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const body = await text(request);
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
  server.stdin.write(`${body}\n`);
  if (id === undefined || method === undefined) return void response.writeHead(202).end();
  const line = await new Promise<string>((resolve) => waiting.set(id, resolve));
  response.writeHead(200, { 'content-type': 'application/json' }).end(line);
}).listen(Number(port), '127.0.0.1');
