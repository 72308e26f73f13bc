import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../bin/doctor.mjs', import.meta.url));

interface Finding {
  readonly state: 'ok' | 'note' | 'missing';
  readonly advice?: string;
}
type Check<Args extends unknown[]> = (...given: Args) => Finding;
// Plain JavaScript without types: it runs before anything is installed.
const { checkNode, checkPlatform, checkMemory, checkDisk, checkModelId } = (await import(script)) as {
  checkNode: Check<[string]>;
  checkPlatform: Check<[string, string]>;
  checkMemory: Check<[number]>;
  checkDisk: Check<[number]>;
  checkModelId: Check<[string | undefined, string[], string]>;
};

function doctor(environment: NodeJS.ProcessEnv = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      MODEL_BASE_URL: '',
      TUNESMITH_EMULATOR_PORT: '0',
      TUNESMITH_MODEL_PORT: '0',
      ...environment,
    };
    const child = execFile(process.execPath, [script], { env }, (_error, stdout) =>
      resolve({ status: child.exitCode ?? -1, text: stdout }),
    );
  });
}

it('npm run doctor finds this machine ready', async () => {
  const { status, text } = await doctor();
  expect([status, text]).toEqual([0, expect.stringContaining('Ready: npm run demo')]);
});

it('npm run doctor says how to get a Python where there is none', async () => {
  const { status, text } = await doctor({
    PATH: dirname(process.execPath),
    TUNESMITH_PYTHON: '/nowhere/python3',
  });
  expect(status).toBe(1);
  expect(text).toMatch(/MISSING Python .*\n.*apt-get install python3 python3-venv/);
  expect(text).toContain('1 to mend');
});

it('npm run doctor names a port that was chosen and is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';

  const { status, text } = await doctor({ TUNESMITH_MODEL_PORT: port });
  taken.close();

  expect(status).toBe(1);
  expect(text).toMatch(new RegExp(`MISSING Model port +${port} is taken\\n +Unset TUNESMITH_MODEL_PORT`));
});

it('npm run doctor names a model endpoint that does not answer', async () => {
  const { status, text } = await doctor({ MODEL_BASE_URL: 'http://127.0.0.1:9/v1' });
  expect(status).toBe(1);
  expect(text).toMatch(/MISSING Model +http:\/\/127.0.0.1:9\/v1 does not answer\n.*MODEL_API_KEY/);
});

it('npm run doctor says so where settings of an endpoint lack its address', async () => {
  const { status, text } = await doctor({ MODEL_API_KEY: 'k', MODEL_URL: 'http://127.0.0.1:9/v1' });
  expect(status).toBe(0);
  expect(text).toMatch(/note +Model +MODEL_API_KEY, MODEL_URL set without MODEL_BASE_URL/);
  expect(text).not.toContain(' k ');
});

it.each([
  ['small', ['small', 'large'], 'ok', ''],
  ['small', [], 'ok', ''],
  ['nosuch', ['small'], 'note', 'It does not list MODEL_ID=nosuch. It lists small.'],
  [undefined, ['small', 'large'], 'missing', 'MODEL_BASE_URL needs MODEL_ID. It lists small, large.'],
])('npm run doctor judges the model %s of %j as %s', (id, listed, state, told) => {
  const { advice = '', ...found } = checkModelId(id, listed, 'answers');
  expect([found.state, advice]).toEqual([state, told]);
});

it.each([
  ['18.20.0', 'missing'],
  ['20.0.0', 'ok'],
  ['24.1.0', 'ok'],
])('npm run doctor judges Node %s as %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

it.each([
  ['linux', 'x64', 'ok'],
  ['linux', 'arm64', 'note'],
  ['darwin', 'arm64', 'note'],
  ['freebsd', 'x64', 'note'],
  ['win32', 'x64', 'missing'],
])('npm run doctor judges %s on %s as %s', (platform, architecture, state) => {
  expect(checkPlatform(platform, architecture).state).toBe(state);
});

it.each([
  [2e9, 'missing'],
  [5e9, 'note'],
  [16e9, 'ok'],
])('npm run doctor judges %d bytes of memory as %s', (bytes, state) => {
  const { advice = '', ...found } = checkMemory(bytes);
  expect(found.state).toBe(state);
  expect(advice.includes('LOCAL_MODEL=smollm2-135m')).toBe(state !== 'ok');
});

it.each([
  [1e9, 'missing'],
  [20e9, 'ok'],
])('npm run doctor judges %d bytes of free disk as %s', (bytes, state) => {
  expect(checkDisk(bytes).state).toBe(state);
});
