import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { CreateFunctionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Emulator, emulatorIdentity, startEmulator } from '#local/emulator.ts';
import { findFreePort, isPortFree } from '#local/ports.ts';
import { ensurePython } from '#local/python.ts';

let stateDirectory: string;
let emulator: Emulator | undefined;

beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'tunesmith-emulator-test-'));
});
afterEach(async () => {
  await emulator?.stop();
  emulator = undefined;
  rmSync(stateDirectory, { recursive: true });
});

async function start(fresh = false): Promise<Emulator> {
  emulator = await startEmulator({
    python: await ensurePython(),
    port: await findFreePort(),
    stateDirectory,
    fresh,
  });
  return emulator;
}

const storageOf = ({ endpoint }: Emulator, accessKeyId: string = emulatorIdentity.accessKeyId) =>
  new S3Client({
    endpoint,
    region: emulatorIdentity.region,
    credentials: { accessKeyId, secretAccessKey: emulatorIdentity.secretAccessKey },
    forcePathStyle: true,
  });

/** A function that takes the given time, and says which process ran it from which file, and what Node keeps compiled. */
const WAITING = `import { getCompileCacheDir } from 'node:module';
  export const handler = async ({ milliseconds }) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return { pid: process.pid, path: import.meta.url, compiled: getCompileCacheDir(), version: process.version };
  };`;

/** Deploys a function with this code as its module `index.mjs`. */
async function deployFunction(running: Emulator, code: string) {
  const zip = join(stateDirectory, 'code.zip');
  execFileSync('python3', [
    '-c',
    'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("index.mjs", sys.argv[2])',
    zip,
    code,
  ]);
  const { region, ...credentials } = emulatorIdentity;
  const client = { endpoint: running.endpoint, region, credentials };
  const lambda = new LambdaClient(client);
  await new IAMClient(client).send(
    new CreateRoleCommand({
      RoleName: 'starts',
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      }),
    }),
  );
  await lambda.send(
    new CreateFunctionCommand({
      FunctionName: 'starts',
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Timeout: 60,
      Role: `arn:aws:iam::${emulatorIdentity.account}:role/starts`,
      Code: { ZipFile: readFileSync(zip) },
    }),
  );
  return async (event: object = {}) => {
    const answer = await lambda.send(
      new InvokeCommand({ FunctionName: 'starts', LogType: 'Tail', Payload: JSON.stringify(event) }),
    );
    return {
      failed: answer.FunctionError !== undefined,
      payload: JSON.parse(Buffer.from(answer.Payload ?? []).toString()),
      logs: Buffer.from(answer.LogResult ?? '', 'base64').toString(),
    };
  };
}

it('the emulator refuses credentials that it does not know', async () => {
  const running = await start();

  await expect(storageOf(running).send(new ListBucketsCommand())).resolves.toMatchObject({ Buckets: [] });
  await expect(
    storageOf(running, 'AKIAIOSFODNN7EXAMPLE').send(new ListBucketsCommand()),
  ).rejects.toMatchObject({
    name: 'InvalidAccessKeyId',
  });
});

it('the emulator cannot be reached from outside this machine', async () => {
  const running = await start();
  const port = Number(new URL(running.endpoint).port);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');

  for (const { address } of outside) {
    const reached = await new Promise((resolve) => {
      connect({ port, host: address })
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false));
    });
    expect(reached).toBe(false);
  }
  expect(readFileSync(join(stateDirectory, 'logs', 'emulator.log'), 'utf8')).toContain(
    `Running on http://127.0.0.1:${port}`,
  );
});

it('the emulator keeps what it holds over a stop, and forgets it for a fresh start', async () => {
  const first = await start();
  await storageOf(first).send(new CreateBucketCommand({ Bucket: 'kept' }));
  await storageOf(first).send(new PutObjectCommand({ Bucket: 'kept', Key: 'a', Body: 'text' }));
  await first.stop();

  const second = await start();
  const object = await storageOf(second).send(new GetObjectCommand({ Bucket: 'kept', Key: 'a' }));
  expect(await object.Body?.transformToString()).toBe('text');
  await second.stop();

  const third = await start(true);
  await expect(storageOf(third).send(new ListBucketsCommand())).resolves.toMatchObject({ Buckets: [] });
});

it('the emulator reports a process that is killed as it starts as one killed at work, and starts another', async () => {
  const running = await start();
  const killed = join(stateDirectory, 'killed');
  const invoke = await deployFunction(
    running,
    `import { existsSync, writeFileSync } from 'node:fs';
      if (!existsSync(${JSON.stringify(killed)})) {
        writeFileSync(${JSON.stringify(killed)}, '');
        process.kill(process.pid, 'SIGKILL');
      }
      export const handler = async () => 'ok';`,
  );

  // The name is one of those that state machines repeat.
  expect(await invoke()).toMatchObject({ failed: true, payload: { errorType: 'Runtime.HandlerError' } });
  expect(await invoke()).toMatchObject({ failed: false, payload: 'ok' });
});

it('the emulator starts a process anew whose module throws as it is loaded, and says why each time', async () => {
  const invoke = await deployFunction(await start(), `throw new Error('no settings');`);

  for (const _ of [1, 2, 3]) {
    expect(await invoke()).toMatchObject({
      failed: true,
      payload: { errorMessage: expect.stringContaining('no settings') },
    });
  }
});

it('the emulator says after a kill that it can have lost changes, and not after a stop', async () => {
  const first = await start();
  expect(first.lostChanges).toBe(false);
  process.kill(-first.pid, 'SIGKILL');
  await first.ended;

  const second = await start();
  expect(second.lostChanges).toBe(true);
  await second.stop();

  expect((await start()).lostChanges).toBe(false);
});

it('the emulator goes on with the process of a handler that throws, and gives each call its own logs', async () => {
  const invoke = await deployFunction(
    await start(),
    `let calls = 0;
      export const handler = async () => {
        calls += 1;
        console.log('call ' + calls);
        if (calls === 1) throw new Error('first');
        return calls;
      };`,
  );

  const first = await invoke();
  expect(first).toMatchObject({
    failed: true,
    payload: { errorType: 'Runtime.HandlerError', errorMessage: 'first' },
  });
  expect(first.logs).toMatch(/^call 1\nError: first\n/);
  expect(await invoke()).toEqual({ failed: false, payload: 2, logs: 'call 2' });
});

it('the emulator unpacks and compiles the code of a function once for all of its processes', async () => {
  const invoke = await deployFunction(await start(), WAITING);

  const answers = await Promise.all([1, 2].map(() => invoke({ milliseconds: 4_000 })));

  const [one, other] = answers.map(({ payload }) => payload);
  expect(one.pid).not.toBe(other.pid);
  expect(one.path).toBe(other.path);
  expect(one.compiled).toBe(other.compiled);
  await expect.poll(() => readdirSync(one.compiled)).not.toEqual([]);
});

it('the emulator runs functions on the version of Node that AWS runs them on', async () => {
  const invoke = await deployFunction(await start(), WAITING);

  const { payload, logs } = await invoke({ milliseconds: 0 });

  expect(payload.version).toMatch(/^v22\./);
  expect(logs).toBe('');
});

it('the emulator leaves no process and no open port when it stops', async () => {
  const running = await start();
  const invoke = await deployFunction(running, WAITING);
  await invoke({ milliseconds: 0 });

  await running.stop();

  const groups = execFileSync('ps', ['-eo', 'pgid,stat'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([group, state]) => Number(group) === running.pid && state?.startsWith('Z') !== true);
  expect(groups).toEqual([]);
  expect(await isPortFree(Number(new URL(running.endpoint).port))).toBe(true);
  expect(existsSync(join(stateDirectory, 'emulator'))).toBe(true);
});
