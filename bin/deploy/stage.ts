import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateListExecutions, SFNClient, StateMachineDoesNotExist } from '@aws-sdk/client-sfn';
import { pipelineIds, stateMachineName } from '#infra/names.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createDeploymentRepository } from '#shared/deployments/store/deployments.ts';
import { createObjectStore, createS3Client } from '#shared/platform/adapters/object-store.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { AuditPorts } from '../audit-trail.ts';
import type { Account } from './account.ts';
import { type DeployedModel, listDeployments } from './deployed-models.ts';
import type { DrainPorts } from './drain.ts';
import { GUARDS } from './guard.ts';
import { type Releases, releasesIn } from './releases.ts';

/** What is deployed of a stage. */
export interface DeployedStage {
  /** The output `DataFormat`, which earlier releases did not have. */
  readonly dataFormat: string | undefined;
  /** The operator's key with which what the stage holds is encrypted. */
  readonly keyArn: string | undefined;
  readonly releases: Releases;
  /** The deployments of trained models, of all teams. */
  readonly models: () => Promise<DeployedModel[]>;
  readonly drain: DrainPorts;
  /** ARNs of the alarms that take a guarded change back. */
  readonly guards: readonly string[];
  /** Names of those that are in the state ALARM. */
  readonly alarmsOn: () => Promise<string[]>;
  /** The ARN of the caller. */
  readonly caller: string;
  readonly audit: AuditPorts;
}

const LOOK_MILLISECONDS = 20_000;

/** Where the data of a stage is; null if its data stack is not deployed. */
export async function findStores(
  account: Account,
  stage: string,
): Promise<{
  readonly table: string;
  readonly bucket: string;
  readonly dataFormat: string | undefined;
  readonly keyArn: string | undefined;
} | null> {
  const data = await account.stack(`tunesmith-${stage}-data`, AbortSignal.timeout(LOOK_MILLISECONDS));
  const {
    TableName: table,
    BucketName: bucket,
    DataFormat: dataFormat,
    KeyArn: keyArn,
  } = data?.outputs ?? {};
  return table === undefined || bucket === undefined ? null : { table, bucket, dataFormat, keyArn };
}

/** The stage in the account and region of this process's environment; null if its data stack is not deployed. */
export async function findStage(
  account: Account,
  stage: string,
  region: string,
): Promise<DeployedStage | null> {
  const signal = () => AbortSignal.timeout(LOOK_MILLISECONDS);
  const stores = await findStores(account, stage);
  if (stores === null) return null;
  const { table, bucket, dataFormat, keyArn } = stores;
  const { arn, account: accountId } = await account.identity(signal());
  const partition = arn.split(':')[1] ?? 'aws';
  const isEmulated = Boolean(process.env.AWS_ENDPOINT_URL);
  const items = createTable(table, new DynamoDBClient({}));
  const alarmNames = GUARDS.map((id) => `tunesmith-${stage}-${id}`);
  return {
    dataFormat,
    keyArn,
    models: () => listDeployments(createDeploymentRepository(items)),
    releases: releasesIn(createObjectStore(bucket, createS3Client(isEmulated))),
    drain: {
      claims: createClaims(items),
      holder: randomUUID(),
      running: () => runningExecutions(`arn:${partition}:states:${region}:${accountId}:stateMachine:`, stage),
      now: Date.now,
      sleep,
      print: (line) => console.log(line),
    },
    guards: alarmNames.map((name) => `arn:${partition}:cloudwatch:${region}:${accountId}:alarm:${name}`),
    alarmsOn: async () => {
      const { MetricAlarms = [] } = await new CloudWatchClient().send(
        new DescribeAlarmsCommand({ AlarmNames: alarmNames, StateValue: 'ALARM' }),
        { abortSignal: signal() },
      );
      return MetricAlarms.map(({ AlarmName = '' }) => AlarmName);
    },
    caller: arn,
    audit: { audit: createAuditLog(items), whoAmI: async () => arn, newId: randomUUID, now: Date.now },
  };
}

async function runningExecutions(arnPrefix: string, stage: string): Promise<ReadonlyMap<string, number>> {
  const client = new SFNClient();
  const counts = await Promise.all(
    pipelineIds.map(async (id): Promise<[string, number]> => {
      const stateMachineArn = `${arnPrefix}${stateMachineName(stage, id)}`;
      let count = 0;
      try {
        const pages = paginateListExecutions({ client }, { stateMachineArn, statusFilter: 'RUNNING' });
        for await (const { executions = [] } of pages) count += executions.length;
      } catch (error) {
        // A machine that comes with this release.
        if (!(error instanceof StateMachineDoesNotExist)) throw error;
      }
      return [id, count];
    }),
  );
  client.destroy();
  return new Map(counts.filter(([, count]) => count > 0));
}
