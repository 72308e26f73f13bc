import { connect, createServer } from 'node:net';

/** Every local service binds and is reached on this address alone. */
export const loopback = '127.0.0.1';

/** Whether nothing listens on the port, neither on the loopback address nor on all of them. */
export async function isPortFree(port: number): Promise<boolean> {
  return !(await answersConnections(port)) && (await canListen(port));
}

/** A port that nothing listens on, chosen by the system. */
export async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, loopback, () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No port was assigned.'));
        else resolve(address.port);
      });
    });
  });
}

/** What to tell a person whose port is taken, and how to choose another one. */
export function portInUseMessage(service: string, port: number, variable: string): string {
  return (
    `Port ${port}, which the ${service} needs, is in use by another program. ` +
    `Stop that program (\`lsof -i :${port}\` names it), or choose another port: ${variable}=${port + 1}.`
  );
}

/**
 * Reads a port from an environment variable.
 * @throws {Error} when the variable holds something that is not a port.
 */
export function readPort(value: string | undefined, variable: string, fallback: number): number {
  if (value === undefined || value === '') return fallback;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`${variable} is "${value}", which is not a port. Give a number from 0 to 65535.`);
  }
  return port;
}

function answersConnections(port: number): Promise<boolean> {
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
