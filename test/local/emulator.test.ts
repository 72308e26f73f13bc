import { createServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { emulatorEnvironment, startEmulator } from '#local/emulator.ts';
import { findFreePort } from '#local/ports.ts';

const directories = { dataDirectory: '/data', workDirectory: '/work' };

afterEach(() => vi.unstubAllEnvs());

it("the emulator's environment enforces IAM, binds the loopback address alone and keeps its state in the data directory", () => {
  expect(emulatorEnvironment({ port: 4571, ...directories })).toMatchObject({
    AUTH: 'true',
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: '4571',
    STATE_DIR: '/data/state',
    S3_DATA_DIR: '/data/s3',
  });
});

it("the emulator's environment passes nothing of the caller on, since functions inherit it", () => {
  vi.stubEnv('OPENAI_API_KEY', 'secret');
  vi.stubEnv('AWS_PROFILE', 'production');

  const passed = Object.keys(emulatorEnvironment({ port: 4571, ...directories }));

  expect(passed).not.toContain('OPENAI_API_KEY');
  expect(passed).not.toContain('AWS_PROFILE');
});

it('starting the emulator refuses a port that another program has, and says how to choose another', async () => {
  const port = await findFreePort();
  const other = createServer().listen(port, '127.0.0.1');

  const starting = startEmulator({ python: 'python3', port, stateDirectory: '/nowhere', fresh: false });

  await expect(starting).rejects.toThrow(`TUNESMITH_EMULATOR_PORT=${port + 1}`);
  other.close();
});
