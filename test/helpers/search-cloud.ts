import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { TestCloud } from './cloud-setup.ts';
import { runPython } from './run-python.ts';

export interface CloudFinds {
  /** Where the text stands: pages of the table, objects, and lines of logs as far as 300 characters. */
  readonly found: readonly string[];
  /** Everything of the table and the bucket that was looked into. */
  readonly places: readonly string[];
  /** Answers of `POST /responses` that the logs tell of. */
  readonly responsesLogged: number;
}

/** Looks for a text in all that the cloud of the tests keeps and has logged. */
export async function searchCloud(cloud: TestCloud, wanted: string): Promise<CloudFinds> {
  const found: string[] = [];
  const places: string[] = [];
  for await (const { where, text } of kept(cloud)) {
    places.push(where);
    if (text.includes(wanted)) found.push(where);
  }
  let responsesLogged = 0;
  let lines = 0;
  for await (const line of logged(cloud)) {
    lines += 1;
    if (line.includes('"route":"responses.create"')) responsesLogged += 1;
    if (line.includes(wanted)) found.push(line.slice(0, 300));
  }
  if (places.length === 0 || lines === 0)
    throw new Error('The cloud keeps or logs nothing: its search proves nothing.');
  return { found, places, responsesLogged };
}

/** Everything that is kept anywhere, piece by piece. */
async function* kept(cloud: TestCloud): AsyncGenerator<{ where: string; text: string }> {
  const table = createTable(cloud.tableName);
  for (let from: Record<string, unknown> | undefined, isFirst = true; isFirst || from !== undefined; ) {
    isFirst = false;
    const page = await table.client.send(
      new ScanCommand({
        TableName: cloud.tableName,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    yield { where: 'table', text: JSON.stringify(page.Items) };
    from = page.LastEvaluatedKey;
  }
  const objects = createObjectStore(cloud.bucketName, createS3Client(true));
  for await (const key of objects.list('')) {
    yield { where: key, text: `${key} ${(await objects.read(key))?.toString('latin1')}` };
  }
}

/** What the emulator and the deployed functions have logged, line by line. */
async function* logged(cloud: TestCloud): AsyncGenerator<string> {
  const folder = join(cloud.stateDirectory, 'logs');
  for (const name of await readdir(folder)) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) yield line;
  }
  const { code, output } = await runPython(['local/function_logs.py'], cloud.environment);
  if (code !== 0) throw new Error(output);
  yield* output.split('\n');
}
