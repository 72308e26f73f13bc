import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestCloud } from './cloud-setup.ts';

/** A server at an inside address that nothing of the service may reach. */
export interface Trap {
  readonly port: number;
  /** Requests that reached it, which are none. */
  readonly reached: string[];
  close(): Promise<void>;
}

export async function startTrap(): Promise<Trap> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'text/csv' }).end('secret\ninside\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const logOf = ({ stateDirectory }: TestCloud): string => join(stateDirectory, 'logs', 'emulator.log');

/** Remembers where the log of the cloud ends; what it answers reads what was written since. */
export async function watchLog(cloud: TestCloud): Promise<() => Promise<string>> {
  const { size: from } = await stat(logOf(cloud));
  return async () => {
    const file = await open(logOf(cloud));
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString('utf8');
    } finally {
      await file.close();
    }
  };
}

/** Sends so many requests, so many at once, as a program that means harm does. */
export async function storm<T>(count: number, atOnce: number, send: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let n = next++; n < count; n = next++) answers[n] = await send(n);
    }),
  );
  return answers;
}
