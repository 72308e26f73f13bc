import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createClaims } from '#shared/access/store/claims.ts';
import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createVoucherRepository } from '#shared/access/store/vouchers.ts';
import { createCustomEvalRepository } from '#shared/adaptation/store/custom-evals.ts';
import { createSpeedStore } from '#shared/adaptation/store/speeds.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { indexes } from '#shared/platform/store/keys.ts';
import {
  createFreeUseLimiter,
  createRateLimiter,
  createTokenLimiter,
} from '#shared/platform/store/rate-limiter.ts';
import { createTable, type Table } from '#shared/platform/store/table.ts';
import { createApprovalRepository } from '#shared/responses/store/approvals.ts';
import { createStackRepository } from '#shared/responses/store/stacks.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { createFinetuneJobRepository } from '#shared/training/store/finetune-jobs.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import type { Store } from './memory-store.ts';

export interface CloudStore extends Store {
  readonly table: Table;
  remove(): Promise<void>;
}

/**
 * The ports on a table of their own, in the emulator that `AWS_ENDPOINT_URL` names. `now` is the time by which items
 * expire.
 */
export async function createCloudStore(now: () => number = Date.now): Promise<CloudStore> {
  if (process.env.AWS_ENDPOINT_URL === undefined) {
    throw new Error('AWS_ENDPOINT_URL names no emulator: run this test through npm test.');
  }
  const client = new DynamoDBClient({ region: 'us-east-1' });
  const name = `test-${randomUUID()}`;
  const sorted = Object.values(indexes);
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'list_pk', ...sorted.map(({ sortKey }) => sortKey)].map(
        (attribute) => ({ AttributeName: attribute, AttributeType: 'S' }),
      ),
      GlobalSecondaryIndexes: sorted.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: 'list_pk', KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      })),
    }),
  );
  const table: Table = { ...createTable(name, client), now };
  return {
    table,
    datasets: createDatasetRepository(table),
    runs: createRunRepository(table),
    ledger: createLedger(table),
    idempotency: createIdempotencyRepository(table),
    access: createAccessAdministration(table),
    rateLimiter: createRateLimiter(table),
    trainings: createTrainingRepository(table),
    vouchers: createVoucherRepository(table),
    finetuneJobs: createFinetuneJobRepository(table),
    meter: createMeterRepository(table),
    freeUses: createFreeUseLimiter(table),
    tokenLimiter: createTokenLimiter(table),
    stacks: createStackRepository(table),
    approvals: createApprovalRepository(table),
    claims: createClaims(table),
    customEvals: createCustomEvalRepository(table),
    speeds: createSpeedStore(table),
    remove: async () => {
      await client.send(new DeleteTableCommand({ TableName: name }));
    },
  };
}
