import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  CreateInferenceComponentCommand,
  CreateModelCommand,
  DeleteEndpointCommand,
  DeleteEndpointConfigCommand,
  DeleteInferenceComponentCommand,
  DeleteModelCommand,
  DescribeEndpointCommand,
  DescribeInferenceComponentCommand,
  type DescribeInferenceComponentCommandOutput,
  type ProductionVariantInstanceType,
  SageMakerClient,
  UpdateInferenceComponentRuntimeConfigCommand,
} from '@aws-sdk/client-sagemaker';
import type { Network } from '#shared/platform/schema/network.ts';
import { lacksCapacity } from '#shared/training/decide/lacks-capacity.ts';
import type { Hosting } from '../decide/hosting.ts';
import { DeploymentRefused, type EndpointState, type ModelEndpoints, NoCapacity } from '../decide/ports.ts';
import { hidden } from './hidden.ts';
import { nameOf } from './name-of.ts';

export interface ModelEndpointsOptions {
  readonly bucketName: string;
  /** The container that answers. */
  readonly image: string;
  /** ARN of the role that SageMaker assumes for it. */
  readonly roleArn: string;
  /** Tokens of a conversation with its answer. */
  readonly contextTokens: number;
  /** The private network from which the files are read; null for SageMaker's own. */
  readonly network: Network | null;
  readonly tags: Readonly<Record<string, string>>;
}

const VARIANT = 'model';
/** The driver of the host has to be that of the container's CUDA 13; the default one is older. */
const HOST_IMAGE = 'al2023-ami-sagemaker-inference-gpu-4-1' as const;
/** The most that SageMaker waits: a model of 140 GB is read for a quarter of an hour. */
const START_SECONDS = 3600;
/** What a copy asks of an instance, which it has alone. */
const MEMORY_MB = 1024;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** How SageMaker tells that there is no such thing: its client has no class for it. */
const isMissing = (error: unknown): boolean =>
  nameOf(error) === 'ValidationException' && /could not find|does not exist/i.test(messageOf(error));
/** How it tells that there is one of the name, which was made before a crash. */
const isThere = (error: unknown): boolean =>
  nameOf(error) === 'ResourceInUse' ||
  (nameOf(error) === 'ValidationException' && /cannot create already existing/i.test(messageOf(error)));
/** How it tells that something is being made, changed or deleted. */
const isBusy = (error: unknown): boolean =>
  nameOf(error) === 'ResourceInUse' ||
  (nameOf(error) === 'ValidationException' && /in[-_ ]progress/i.test(messageOf(error)));

/**
 * How it tells that it does not see yet what it made a moment ago: "a load call is made to DynamoDB", of which the answer may be stale
 * (https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateEndpoint.html). It advises to ask again.
 */
const isNotSeenYet = (error: unknown): boolean =>
  nameOf(error) === 'ValidationException' &&
  /could not find (?:endpoint configuration|model|endpoint) "/i.test(messageOf(error));

/** An account whose quota of a type is 0, as that of most types is in most accounts. */
const NONE_ALLOWED = /for endpoint usage' is 0 Instances/i;

/** The requests that make an endpoint: all that belongs to it has its name. */
function requestsOf({ bucketName, image, roleArn, contextTokens, network, tags }: ModelEndpointsOptions) {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const timeouts = {
    ModelDataDownloadTimeoutInSeconds: START_SECONDS,
    ContainerStartupHealthCheckTimeoutInSeconds: START_SECONDS,
  };
  const isolation = {
    // The container reads the files and answers: it needs no network.
    EnableNetworkIsolation: true,
    ...(network === null
      ? {}
      : {
          VpcConfig: { Subnets: [...network.subnets], SecurityGroupIds: [...network.securityGroups] },
        }),
  };
  return {
    model: (name: string, prefix: string, hosting: Hosting) => ({
      ModelName: name,
      ExecutionRoleArn: roleArn,
      PrimaryContainer: {
        Image: image,
        ModelDataSource: {
          S3DataSource: {
            S3Uri: `s3://${bucketName}/${prefix}`,
            S3DataType: 'S3Prefix' as const,
            CompressionType: 'None' as const,
          },
        },
        Environment: environmentOf(name, hosting, contextTokens),
      },
      ...isolation,
      Tags,
    }),
    configuration: (name: string, { instanceType }: Hosting) => ({
      EndpointConfigName: name,
      ExecutionRoleArn: roleArn,
      ProductionVariants: [
        {
          VariantName: VARIANT,
          InstanceType: instanceType as ProductionVariantInstanceType,
          InitialInstanceCount: 1,
          InferenceAmiVersion: HOST_IMAGE as typeof HOST_IMAGE,
          ...timeouts,
          ManagedInstanceScaling: { Status: 'ENABLED' as const, MinInstanceCount: 0, MaxInstanceCount: 1 },
          RoutingConfig: { RoutingStrategy: 'LEAST_OUTSTANDING_REQUESTS' as const },
        },
      ],
      ...isolation,
      Tags,
    }),
    endpoint: (name: string) => ({ EndpointName: name, EndpointConfigName: name, Tags }),
    component: (name: string, { accelerators }: Hosting) => ({
      InferenceComponentName: name,
      EndpointName: name,
      VariantName: VARIANT,
      Specification: {
        ModelName: name,
        StartupParameters: timeouts,
        ComputeResourceRequirements: {
          NumberOfAcceleratorDevicesRequired: accelerators,
          MinMemoryRequiredInMb: MEMORY_MB,
        },
      },
      RuntimeConfig: { CopyCount: 1 },
      Tags,
    }),
  };
}

/** What a request finds; null if there is no such thing. */
async function look<T>(asked: () => Promise<T>): Promise<T | null> {
  try {
    return await asked();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Makes a part; one that is there stays.
 * @throws {DeploymentRefused} if SageMaker refuses it for good; its own error where asking again may help
 */
async function create(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (isThere(error)) return;
    if (nameOf(error) === 'AccessDeniedException') {
      throw new DeploymentRefused(
        'The installation may not make endpoints. Ask your operator to look at the log of the function that advances deployments.',
        { cause: error },
      );
    }
    if (nameOf(error) === 'ValidationException' && !isNotSeenYet(error)) {
      throw new DeploymentRefused(`Amazon SageMaker refused the endpoint: ${hidden(messageOf(error))}`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Deletes what was found. @returns whether it is gone: what is being made or deleted is waited for */
async function isDeleted(found: unknown, request: () => Promise<unknown>): Promise<boolean> {
  if (found === null) return true;
  try {
    await request();
  } catch (error) {
    if (!isMissing(error) && !isBusy(error)) throw error;
  }
  return false;
}

/**
 * Endpoints of Amazon SageMaker, each with one inference component, whose copy comes and goes with its instance:
 * https://docs.aws.amazon.com/sagemaker/latest/dg/endpoint-auto-scaling-zero-instances.html
 */
export function createModelEndpoints(
  options: ModelEndpointsOptions,
  client = new SageMakerClient({}),
): ModelEndpoints {
  const requests = requestsOf(options);
  const lookAtComponent = (name: string) =>
    look(() => client.send(new DescribeInferenceComponentCommand({ InferenceComponentName: name })));
  const lookAtEndpoint = (name: string) =>
    look(() => client.send(new DescribeEndpointCommand({ EndpointName: name })));

  const prepare = (name: string, hosting: Hosting): Promise<void> =>
    create(() => client.send(new CreateEndpointConfigCommand(requests.configuration(name, hosting))));

  async function createEndpoint(name: string, prefix: string, hosting: Hosting): Promise<void> {
    await prepare(name, hosting);
    await create(() => client.send(new CreateModelCommand(requests.model(name, prefix, hosting))));
    await create(() => client.send(new CreateEndpointCommand(requests.endpoint(name))));
  }

  async function step(name: string, prefix: string, hosting: Hosting): Promise<EndpointState> {
    const component = await lookAtComponent(name);
    if (component !== null) {
      switch (component.InferenceComponentStatus) {
        case 'InService':
          return { state: 'done', modelArn: component.InferenceComponentArn ?? name };
        case 'Failed':
          return lacksCapacity(component.FailureReason)
            ? { state: 'no_capacity', hadInstance: true }
            : failedFor(component.FailureReason);
        default:
          return { state: 'running' };
      }
    }
    const endpoint = await lookAtEndpoint(name);
    if (endpoint === null) await createEndpoint(name, prefix, hosting);
    else if (endpoint.EndpointStatus === 'Failed') {
      return lacksCapacity(endpoint.FailureReason)
        ? { state: 'no_capacity', hadInstance: false }
        : failedFor(endpoint.FailureReason);
    } else if (endpoint.EndpointStatus === 'InService') {
      await create(() => client.send(new CreateInferenceComponentCommand(requests.component(name, hosting))));
    }
    return { state: 'running' };
  }

  return {
    prepare,

    async make(name, prefix, hosting) {
      try {
        return await step(name, prefix, hosting);
      } catch (error) {
        if (nameOf(error) !== 'ResourceLimitExceeded') throw error;
        if (!NONE_ALLOWED.test(messageOf(error))) return { state: 'no_room' };
        throw new DeploymentRefused(
          `The account of the installation may have no ${hosting.instanceType}. Ask your operator to raise the quota "${hosting.instanceType} for endpoint usage" of Amazon SageMaker.`,
          { cause: error },
        );
      }
    },

    async copiesOf(name) {
      const { RuntimeConfig } = requireUsable(await lookAtComponent(name));
      const variants = (await lookAtEndpoint(name))?.ProductionVariants ?? [];
      return {
        desired: RuntimeConfig?.DesiredCopyCount ?? 0,
        current: RuntimeConfig?.CurrentCopyCount ?? 0,
        instances: variants.reduce((sum, { CurrentInstanceCount = 0 }) => sum + CurrentInstanceCount, 0),
      };
    },

    async setCopies(name, copies) {
      try {
        await client.send(
          new UpdateInferenceComponentRuntimeConfigCommand({
            InferenceComponentName: name,
            DesiredRuntimeConfig: { CopyCount: copies },
          }),
        );
        return true;
      } catch (error) {
        requireUsable(await lookAtComponent(name), error);
        // One that starts or ends takes no change, and an account may have no room for an instance: the next sweep asks again.
        if (isBusy(error) || nameOf(error) === 'ResourceLimitExceeded') return false;
        throw error;
      }
    },

    async remove(name) {
      const deleteComponent = new DeleteInferenceComponentCommand({ InferenceComponentName: name });
      if (!(await isDeleted(await lookAtComponent(name), () => client.send(deleteComponent)))) return false;
      const deleteEndpoint = new DeleteEndpointCommand({ EndpointName: name });
      if (!(await isDeleted(await lookAtEndpoint(name), () => client.send(deleteEndpoint)))) return false;
      await look(() => client.send(new DeleteEndpointConfigCommand({ EndpointConfigName: name })));
      await look(() => client.send(new DeleteModelCommand({ ModelName: name })));
      return true;
    },
  };
}

/** @throws {DeploymentRefused} if there is no component any more, or it has failed; {NoCapacity} if it failed of that */
function requireUsable(
  found: DescribeInferenceComponentCommandOutput | null,
  cause?: unknown,
): DescribeInferenceComponentCommandOutput {
  if (found !== null && found.InferenceComponentStatus !== 'Failed') return found;
  if (lacksCapacity(found?.FailureReason))
    throw new NoCapacity(hidden(found?.FailureReason ?? ''), { cause });
  const reason = found === null ? 'the endpoint was deleted' : hidden(found.FailureReason ?? '');
  throw new DeploymentRefused(`Amazon SageMaker does not start the model any more: ${reason}`, { cause });
}

const failedFor = (reason: string | undefined): EndpointState => ({
  state: 'failed',
  reason: hidden(reason ?? 'it gave no reason'),
});

/** Each variable is an argument of vLLM: https://aws.github.io/deep-learning-containers/vllm/deployment/sagemaker/ */
const environmentOf = (
  name: string,
  { accelerators, reasoningParser, contextTokens: ownTokens }: Hosting,
  contextTokens: number,
): Record<string, string> => ({
  SM_VLLM_MODEL: '/opt/ml/model',
  SM_VLLM_SERVED_MODEL_NAME: name,
  // vLLM does not start with more than the model can.
  SM_VLLM_MAX_MODEL_LEN: String(Math.min(contextTokens, ownTokens)),
  SM_VLLM_TENSOR_PARALLEL_SIZE: String(accelerators),
  ...(reasoningParser === undefined ? {} : { SM_VLLM_REASONING_PARSER: reasoningParser }),
  // Models that also see are asked with texts alone, as they are trained.
  SM_VLLM_LANGUAGE_MODEL_ONLY: 'true',
  // Nothing is asked of a network that is not there.
  HF_HUB_OFFLINE: '1',
  VLLM_NO_USAGE_STATS: '1',
  // Files of a model are data: none is installed.
  STANDARD_AUTO_INSTALL_REQ: 'false',
});
