import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createAccessAdministration } from '#shared/adapters/dynamodb/access.ts';
import { createApprovalRepository } from '#shared/adapters/dynamodb/approvals.ts';
import { createClaims } from '#shared/adapters/dynamodb/claims.ts';
import { createCustomEvalRepository } from '#shared/adapters/dynamodb/custom-evals.ts';
import { createDatasetRepository } from '#shared/adapters/dynamodb/datasets.ts';
import { createFinetuneJobRepository } from '#shared/adapters/dynamodb/finetune-jobs.ts';
import { createIdempotencyRepository } from '#shared/adapters/dynamodb/idempotency.ts';
import { indexes } from '#shared/adapters/dynamodb/keys.ts';
import { createLedger } from '#shared/adapters/dynamodb/ledger.ts';
import { createMeterRepository } from '#shared/adapters/dynamodb/meter.ts';
import {
  createFreeUseLimiter,
  createRateLimiter,
  createTokenLimiter,
} from '#shared/adapters/dynamodb/rate-limiter.ts';
import { createRunRepository } from '#shared/adapters/dynamodb/runs.ts';
import { createSpeedStore } from '#shared/adapters/dynamodb/speeds.ts';
import { createStackRepository } from '#shared/adapters/dynamodb/stacks.ts';
import { createTable, type Table } from '#shared/adapters/dynamodb/table.ts';
import { createTrainingRepository } from '#shared/adapters/dynamodb/trainings.ts';
import { createVoucherRepository } from '#shared/adapters/dynamodb/vouchers.ts';
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
