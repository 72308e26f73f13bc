import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { findFreePort, isPortFree, loopback, portInUseMessage, readPort } from '#local/ports.ts';

let listener: Server | undefined;

afterEach(() => listener?.close());

async function listen(host: string): Promise<number> {
  const port = await findFreePort();
  await new Promise<void>((resolve) => {
    listener = createServer().listen(port, host, resolve);
  });
  return port;
}

it.each([loopback, '0.0.0.0'])('ports sees a listener on %s', async (host) => {
  const port = await listen(host);

  expect(await isPortFree(port)).toBe(false);
});

it('ports takes a port that nobody listens on for free', async () => {
  expect(await isPortFree(await findFreePort())).toBe(true);
});

it('ports finds free ports that no outgoing connection takes', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, findFreePort));

  // Linux gives outgoing connections the ports from 32768, macOS and Windows those from 49152.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('ports tells which variable chooses another port', () => {
  expect(portInUseMessage('AWS emulator', 4566, 'TUNESMITH_EMULATOR_PORT')).toMatch(
    /Port 4566.*AWS emulator.*TUNESMITH_EMULATOR_PORT=4567/,
  );
});

it('ports reads a port from a variable, and its default where there is none', () => {
  expect([readPort('81', 'X', 80), readPort('', 'X', 80), readPort(undefined, 'X', 80)]).toEqual([
    81, 80, 80,
  ]);
});

it.each(['http', '-1', '65536', '80.5'])('ports refuses %s by the name of the variable', (value) => {
  expect(() => readPort(value, 'TUNESMITH_MODEL_PORT', 80)).toThrow(`TUNESMITH_MODEL_PORT is "${value}"`);
});
