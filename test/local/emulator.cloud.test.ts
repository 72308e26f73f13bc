import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('the emulator', () => {
  it('refuses credentials that it does not know', async () => {
    const running = await start();

    await expect(storageOf(running).send(new ListBucketsCommand())).resolves.toMatchObject({ Buckets: [] });
    await expect(
      storageOf(running, 'AKIAIOSFODNN7EXAMPLE').send(new ListBucketsCommand()),
    ).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
  });

  it('cannot be reached from outside this machine', async () => {
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

  it('keeps what it holds over a stop, and forgets it for a fresh start', async () => {
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

  it('leaves no process and no open port when it stops', async () => {
    const running = await start();

    await running.stop();

    const groups = execFileSync('ps', ['-eo', 'pgid,stat'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([group, state]) => Number(group) === running.pid && state?.startsWith('Z') !== true);
    expect(groups).toEqual([]);
    expect(await isPortFree(Number(new URL(running.endpoint).port))).toBe(true);
    expect(existsSync(join(stateDirectory, 'emulator'))).toBe(true);
  });
});
