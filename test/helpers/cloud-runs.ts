import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { functionName } from '#infra/names.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { TestCloud } from './cloud-setup.ts';

/** Looks into the runs of the cloud of the tests while they go on, and kills their processes. */
export interface CloudRuns {
  keysUnder(prefix: string): Promise<string[]>;
  /** An object as text. */
  read(key: string): Promise<string>;
  /** Rows of the dataset that are in the checkpoints of a run. */
  checkpointedRows(runId: string): Promise<number[]>;
  /** Waits until so many rows are checkpointed. */
  untilCheckpointed(runId: string, rows: number): Promise<number[]>;
  /** Ids of the processes of a function in this emulator and in no other that runs on the machine. */
  processesOf(functionId: string): Promise<number[]>;
  close(): void;
}

/** Asks until there is an answer, for a minute and a half. */
export async function until<T>(what: string, find: () => Promise<T | null>, seconds = 90): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await sleep(100);
  }
}

export function watchCloudRuns(cloud: TestCloud): CloudRuns {
  const s3 = new S3Client({ endpoint: cloud.endpoint, region: 'us-east-1', forcePathStyle: true });

  async function keysUnder(prefix: string): Promise<string[]> {
    const { Contents = [] } = await s3.send(
      new ListObjectsV2Command({ Bucket: cloud.bucketName, Prefix: prefix }),
    );
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
  }

  async function read(key: string): Promise<string> {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: cloud.bucketName, Key: key }));
    return (await Body?.transformToString()) ?? '';
  }

  async function checkpointedRows(runId: string): Promise<number[]> {
    const keys = await keysUnder(`${objectKeys.run(runId)}checkpoints/`);
    const bodies = await Promise.all(keys.map(read));
    return bodies
      .flatMap((text) => text.split('\n').filter((line) => line !== ''))
      .map((line) => (JSON.parse(line) as { row: number }).row);
  }

  return {
    keysUnder,
    read,
    checkpointedRows,
    untilCheckpointed: (runId, rows) =>
      until('checkpoints', async () => {
        const done = await checkpointedRows(runId);
        return done.length >= rows ? done : null;
      }),
    async processesOf(functionId) {
      const name = functionName('local', functionId);
      const found: number[] = [];
      for (const entry of await readdir('/proc')) {
        if (!/^\d+$/.test(entry)) continue;
        const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '');
        const variables = environment.split('\0');
        if (
          variables.includes(`AWS_LAMBDA_FUNCTION_NAME=${name}`) &&
          variables.includes(`AWS_ENDPOINT_URL=${cloud.endpoint}`)
        ) {
          found.push(Number(entry));
        }
      }
      return found;
    },
    close: () => s3.destroy(),
  };
}
