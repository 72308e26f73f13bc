import { reservedFunctionIds, TELEMETRY_FUNCTION_ID } from '#infra/concurrency.ts';
import type { Config } from '#infra/config.ts';
import { LARGEST_FUNCTION_MB } from '#infra/function-sizes.ts';
import { functionName } from '#infra/names.ts';
import { ROLES_OF_STACKS } from '#infra/roles.ts';
import {
  choosePlatform,
  type DeploymentTarget,
  IMPORT_REGIONS,
} from '#shared/deployments/decide/deployable.ts';
import { modelsOfInstances } from '#shared/deployments/decide/hosting.ts';
import { isApplicationProfile } from '#shared/models/adapters/inference-profile.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { Finding } from '../findings.mjs';
import { type Account, IMPORT_QUOTA } from './account.ts';
import { lacksOfRegion } from './region.ts';
import { judgeTokens, tokensOf } from './token-quotas.ts';

/** Maximum function memory in every account, in MB; new accounts have this limit. */
const MEMORY_OF_EVERY_ACCOUNT_MB = 3008;
/** Concurrent executions that Lambda does not allow to reserve. */
const UNKEPT_EXECUTIONS = 100;
/** Concurrent executions for background functions and a few callers. */
const EXECUTIONS_BESIDES_WORKERS = 20;
/** Minimum bootstrap stack version for the templates. */
const BOOTSTRAP_VERSION_MIN = 6;
const CONCURRENCY_QUOTA = 'Service Quotas, AWS Lambda, Concurrent executions (L-B99A9384)';

/** A check of the account. */
export interface Look {
  readonly name: string;
  /** The IAM actions that it needs. */
  readonly permissions: readonly string[];
  /** Its timeout. */
  readonly seconds: number;
  look(signal: AbortSignal): Promise<Omit<Finding, 'name'>>;
}

const USUAL_SECONDS = 20;
/** SageMaker and Amazon Bedrock have thousands of quotas, a hundred on a page. */
const QUOTAS_SECONDS = 90;

/** The first check, which all others depend on: whose credentials these are. */
export function identityLook(account: Account): Look {
  return {
    name: 'Credentials',
    permissions: ['sts:GetCallerIdentity'],
    seconds: USUAL_SECONDS,
    look: async (signal) => {
      const found = await account.identity(signal);
      return { state: 'ok', found: `${found.arn} in account ${found.account}` };
    },
  };
}

/** The account's requirements for a deployment with this configuration. The checks are read-only. */
export function accountLooks(
  account: Account,
  config: Config,
  region: string,
  toolkitStack = 'CDKToolkit',
): Look[] {
  const { sagemaker, model } = config;
  return [
    {
      name: 'Bootstrap',
      permissions: ['cloudformation:DescribeStacks'],
      seconds: USUAL_SECONDS,
      look: async (signal) => judgeBootstrap(await account.stack(toolkitStack, signal), config),
    },
    {
      name: 'What the region has',
      permissions: ['cloudformation:DescribeType'],
      seconds: USUAL_SECONDS,
      look: async (signal) => {
        const lacking = lacksOfRegion(
          config,
          region,
          config.emulated ? null : await account.methodSchema(signal),
        );
        return lacking.length === 0
          ? { state: 'ok', found: 'what the settings ask for' }
          : { state: 'missing', found: `not all of it in ${region}`, advice: lacking.join(' ') };
      },
    },
    {
      name: 'Function memory',
      permissions: [],
      seconds: USUAL_SECONDS,
      look: async () => judgeMemory(LARGEST_FUNCTION_MB),
    },
    {
      name: 'Concurrency',
      permissions: ['lambda:GetAccountSettings', 'lambda:GetFunctionConcurrency'],
      seconds: USUAL_SECONDS,
      look: async (signal) => {
        const own = await Promise.all(
          [...Object.values(reservedFunctionIds).flat(), TELEMETRY_FUNCTION_ID].map((id) =>
            account.reservedFor(functionName(config.stage, id), signal),
          ),
        );
        const { quota, unreserved } = await account.concurrency(signal);
        const ownKept = own.reduce((sum, kept) => sum + kept, 0);
        return judgeConcurrency({ quota, keptByOthers: quota - unreserved - ownKept }, config);
      },
    },
    {
      name: 'Roles',
      permissions: ['iam:GetAccountSummary', 'cloudformation:DescribeStacks'],
      seconds: USUAL_SECONDS,
      look: async (signal) => {
        if (config.emulated) return { state: 'ok', found: 'no quota on an emulator' };
        const stacks = await Promise.all(
          Object.entries(ROLES_OF_STACKS).map(async ([part, roles]) =>
            (await account.stack(`tunesmith-${config.stage}-${part}`, signal)) === null ? roles : 0,
          ),
        );
        const needed = stacks.reduce((sum, roles) => sum + roles, 0);
        const roles = await account.roles(signal);
        if (roles === null) return { state: 'note', found: 'not said by this endpoint' };
        return judgeRoles({ ...roles, needed });
      },
    },
    {
      name: 'API throttle',
      permissions: ['apigateway:GET'],
      seconds: USUAL_SECONDS,
      look: async (signal) => judgeThrottle(await account.apiThrottle(signal), config),
    },
    sagemaker === null
      ? {
          name: 'Trainers',
          permissions: [],
          seconds: USUAL_SECONDS,
          look: async () => judgeTrainers(config),
        }
      : {
          name: 'Trainers',
          permissions: ['servicequotas:ListServiceQuotas'],
          seconds: QUOTAS_SECONDS,
          look: async (signal) => {
            const quota = `${sagemaker.instanceType} for ${sagemaker.spot ? 'spot ' : ''}training job usage`;
            return judgeTrainingQuota(quota, await account.sagemakerQuota(quota, signal));
          },
        },
    ...trainedModelsLooks(account, config, region),
    ...(model.provider === 'bedrock' && !config.emulated ? [tokensLook(account, config)] : []),
    ...(model.provider === 'bedrock' && model.batchJobs ? [batchJobsLook(account)] : []),
  ];
}

/** The imported models, and the instances, that may answer with trained models: each for what its platform would be given. */
function trainedModelsLooks(account: Account, { trainedModels }: Config, region: string): Look[] {
  const platforms = trainedModels?.platforms ?? [];
  const target = { platforms, region };
  const quotas = { permissions: ['servicequotas:ListServiceQuotas'], seconds: QUOTAS_SECONDS };
  return [
    ...(platforms.includes('amazon_bedrock')
      ? [
          {
            ...quotas,
            name: 'Imported models',
            look: async (signal: AbortSignal) => judgeImportQuota(await account.importQuota(signal), region),
          },
        ]
      : []),
    ...(platforms.includes('amazon_sagemaker')
      ? [
          {
            ...quotas,
            name: 'Endpoints',
            look: async (signal: AbortSignal) =>
              judgeEndpointQuotas(await account.endpointQuotas(signal), target),
          },
        ]
      : []),
  ];
}

/** Any geography: all have the same quotas. */
const GEOGRAPHY = 'us.';

/** The tokens a minute and a day of each model. */
const tokensLook = (account: Account, { model }: Config): Look => ({
  name: 'Model tokens',
  permissions: ['servicequotas:ListServiceQuotas', 'bedrock:GetInferenceProfile'],
  seconds: QUOTAS_SECONDS,
  look: async (signal) => {
    const ids = new Set([...Object.values(model.ids), ...model.hosted.map(({ id }) => id)]);
    const quotas = await account.tokenQuotas(signal);
    const tokens = [...ids].map(async (id) => {
      if (!isApplicationProfile(id)) return [id, tokensOf(id, quotas)] as const;
      const { modelId, regions } = await account.profiledModel(id, signal);
      return [id, tokensOf(regions > 1 ? `${GEOGRAPHY}${modelId}` : modelId, quotas)] as const;
    });
    return judgeTokens(new Map(await Promise.all(tokens)));
  },
});

/** Whether the region has batch inference. Which models take it, no API tells. */
const batchJobsLook = (account: Account): Look => ({
  name: 'Batch jobs',
  permissions: ['bedrock:ListModelInvocationJobs'],
  seconds: USUAL_SECONDS,
  look: async (signal) => {
    await account.listBatchJobs(signal);
    return {
      state: 'ok',
      found:
        'Amazon Bedrock has batch inference here; calls of a model that it does not take are made singly',
    };
  },
});

type Judged = Omit<Finding, 'name'>;

/** Whether the account is bootstrapped for the CDK. `npm run deploy` bootstraps it and updates it. */
export function judgeBootstrap(stack: Awaited<ReturnType<Account['stack']>>, config: Config): Judged {
  if (config.emulated) return { state: 'ok', found: 'not needed on an emulator' };
  const advice = 'npm run deploy does it first; whoever runs it must be allowed to make roles and a bucket.';
  if (stack === null) {
    return {
      state: 'note',
      found: 'the region has not been prepared for the CDK (no stack CDKToolkit)',
      advice,
    };
  }
  if (!/^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT|IMPORT_ROLLBACK)_COMPLETE$/.test(stack.status)) {
    return {
      state: 'missing',
      found: `the stack CDKToolkit is ${stack.status}`,
      advice:
        'Wait until it is done; where it has failed, delete the stack CDKToolkit and run npx cdk bootstrap.',
    };
  }
  const version = Number(stack.outputs.BootstrapVersion);
  return version >= BOOTSTRAP_VERSION_MIN
    ? { state: 'ok', found: `CDKToolkit, version ${version}` }
    : { state: 'note', found: `CDKToolkit is too old (version ${stack.outputs.BootstrapVersion})`, advice };
}

/** Whether a new account allows functions of this size. */
export function judgeMemory(largestMb: number): Judged {
  return largestMb <= MEMORY_OF_EVERY_ACCOUNT_MB
    ? { state: 'ok', found: `${largestMb} MB at most, which new accounts take too` }
    : {
        state: 'note',
        found: `${largestMb} MB at most; new accounts take ${MEMORY_OF_EVERY_ACCOUNT_MB}`,
        advice:
          'No API tells what this account takes: where the deployment is refused, ask AWS Support for more function memory.',
      };
}

/** Whether the account has enough concurrent executions for the reserved ones and the workers of a run. */
export function judgeConcurrency(
  { quota, keptByOthers }: { readonly quota: number; readonly keptByOthers: number },
  {
    concurrency,
    telemetry,
    model,
    workersMax,
  }: Pick<Config, 'concurrency' | 'telemetry' | 'model' | 'workersMax'>,
): Judged {
  const kept = Object.entries(concurrency) as [keyof typeof concurrency, number | null][];
  // Each function of a setting gets the whole number.
  const wanted = kept.reduce(
    (sum, [name, each]) => sum + (each ?? 0) * reservedFunctionIds[name].length,
    telemetry?.concurrency ?? 0,
  );
  const keepable = Math.max(0, quota - keptByOthers - UNKEPT_EXECUTIONS);
  const others = keptByOthers === 0 ? '' : `, ${keptByOthers} of them kept for other functions`;
  if (wanted > keepable) {
    return {
      state: 'missing',
      found: `${quota} executions at once${others}; AUTHORIZER_CONCURRENCY, ANSWERS_CONCURRENCY, EVENTS_CONCURRENCY, WEBHOOKS_CONCURRENCY and TELEMETRY_CONCURRENCY keep ${wanted}, of at most ${keepable}`,
      advice: `Lower or unset them, or have the quota raised to ${wanted + keptByOthers + UNKEPT_EXECUTIONS}: ${CONCURRENCY_QUOTA}.`,
    };
  }
  const workers = Math.max(workforceOf(model.concurrency).workers, workersMax);
  const needed = workers + EXECUTIONS_BESIDES_WORKERS;
  const left = quota - keptByOthers - wanted;
  return left >= needed
    ? { state: 'ok', found: `${quota} executions at once${others}` }
    : {
        state: 'note',
        found: `${quota} executions at once${others}; ${needed} keep callers and runs from waiting`,
        advice: `Enough to try the service out, with WORKERS_AT_ONCE=4. Have it raised to 1,000 before others use it: ${CONCURRENCY_QUOTA}.`,
      };
}

/** Whether the account may have the roles of the stacks that are not deployed yet. */
export function judgeRoles({
  count,
  quota,
  needed,
}: {
  readonly count: number;
  readonly quota: number;
  readonly needed: number;
}): Judged {
  const found = `${count} IAM roles of at most ${quota}, ${needed} more for the stage`;
  return count + needed <= quota
    ? { state: 'ok', found }
    : {
        state: 'missing',
        found,
        advice: `Delete roles that are not used, or have the quota raised to ${count + needed} or more: Service Quotas, AWS Identity and Access Management (IAM), Roles per account, in us-east-1.`,
      };
}

/** Whether the account's API throttle allows the configured one. */
export function judgeThrottle(
  account: { readonly requestsPerSecond: number; readonly burst: number },
  { throttle }: Pick<Config, 'throttle'>,
): Judged {
  const found = `${account.requestsPerSecond} requests a second in the account, ${throttle.requestsPerSecond} for the stage`;
  return account.requestsPerSecond >= throttle.requestsPerSecond
    ? { state: 'ok', found }
    : {
        state: 'note',
        found,
        advice:
          'The account’s throttle comes first: lower THROTTLE_REQUESTS_PER_SECOND, or raise it in Service Quotas, Amazon API Gateway, Throttle rate.',
      };
}

function judgeTrainers({ trainers, emulated }: Pick<Config, 'trainers' | 'emulated'>): Judged {
  if (!trainers.includes('gpu')) return { state: 'ok', found: trainers.join(', ') };
  return {
    state: 'note',
    found: 'gpu, whose work a machine of yours does',
    ...(emulated
      ? {}
      : {
          advice:
            'Trainings wait for such a machine (trainer/gpu/README.md); SAGEMAKER_INSTANCE_TYPE has SageMaker do it.',
        }),
  };
}

/** Whether SageMaker's quota allows a machine of the configured type. */
export function judgeTrainingQuota(name: string, value: number | null): Judged {
  if (value === null) {
    return {
      state: 'missing',
      found: `SageMaker has no quota called "${name}" in this region`,
      advice: 'Set SAGEMAKER_INSTANCE_TYPE to a type that the region has.',
    };
  }
  return value >= 1
    ? { state: 'ok', found: `SageMaker: ${name}: ${value}` }
    : {
        state: 'missing',
        found: `SageMaker: ${name}: 0`,
        advice: 'Have it raised to 1 or more: Service Quotas, Amazon SageMaker, by this name.',
      };
}

/** Whether Amazon Bedrock imports models here, and the account may have one. */
export function judgeImportQuota(quota: number | null, region: string): Judged {
  if (!IMPORT_REGIONS.includes(region)) {
    return {
      state: 'note',
      found: `Amazon Bedrock imports no models in ${region}, but in ${IMPORT_REGIONS.join(', ')}`,
      advice: 'Deploy the stage there, or name amazon_sagemaker in TRAINED_MODELS.',
    };
  }
  const found = `Amazon Bedrock, ${IMPORT_QUOTA}: ${quota ?? 'not said by Service Quotas'}`;
  if (quota === null) return { state: 'note', found };
  return quota >= 1
    ? { state: 'ok', found }
    : {
        state: 'missing',
        found,
        advice: `Have it raised to 1 or more: Service Quotas, Amazon Bedrock, "${IMPORT_QUOTA}".`,
      };
}

/** Whether SageMaker's quotas allow an instance for each model that the installation would deploy there. */
export function judgeEndpointQuotas(quotas: ReadonlyMap<string, number>, target: DeploymentTarget): Judged {
  const best = { gguf_key: null } as TrainingRecord['best'];
  const isGiven = (model: string): boolean =>
    choosePlatform(target, { model, best }).platform === 'amazon_sagemaker';
  const types = [...modelsOfInstances()]
    .map(([type, models]) => [type, models.filter(isGiven)] as const)
    .filter(([, models]) => models.length > 0);
  const found = `SageMaker, for endpoint usage: ${types.map(([type]) => `${type}: ${quotas.get(type) ?? 'none here'}`).join(', ')}`;
  const lacking = types.filter(([type]) => (quotas.get(type) ?? 0) < 1);
  if (lacking.length === 0) return { state: 'ok', found };
  const models = lacking.flatMap(([, ofType]) => ofType).join(', ');
  const raise = `Service Quotas, Amazon SageMaker, "${lacking.map(([type]) => type).join('", "')} for endpoint usage"`;
  return lacking.length === types.length
    ? {
        state: 'missing',
        found,
        advice: `No trained model could be deployed. Have a quota raised to 1 or more (${raise}), or leave amazon_sagemaker out of TRAINED_MODELS.`,
      }
    : {
        state: 'note',
        found,
        advice: `Models trained from ${models} cannot be deployed before it is raised: ${raise}.`,
      };
}
