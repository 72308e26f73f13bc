import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { BedrockClient, ListModelInvocationJobsCommand } from '@aws-sdk/client-bedrock';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  DescribeTypeCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { findProfiledModel, type ProfiledModel } from '#shared/models/adapters/inference-profile.ts';
import type { Quota } from './token-quotas.ts';

/** Read-only queries of an account and a region; every call ends with its signal. */
export interface Account {
  identity(signal: AbortSignal): Promise<{ readonly account: string; readonly arn: string }>;
  /** A CloudFormation stack; null if there is none. */
  stack(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: string; readonly outputs: Readonly<Record<string, string>> } | null>;
  /** The account's concurrent executions, and the unreserved ones of them. */
  concurrency(signal: AbortSignal): Promise<{ readonly quota: number; readonly unreserved: number }>;
  /** Reserved concurrency of a function; also 0 if there is no such function. */
  reservedFor(functionName: string, signal: AbortSignal): Promise<number>;
  /** IAM roles of the account in all regions, and how many it may have; null where an emulator does not say. */
  roles(signal: AbortSignal): Promise<{ readonly count: number; readonly quota: number } | null>;
  /** Throttle of all APIs of the region together. */
  apiThrottle(signal: AbortSignal): Promise<{ readonly requestsPerSecond: number; readonly burst: number }>;
  /** A SageMaker quota by name; null if there is none. */
  sagemakerQuota(name: string, signal: AbortSignal): Promise<number | null>;
  /** How many instances of each type may answer on SageMaker's endpoints. */
  endpointQuotas(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** How many imported models Amazon Bedrock lets the account have; null if Service Quotas does not say. */
  importQuota(signal: AbortSignal): Promise<number | null>;
  /** The model behind an application's inference profile of Amazon Bedrock. */
  profiledModel(profileArn: string, signal: AbortSignal): Promise<ProfiledModel>;
  /** Amazon Bedrock's quotas of tokens. */
  tokenQuotas(signal: AbortSignal): Promise<readonly Quota[]>;
  /** CloudFormation's schema of a method of API Gateway, which says what the region's API Gateway can do. */
  methodSchema(signal: AbortSignal): Promise<string>;
  /** Asks Amazon Bedrock for batch jobs. @throws where the region offers none, or the caller may not ask */
  listBatchJobs(signal: AbortSignal): Promise<void>;
}

/** The account of the current credentials, in the region of the environment. */
export function connectAccount(): Account {
  return {
    async identity(abortSignal) {
      const { Account = '', Arn = '' } = await new STSClient().send(new GetCallerIdentityCommand(), {
        abortSignal,
      });
      return { account: Account, arn: Arn };
    },
    async listBatchJobs(abortSignal) {
      await new BedrockClient().send(new ListModelInvocationJobsCommand({ maxResults: 1 }), { abortSignal });
    },
    async methodSchema(abortSignal) {
      const { Schema = '' } = await new CloudFormationClient().send(
        new DescribeTypeCommand({ Type: 'RESOURCE', TypeName: 'AWS::ApiGateway::Method' }),
        { abortSignal },
      );
      return Schema;
    },
    async stack(StackName, abortSignal) {
      try {
        const { Stacks = [] } = await new CloudFormationClient().send(
          new DescribeStacksCommand({ StackName }),
          { abortSignal },
        );
        const [found] = Stacks;
        if (found === undefined || found.StackStatus === 'DELETE_COMPLETE') return null;
        const outputs = (found.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
          OutputKey,
          OutputValue,
        ]);
        return { status: found.StackStatus ?? '', outputs: Object.fromEntries(outputs) };
      } catch (error) {
        if (/does not exist/.test((error as Error).message)) return null;
        throw error;
      }
    },
    async concurrency(abortSignal) {
      const { AccountLimit } = await new LambdaClient().send(new GetAccountSettingsCommand(), {
        abortSignal,
      });
      const quota = AccountLimit?.ConcurrentExecutions ?? 0;
      return { quota, unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? quota };
    },
    async reservedFor(FunctionName, abortSignal) {
      try {
        const { ReservedConcurrentExecutions = 0 } = await new LambdaClient().send(
          new GetFunctionConcurrencyCommand({ FunctionName }),
          { abortSignal },
        );
        return ReservedConcurrentExecutions;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return 0;
        throw error;
      }
    },
    async roles(abortSignal) {
      const { SummaryMap: { Roles, RolesQuota } = {} } = await new IAMClient().send(
        new GetAccountSummaryCommand(),
        { abortSignal },
      );
      return Roles === undefined || RolesQuota === undefined ? null : { count: Roles, quota: RolesQuota };
    },
    async apiThrottle(abortSignal) {
      const { throttleSettings } = await new APIGatewayClient().send(new GetAccountCommand(), {
        abortSignal,
      });
      return {
        requestsPerSecond: throttleSettings?.rateLimit ?? 0,
        burst: throttleSettings?.burstLimit ?? 0,
      };
    },
    async sagemakerQuota(name, abortSignal) {
      for await (const quota of quotasOf('sagemaker', abortSignal)) {
        if (quota.name === name) return quota.value;
      }
      return null;
    },
    async endpointQuotas(abortSignal) {
      const quotas = new Map<string, number>();
      for await (const { name, value } of quotasOf('sagemaker', abortSignal)) {
        if (name.endsWith(ENDPOINT_USAGE)) quotas.set(name.slice(0, -ENDPOINT_USAGE.length), value);
      }
      return quotas;
    },
    async importQuota(abortSignal) {
      for await (const { name, value } of quotasOf('bedrock', abortSignal)) {
        if (name === IMPORT_QUOTA) return value;
      }
      return null;
    },
    profiledModel: (profileArn, signal) =>
      findProfiledModel(profileArn, profileArn.split(':')[3] ?? '', signal),
    async tokenQuotas(abortSignal) {
      const quotas: Quota[] = [];
      for await (const quota of quotasOf('bedrock', abortSignal)) {
        if (/tokens per (minute|day)/i.test(quota.name)) quotas.push(quota);
      }
      return quotas;
    },
  };
}

/** How Service Quotas names the quota of imported models. */
export const IMPORT_QUOTA = 'Imported models per account';
/** How Service Quotas names a quota of instances behind endpoints, after their type. */
const ENDPOINT_USAGE = ' for endpoint usage';

async function* quotasOf(ServiceCode: string, abortSignal: AbortSignal): AsyncGenerator<Quota, void> {
  const client = new ServiceQuotasClient();
  const pages = paginateListServiceQuotas({ client, pageSize: 100 }, { ServiceCode }, { abortSignal });
  for await (const { Quotas = [] } of pages) {
    for (const { QuotaName = '', Value = 0 } of Quotas) yield { name: QuotaName, value: Value };
  }
}
