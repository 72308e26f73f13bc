import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { createServiceClient } from '../service-client.ts';
import type { Caller } from './service.ts';

const LOOK_MILLISECONDS = 10_000;
const COPY_SECONDS_MAX = 60;

/** What a team has, of which a restoration may lose nothing. */
interface Holdings {
  /** Rows of the dataset that can be downloaded. */
  readonly rows: number;
  readonly credits: number;
  readonly datasets: number;
}

export async function holdings(caller: Caller, datasetId: string): Promise<Holdings> {
  const client = createServiceClient(caller);
  const { datasets } = await client.json<{ datasets: unknown[] }>('GET', '/datasets');
  const { balance } = await client.json<{ balance: { available: number } }>('GET', '/me');
  const text = await client.text(`/datasets/${datasetId}/download?fileFormat=jsonl`);
  return { rows: text.trim().split('\n').length, credits: balance.available, datasets: datasets.length };
}

/** Deletes a dataset, and waits until it is gone. */
export async function removeDataset(caller: Caller, datasetId: string): Promise<void> {
  const address = `${caller.apiUrl}/api/v1/datasets/${datasetId}`;
  const headers = { authorization: `Bearer ${caller.apiKey}` };
  const response = await fetch(address, { method: 'DELETE', headers });
  if (!response.ok) throw new Error(`DELETE /datasets: ${response.status} ${await response.text()}`);
  for (let looks = 0; (await fetch(address, { headers })).status !== 404; looks += 1) {
    if (looks > 60) throw new Error('The deleted dataset is still there after a minute.');
    await sleep(1000);
  }
}

/** Copies a table as it is: what an emulator does in place of a recovery. */
export async function copyTable(source: string, target: string): Promise<void> {
  const client = new DynamoDBClient();
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: target,
      UseLatestRestorableTime: true,
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: COPY_SECONDS_MAX }, { TableName: target });
}

/** Waits until a table can be restored to a moment, which takes about five minutes. */
export async function untilRestorable(
  table: string,
  moment: Date,
  detail: (text: string) => void,
): Promise<void> {
  const client = new DynamoDBClient();
  for (;;) {
    const { ContinuousBackupsDescription } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName: table }),
    );
    const latest = ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
    if (latest !== undefined && latest >= moment) return;
    detail(`restorable to ${latest?.toISOString() ?? 'no time yet'}`);
    await sleep(LOOK_MILLISECONDS);
  }
}
