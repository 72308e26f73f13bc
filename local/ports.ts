import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Every local service binds to this address only. */
export const loopback = '127.0.0.1';

/** Whether the port is free, on the loopback address and on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  return !(await answersConnections(port)) && (await canListen(port));
}

/** Below the ephemeral ports, from which an outgoing connection may take a port that is free now. */
const FREE_PORTS = { from: 16_384, to: 32_768 };
const TRIES_MAX = 100;

/** A free port that no outgoing connection takes before a service binds it. */
export async function findFreePort(): Promise<number> {
  for (let n = 0; n < TRIES_MAX; n += 1) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to);
    if (await isPortFree(port)) return port;
  }
  throw new Error(
    `No port from ${FREE_PORTS.from} to ${FREE_PORTS.to - 1} is free. Stop a program that listens there.`,
  );
}

/** The message for a taken port, with how to choose another one. */
export function portInUseMessage(service: string, port: number, variable: string): string {
  return (
    `Port ${port}, which the ${service} needs, is in use by another program. ` +
    `Stop that program (\`lsof -i :${port}\` names it), or choose another port: ${variable}=${port + 1}.`
  );
}

/**
 * Reads a port from an environment variable.
 * @throws {Error} if the variable is not a valid port.
 */
export function readPort(value: string | undefined, variable: string, fallback: number): number {
  if (value === undefined || value === '') return fallback;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`${variable} is "${value}", which is not a port. Give a number from 0 to 65535.`);
  }
  return port;
}

export function answersConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: loopback });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, loopback, () => probe.close(() => resolve(true)));
  });
}
