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
  SageMakerClient,
  UpdateInferenceComponentRuntimeConfigCommand,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createModelEndpoints,
  type ModelEndpointsOptions,
} from '#shared/deployments/adapters/model-endpoints.ts';
import { hostingOf } from '#shared/deployments/decide/hosting.ts';
import { DeploymentRefused, NoCapacity } from '#shared/deployments/decide/ports.ts';

const NAME = 'tunesmith-dev-1';
const PREFIX = 'trainings/x/deployment/model/';
const COMPONENT = `arn:aws:sagemaker:eu-west-1:111122223333:inference-component/${NAME}`;
const IMAGE = '763104351884.dkr.ecr.eu-west-1.amazonaws.com/vllm:server-sagemaker-cuda-v2.3';
const ROLE = 'arn:aws:iam::111122223333:role/endpoints';

const sagemaker = mockClient(SageMakerClient);
const endpointsWith = (options: Partial<ModelEndpointsOptions> = {}) =>
  createModelEndpoints(
    {
      bucketName: 'data',
      image: IMAGE,
      roleArn: ROLE,
      contextTokens: 8192,
      network: null,
      tags: { stage: 'dev' },
      ...options,
    },
    new SageMakerClient({}),
  );
const endpoints = endpointsWith();
const hosting = (model = 'Qwen/Qwen3.6-35B-A3B') => {
  const found = hostingOf(model);
  if (found === null) throw new Error('not known');
  return found;
};
const make = (with_ = endpoints) => with_.make(NAME, PREFIX, hosting());

/** An error as the SDK makes it of an answer. */
const refusal = (name: string, message: string): Error => Object.assign(new Error(message), { name });
const NO_COMPONENT = refusal(
  'ValidationException',
  `Could not find inference component "arn:aws:sagemaker:eu-west-1:111122223333:inference-component/${NAME}".`,
);
const NO_ENDPOINT = refusal(
  'ValidationException',
  `Could not find endpoint "arn:aws:sagemaker:eu-west-1:111122223333:endpoint/${NAME}".`,
);
const quota = (limit: number) =>
  refusal(
    'ResourceLimitExceeded',
    `The account-level service limit 'ml.g6e.12xlarge for endpoint usage' is ${limit} Instances, with current utilization of ${limit} Instances and a request delta of 1 Instances. Please use AWS Service Quotas to request an increase for this quota. If AWS Service Quotas is not available, contact AWS support to request an increase for this quota.`,
  );

beforeEach(() => {
  sagemaker.reset();
  sagemaker.on(DescribeInferenceComponentCommand).rejects(NO_COMPONENT);
  sagemaker.on(DescribeEndpointCommand).rejects(NO_ENDPOINT);
});

const sent = (): string[] => sagemaker.calls().map(({ args: [command] }) => command.constructor.name);

describe('an endpoint of SageMaker', () => {
  test('an endpoint of SageMaker is a model without a network on the files, a configuration that goes down to no instance, and the endpoint', async () => {
    expect(await make()).toEqual({ state: 'running' });

    expect(sagemaker.commandCalls(CreateModelCommand)[0]?.args[0].input).toEqual({
      ModelName: NAME,
      ExecutionRoleArn: ROLE,
      PrimaryContainer: {
        Image: IMAGE,
        ModelDataSource: {
          S3DataSource: { S3Uri: `s3://data/${PREFIX}`, S3DataType: 'S3Prefix', CompressionType: 'None' },
        },
        Environment: {
          SM_VLLM_MODEL: '/opt/ml/model',
          SM_VLLM_SERVED_MODEL_NAME: NAME,
          SM_VLLM_MAX_MODEL_LEN: '8192',
          SM_VLLM_TENSOR_PARALLEL_SIZE: '4',
          SM_VLLM_REASONING_PARSER: 'qwen3',
          SM_VLLM_LANGUAGE_MODEL_ONLY: 'true',
          HF_HUB_OFFLINE: '1',
          VLLM_NO_USAGE_STATS: '1',
          STANDARD_AUTO_INSTALL_REQ: 'false',
        },
      },
      EnableNetworkIsolation: true,
      Tags: [{ Key: 'stage', Value: 'dev' }],
    });
    expect(sagemaker.commandCalls(CreateEndpointConfigCommand)[0]?.args[0].input).toEqual({
      EndpointConfigName: NAME,
      ExecutionRoleArn: ROLE,
      ProductionVariants: [
        {
          VariantName: 'model',
          InstanceType: 'ml.g6e.12xlarge',
          InitialInstanceCount: 1,
          InferenceAmiVersion: 'al2023-ami-sagemaker-inference-gpu-4-1',
          ModelDataDownloadTimeoutInSeconds: 3600,
          ContainerStartupHealthCheckTimeoutInSeconds: 3600,
          ManagedInstanceScaling: { Status: 'ENABLED', MinInstanceCount: 0, MaxInstanceCount: 1 },
          RoutingConfig: { RoutingStrategy: 'LEAST_OUTSTANDING_REQUESTS' },
        },
      ],
      EnableNetworkIsolation: true,
      Tags: [{ Key: 'stage', Value: 'dev' }],
    });
    expect(sagemaker.commandCalls(CreateEndpointCommand)[0]?.args[0].input).toEqual({
      EndpointName: NAME,
      EndpointConfigName: NAME,
      Tags: [{ Key: 'stage', Value: 'dev' }],
    });
  });

  test('an endpoint of SageMaker is configured before its files are there, which tells what the region refuses', async () => {
    await endpoints.prepare(NAME, hosting());
    expect(sent()).toEqual(['CreateEndpointConfigCommand']);

    const message = 'Managed instance scaling with zero instances is not supported for ml.g6e.12xlarge.';
    sagemaker.on(CreateEndpointConfigCommand).rejects(refusal('ValidationException', message));
    const error = await endpoints.prepare(NAME, hosting()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DeploymentRefused);
    expect((error as Error).message).toContain(message);
  });

  test.each([
    ['endpoint configuration', CreateEndpointCommand, 'endpoint-config', null],
    ['model', CreateInferenceComponentCommand, 'model', 'InService'],
    ['endpoint', CreateInferenceComponentCommand, 'endpoint', 'InService'],
  ] as const)(
    'an endpoint of SageMaker that does not see its %s yet has not failed for good',
    async (what, command, resource, EndpointStatus) => {
      if (EndpointStatus !== null) sagemaker.on(DescribeEndpointCommand).resolves({ EndpointStatus });
      const message = `Could not find ${what} "arn:aws:sagemaker:eu-west-1:111122223333:${resource}/${NAME}".`;
      sagemaker
        .on(command as typeof CreateEndpointCommand)
        .rejectsOnce(refusal('ValidationException', message));

      const error = await make().catch((caught: unknown) => caught);
      expect(error).not.toBeInstanceOf(DeploymentRefused);
      expect(await make()).toEqual({ state: 'running' });
    },
  );

  test('an endpoint of SageMaker reads its files through the private network of the operator', async () => {
    await make(endpointsWith({ network: { subnets: ['subnet-1'], securityGroups: ['sg-1'] } }));

    const wanted = { Subnets: ['subnet-1'], SecurityGroupIds: ['sg-1'] };
    expect(sagemaker.commandCalls(CreateModelCommand)[0]?.args[0].input.VpcConfig).toEqual(wanted);
    expect(sagemaker.commandCalls(CreateEndpointConfigCommand)[0]?.args[0].input.VpcConfig).toEqual(wanted);
  });

  test('an endpoint of SageMaker of which a crash left parts is made of what is left', async () => {
    sagemaker
      .on(CreateModelCommand)
      .rejects(
        refusal(
          'ValidationException',
          `Cannot create already existing model "arn:aws:sagemaker:eu-west-1:111122223333:model/${NAME}".`,
        ),
      );
    sagemaker
      .on(CreateEndpointConfigCommand)
      .rejects(
        refusal(
          'ValidationException',
          `Cannot create already existing endpoint configuration "arn:aws:sagemaker:eu-west-1:111122223333:endpoint-config/${NAME}".`,
        ),
      );

    expect(await make()).toEqual({ state: 'running' });
    expect(sagemaker.commandCalls(CreateEndpointCommand)).toHaveLength(1);
  });

  test.each(['Creating', 'Updating'] as const)(
    'an endpoint of SageMaker that is %s is waited for',
    async (EndpointStatus) => {
      sagemaker.on(DescribeEndpointCommand).resolves({ EndpointStatus });

      expect(await make()).toEqual({ state: 'running' });
      expect(sent()).toEqual(['DescribeInferenceComponentCommand', 'DescribeEndpointCommand']);
    },
  );

  test('an endpoint of SageMaker that is in service gets its model as a component, on all GPUs of an instance', async () => {
    sagemaker.on(DescribeEndpointCommand).resolves({ EndpointStatus: 'InService' });

    expect(await make()).toEqual({ state: 'running' });
    expect(sagemaker.commandCalls(CreateInferenceComponentCommand)[0]?.args[0].input).toEqual({
      InferenceComponentName: NAME,
      EndpointName: NAME,
      VariantName: 'model',
      Specification: {
        ModelName: NAME,
        StartupParameters: {
          ModelDataDownloadTimeoutInSeconds: 3600,
          ContainerStartupHealthCheckTimeoutInSeconds: 3600,
        },
        ComputeResourceRequirements: { NumberOfAcceleratorDevicesRequired: 4, MinMemoryRequiredInMb: 1024 },
      },
      RuntimeConfig: { CopyCount: 1 },
      Tags: [{ Key: 'stage', Value: 'dev' }],
    });
  });

  test.each([
    [{ InferenceComponentStatus: 'Creating' }, { state: 'running' }],
    [
      { InferenceComponentStatus: 'InService', InferenceComponentArn: COMPONENT },
      { state: 'done', modelArn: COMPONENT },
    ],
    [
      {
        InferenceComponentStatus: 'Failed',
        FailureReason: `The container for inference component ${COMPONENT} did not pass the ping health check.`,
      },
      {
        state: 'failed',
        reason:
          'The container for inference component an object of the installation did not pass the ping health check.',
      },
    ],
  ] as const)(
    'an endpoint of SageMaker is told by the state of its component: %j',
    async (answer, wanted) => {
      sagemaker.on(DescribeInferenceComponentCommand).resolves(answer as never);

      expect(await make()).toEqual(wanted);
      expect(sent()).toEqual(['DescribeInferenceComponentCommand']);
    },
  );

  test('an endpoint of SageMaker waits where the account has its instances in use, and is refused where it may have none', async () => {
    sagemaker.on(CreateEndpointCommand).rejectsOnce(quota(1)).rejects(quota(0));

    expect(await make()).toEqual({ state: 'no_room' });
    const error = await make().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DeploymentRefused);
    expect((error as Error).message).toContain('quota "ml.g6e.12xlarge for endpoint usage"');
  });

  test.each([
    [
      'AccessDeniedException',
      `User: ${ROLE} is not authorized to perform: sagemaker:CreateModel`,
      /may not make endpoints/,
    ],
    [
      'ValidationException',
      `Could not access model data at s3://data/${PREFIX}.`,
      /refused the endpoint: Could not access model data at an object/,
    ],
    [
      'ValidationException',
      `Could not find model data at s3://data/${PREFIX}.`,
      /refused the endpoint: Could not find model data at an object/,
    ],
  ])(
    'an endpoint of SageMaker that is refused by %s fails for good, without a name of the operator',
    async (name, message, told) => {
      sagemaker.on(CreateModelCommand).rejects(refusal(name, message));

      const error = await make().catch((caught: unknown) => caught);

      expect(error).toBeInstanceOf(DeploymentRefused);
      expect((error as Error).message).toMatch(told);
      expect((error as Error).message).not.toMatch(/arn:|s3:|111122223333/);
    },
  );

  test('an endpoint of SageMaker that meets a throttle is tried again', async () => {
    sagemaker.on(CreateModelCommand).rejects(refusal('ThrottlingException', 'Rate exceeded'));

    const error = await make().catch((caught: unknown) => caught);
    expect(error).not.toBeInstanceOf(DeploymentRefused);
    expect((error as Error).name).toBe('ThrottlingException');
  });
});

describe('the copy of an endpoint', () => {
  const BUSY = refusal('ValidationException', 'Cannot update in-progress inference component.');

  test('the copy of an endpoint is told to SageMaker', async () => {
    expect(await endpoints.setCopies(NAME, 0)).toBe(true);

    expect(sagemaker.commandCalls(UpdateInferenceComponentRuntimeConfigCommand)[0]?.args[0].input).toEqual({
      InferenceComponentName: NAME,
      DesiredRuntimeConfig: { CopyCount: 0 },
    });
  });

  test('the copy of an endpoint is compared with what SageMaker has', async () => {
    sagemaker.on(DescribeInferenceComponentCommand).resolves({
      InferenceComponentStatus: 'InService',
      RuntimeConfig: { DesiredCopyCount: 0, CurrentCopyCount: 1 },
    } as never);
    expect(await endpoints.copiesOf(NAME)).toEqual({ desired: 0, current: 1, instances: 0 });
    sagemaker.on(DescribeEndpointCommand).resolves({
      EndpointStatus: 'InService',
      ProductionVariants: [{ VariantName: 'model', CurrentInstanceCount: 1, DesiredInstanceCount: 0 }],
    } as never);
    expect(await endpoints.copiesOf(NAME)).toEqual({ desired: 0, current: 1, instances: 1 });

    sagemaker.on(DescribeInferenceComponentCommand).rejects(NO_COMPONENT);
    await expect(endpoints.copiesOf(NAME)).rejects.toThrow('the endpoint was deleted');
  });

  test('the copy of an endpoint that is being changed is tried again', async () => {
    sagemaker.on(UpdateInferenceComponentRuntimeConfigCommand).rejects(BUSY);
    sagemaker.on(DescribeInferenceComponentCommand).resolves({ InferenceComponentStatus: 'Updating' });

    expect(await endpoints.setCopies(NAME, 1)).toBe(false);
    const full = refusal('ResourceLimitExceeded', 'The account-level service limit is reached.');
    sagemaker.on(UpdateInferenceComponentRuntimeConfigCommand).rejects(full);
    expect(await endpoints.setCopies(NAME, 1)).toBe(false);
  });

  test.each([
    ['has failed', { InferenceComponentStatus: 'Failed', FailureReason: 'no health' }, /any more: no health/],
    ['is gone', null, /any more: the endpoint was deleted/],
  ] as const)('the copy of an endpoint that %s is not started any more', async (_, found, told) => {
    sagemaker.on(UpdateInferenceComponentRuntimeConfigCommand).rejects(BUSY);
    if (found !== null) sagemaker.on(DescribeInferenceComponentCommand).resolves(found as never);

    const error = await endpoints.setCopies(NAME, 1).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DeploymentRefused);
    expect((error as Error).message).toMatch(told);
  });
});

describe('an endpoint for which AWS has no instance', () => {
  const LACKING =
    'Unable to provision requested ML compute capacity due to InsufficientInstanceCapacity error. Please retry using a different ML instance type or after some time.';

  test('an endpoint for which AWS has no instance may be made again, whether it or its component failed', async () => {
    sagemaker
      .on(DescribeEndpointCommand)
      .resolves({ EndpointStatus: 'Failed', FailureReason: LACKING } as never);
    expect(await make()).toEqual({ state: 'no_capacity', hadInstance: false });

    sagemaker
      .on(DescribeInferenceComponentCommand)
      .resolves({ InferenceComponentStatus: 'Failed', FailureReason: LACKING } as never);
    expect(await make()).toEqual({ state: 'no_capacity', hadInstance: true });
  });

  test('an endpoint for which AWS has no instance any more says so when its copy is asked for', async () => {
    sagemaker.on(UpdateInferenceComponentRuntimeConfigCommand).rejects(refusal('ValidationException', 'x'));
    sagemaker
      .on(DescribeInferenceComponentCommand)
      .resolves({ InferenceComponentStatus: 'Failed', FailureReason: LACKING } as never);

    await expect(endpoints.setCopies(NAME, 1)).rejects.toBeInstanceOf(NoCapacity);
    await expect(endpoints.copiesOf(NAME)).rejects.toBeInstanceOf(NoCapacity);
  });

  test('an endpoint for which AWS has no instance is told from one whose container fails', async () => {
    sagemaker.on(DescribeEndpointCommand).resolves({
      EndpointStatus: 'Failed',
      FailureReason: 'The primary container for production variant model did not pass the ping health check.',
    } as never);

    expect(await make()).toMatchObject({ state: 'failed' });
  });
});

describe('the deletion of an endpoint', () => {
  test('the deletion of an endpoint goes from the component to the model, one after the other is gone', async () => {
    sagemaker.on(DescribeEndpointCommand).resolves({ EndpointStatus: 'InService' });
    sagemaker
      .on(DescribeInferenceComponentCommand)
      .resolves({ InferenceComponentStatus: 'InService' } as never);
    expect(await endpoints.remove(NAME)).toBe(false);
    expect(sagemaker.commandCalls(DeleteInferenceComponentCommand)).toHaveLength(1);
    expect(sagemaker.commandCalls(DeleteEndpointCommand)).toHaveLength(0);

    sagemaker.on(DescribeInferenceComponentCommand).rejects(NO_COMPONENT);
    expect(await endpoints.remove(NAME)).toBe(false);
    expect(sagemaker.commandCalls(DeleteEndpointCommand)).toHaveLength(1);
    expect(sagemaker.commandCalls(DeleteModelCommand)).toHaveLength(0);

    sagemaker.on(DescribeEndpointCommand).rejects(NO_ENDPOINT);
    expect(await endpoints.remove(NAME)).toBe(true);
    expect(sagemaker.commandCalls(DeleteEndpointConfigCommand)[0]?.args[0].input).toEqual({
      EndpointConfigName: NAME,
    });
    expect(sagemaker.commandCalls(DeleteModelCommand)[0]?.args[0].input).toEqual({ ModelName: NAME });
  });

  test('the deletion of an endpoint of which nothing is left is done', async () => {
    const missing = (what: string) => refusal('ValidationException', `Could not find ${what} "${NAME}".`);
    sagemaker.on(DeleteEndpointConfigCommand).rejects(missing('endpoint configuration'));
    sagemaker.on(DeleteModelCommand).rejects(missing('model'));

    expect(await endpoints.remove(NAME)).toBe(true);
  });

  test('the deletion of an endpoint waits while it is made, and fails where it is refused', async () => {
    sagemaker.on(DescribeEndpointCommand).resolves({ EndpointStatus: 'Creating' });
    sagemaker
      .on(DeleteEndpointCommand)
      .rejectsOnce(refusal('ValidationException', 'Cannot update in-progress endpoint.'))
      .rejects(refusal('ThrottlingException', 'Rate exceeded'));

    expect(await endpoints.remove(NAME)).toBe(false);
    await expect(endpoints.remove(NAME)).rejects.toThrow('Rate exceeded');
  });
});
