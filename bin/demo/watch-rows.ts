import { S3Client } from '@aws-sdk/client-s3';
import type { LocalCloud } from '#local/up.ts';
import { createObjectStore } from '#shared/platform/adapters/object-store.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';

/**
 * Reads the finished rows of a run: workers write checkpoints every five seconds, before the run has a download.
 * @returns a function that returns the rows that are new since its last call.
 */
export function watchRows(cloud: LocalCloud, runId: string): () => Promise<RunResult[]> {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = cloud.environment;
  const store = createObjectStore(
    cloud.bucketName,
    new S3Client({
      endpoint: cloud.endpoint,
      region: AWS_REGION,
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
      forcePathStyle: true,
    }),
  );
  const readKeys = new Set<string>();
  const readRows = new Set<number>();
  return async () => {
    const rows: RunResult[] = [];
    for (const part of ['checkpoints', 'results']) {
      for await (const key of store.list(`runs/${runId}/${part}/`)) {
        if (readKeys.has(key)) continue;
        const body = await store.read(key);
        // A worker that ends deletes its checkpoints; their rows are in its result.
        if (body === null) continue;
        readKeys.add(key);
        for (const line of body.toString('utf8').split('\n')) {
          if (line === '') continue;
          const row = RunResult.parse(JSON.parse(line));
          if (!readRows.has(row.row)) rows.push(row);
          readRows.add(row.row);
        }
      }
    }
    return rows;
  };
}
