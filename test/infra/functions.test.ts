import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AUTHORIZER_FUNCTION_ID,
  endpointFunctionId,
  functionIds,
  functionName,
  taskFunctionId,
} from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import {
  envNames,
  functionNameName,
  modelIdName,
  secretArnName,
  stateMachineArnName,
  trainerQueueUrlName,
} from '#shared/platform/runtime/env-names.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { allBackgroundFunctions as backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { EVERYTHING, flatten, type Resource, resourcesOf, synthesize } from './synthesize.ts';

/** All that can be deployed. */

const dev = synthesize('dev', EVERYTHING);
const production = synthesize('prod');

/** Functions of ours; CDK adds one that empties the buckets of a stage that is not kept. */
const functions = new Map(
  [dev.pipelines, dev.api].flatMap((template) =>
    resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, resource]) => [String(resource.Properties.FunctionName), { template, resource }] as const,
    ),
  ),
);

function propertiesOf(functionId: string): Resource['Properties'] {
  const found = functions.get(functionName('dev', functionId));
  if (found === undefined) throw new Error(`no function ${functionId}`);
  return found.resource.Properties;
}

const idOf = (wanted: Resource): string | undefined =>
  resourcesOf(dev.pipelines, 'AWS::Lambda::Function').find(([, resource]) => resource === wanted)?.[0];

const environmentOf = (functionId: string): Record<string, unknown> =>
  (propertiesOf(functionId).Environment as { Variables: Record<string, unknown> }).Variables;

it('every function is one of the contracts, and every contract has one', () => {
  expect([...functions.keys()].sort()).toEqual(functionIds.map((id) => functionName('dev', id)).sort());
});

/** Functions that run what callers wrote. */
const SEALED = ['tasks/witnesses/run-code'];

it('every function runs on Node.js 24 for x86, with traces', () => {
  for (const [name, { resource }] of functions) {
    const isSealed = SEALED.some((id) => name === functionName('dev', id));
    expect(resource.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['x86_64'],
      Handler: 'index.handler',
      ...(isSealed ? {} : { TracingConfig: { Mode: 'Active' } }),
    });
    expect(resource.Properties.TracingConfig === undefined).toBe(isSealed);
  }
});

it('every function asks for no more memory than new accounts are given', () => {
  for (const template of [dev.data, dev.pipelines, dev.api, dev.operations]) {
    for (const [id, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
      expect(Properties.MemorySize, id).toBeLessThanOrEqual(3008);
    }
  }
});

it('every function writes to a log group of its own that forgets', () => {
  for (const [stack, days] of [
    [dev, 14],
    [production, 90],
  ] as const) {
    for (const template of [stack.pipelines, stack.api]) {
      const groups = new Map(resourcesOf(template, 'AWS::Logs::LogGroup'));
      for (const group of groups.values()) expect(group.Properties.RetentionInDays).toBe(days);
      for (const [, { Properties }] of resourcesOf(template, 'AWS::Lambda::Function')) {
        const { LogGroup: reference } = Properties.LoggingConfig as { LogGroup: { Ref: string } };
        expect(groups.get(reference.Ref)?.Properties.LogGroupName).toBe(
          `/aws/lambda/${Properties.FunctionName}`,
        );
      }
    }
  }
});

it.each(contracts.map((contract) => [endpointFunctionId(contract), contract] as const))(
  '%s ends before the gateway gives up',
  (id, { streams }) => {
    const { Timeout } = propertiesOf(id);
    if (streams !== undefined) expect(Timeout).toBe(900);
    else {
      expect(Timeout).toBeGreaterThan(25);
      expect(Timeout).toBeLessThan(29);
    }
  },
);

it('a function of the API has no layer', () => {
  for (const contract of contracts) expect(propertiesOf(endpointFunctionId(contract)).Layers).toBeUndefined();
});

it('a function of the API knows the table wherever a key is needed, since requests are counted there', () => {
  for (const contract of contracts) {
    const environment = environmentOf(endpointFunctionId(contract));
    const expected =
      contract.scope !== null || permissionsOf(endpointFunctionId(contract)).table !== undefined;
    expect(envNames.tableName in environment).toBe(expected);
  }
});

it('the authorizer answers within ten seconds, a cold start on a busy day included', () => {
  expect(propertiesOf(AUTHORIZER_FUNCTION_ID).Timeout).toBe(10);
});

const tasks = [
  ...pipelines.flatMap((pipeline) =>
    Object.entries(pipeline.tasks).map(([name, task]) => [taskFunctionId(pipeline.id, name), task] as const),
  ),
  ...backgroundFunctions.map((contract) => [contract.id, contract] as const),
];

describe('a task', () => {
  it.each(tasks)('%s has the memory, the time, the disk and the layers of its contract', (id, task) => {
    const properties = propertiesOf(id);

    expect(properties.MemorySize).toBe(task.memoryMb);
    expect(properties.Timeout).toBe(task.timeoutSeconds);
    expect((properties.EphemeralStorage as { Size: number } | undefined)?.Size).toBe(task.ephemeralStorageMb);
    expect((properties.Layers as unknown[] | undefined)?.length ?? 0).toBe(task.layers?.length ?? 0);
  });
});

it('a function that goes on in another call of itself is not ended as a loop, and no other function may be one', () => {
  const allowed = [...functions]
    .filter(([, { resource }]) => resource.Properties.RecursiveLoop === 'Allow')
    .map(([name]) => name);

  expect(allowed.sort()).toEqual([
    functionName('dev', 'consumers/deliver-webhook'),
    functionName('dev', 'consumers/work-batch'),
    functionName('dev', 'consumers/work-eval-run'),
  ]);
});

it('an asynchronous invocation is repeated after a failure, except of functions that callers or a sweep set off again, and of telemetry', () => {
  const configured = resourcesOf(dev.pipelines, 'AWS::Lambda::EventInvokeConfig').map(
    ([, { Properties }]) => [
      [...functions].find(
        ([, { template, resource }]) =>
          template === dev.pipelines && flatten(Properties.FunctionName) === `<${idOf(resource)}>`,
      )?.[0],
      Properties.MaximumRetryAttempts,
      Properties.MaximumEventAgeInSeconds,
    ],
  );

  expect(configured.sort()).toEqual(
    [
      ['consumers/deliver-webhook', 60] as const,
      // What a receiver does not take is lost; what waits for an execution is not.
      ['consumers/forward-telemetry', 21_600] as const,
      ['tasks/deployments/advance-deployment', 60] as const,
      ...['build-diff', 'build-export', 'index-rows', 'look-at-rows'].map(
        (name) => [`tasks/exports/${name}`, 300] as const,
      ),
      ['tasks/witnesses/run-code', 300] as const,
    ].map(([id, seconds]) => [functionName('dev', id), 0, seconds]),
  );
});

describe('the environment of a function', () => {
  const withServices = synthesize('dev', {
    MODEL_ID: 'm',
    SEARCH_BASE_URL: 'http://search.example',
    HUGGINGFACE_BASE_URL: 'http://hub.internal:8080',
    EGRESS_ALLOW: 'hub.internal:8080',
  });
  const declared = [...contracts.map(endpointFunctionId), ...tasks.map(([id]) => id)].map(
    (id) => [id, permissionsOf(id)] as const,
  );

  it.each(declared)('%s has the names that its needs call for, and no other resource', (id, uses) => {
    const settings: string[] = [
      envNames.stage,
      envNames.modelConcurrency,
      envNames.modelContextTokens,
      envNames.modelSeesImages,
      envNames.evaluationSampleRows,
      envNames.uploadBytesMax,
      envNames.uploadsWaitingBytesMax,
      envNames.tableName,
    ];
    const named = Object.keys(environmentOf(id)).filter((name) => !settings.includes(name));

    const expected = [
      ...(uses.bucket === undefined ? [] : [envNames.bucketName]),
      ...(uses.bucketOrigin === true ? [envNames.bucketOrigin] : []),
      ...new Set(
        [...(uses.starts ?? []), ...(uses.observes ?? []), ...(uses.stops ?? [])].map(stateMachineArnName),
      ),
      ...(uses.invokes ?? []).map(functionNameName),
      ...(uses.secrets ?? []).map(secretArnName),
      ...(uses.imports === true
        ? [envNames.huggingFaceUrl, envNames.kaggleUrl, envNames.googleSheetsUrl]
        : []),
      ...(uses.imports === true || uses.egress === true ? [envNames.egressAllow] : []),
      ...(uses.connections === true ? [envNames.connectionsPrefix] : []),
      ...(uses.publishesEvents === true ? [envNames.eventBusName] : []),
      ...(uses.trainers === true ? [envNames.trainers] : []),
      ...(uses.trainingJobs === 'launch'
        ? [
            envNames.trainingJobImage,
            envNames.trainingJobRoleArn,
            envNames.trainingJobSourceUrl,
            envNames.trainingJobInstanceType,
            envNames.trainingJobVolumeGb,
            envNames.trainingJobHoursMax,
            envNames.trainingJobSpot,
            envNames.jobTags,
          ]
        : []),
      ...(uses.trainerQueues === true
        ? [trainerQueueUrlName('gpu'), functionNameName('tasks/attempts/lend-credentials')]
        : []),
      ...(uses.lendsCredentials === true ? [envNames.attemptRoleArn] : []),
      ...(uses.deploysModels === undefined
        ? []
        : [envNames.trainedModels, envNames.trainedModelsIdleDays, envNames.trainedModelsHours]),
      ...(uses.deploysModels === 'write'
        ? [
            envNames.modelImportRoleArn,
            envNames.modelEndpointImage,
            envNames.modelEndpointRoleArn,
            envNames.jobTags,
          ]
        : []),
      ...((uses.models ?? []).length === 0 && uses.listsModels !== true
        ? []
        : [envNames.modelTimeoutSeconds]),
      ...((uses.models ?? []).length === 0 ? [] : [envNames.modelCallLogs]),
      ...(uses.telemetry === true ? [envNames.otlpEndpoint, envNames.modelProvider] : []),
      ...((uses.models ?? []).length === 0 && uses.listsModels !== true && uses.batchJobs === undefined
        ? []
        : [envNames.modelProvider]),
      ...(uses.batchJobs === undefined ? [] : [envNames.modelBatchJobs]),
      ...(uses.batchJobs === undefined || uses.batchJobs === 'read'
        ? []
        : [envNames.batchJobRoleArn, envNames.jobTags]),
      ...((uses.models ?? []).length === 0 ? [] : [envNames.modelOutageSeconds, envNames.modelCachesPrompts]),
      ...(uses.models?.includes('respond') === true || uses.listsModels === true
        ? [envNames.hostedModels, envNames.modelRespondApi]
        : []),
      ...new Set([...(uses.models ?? []), ...(uses.modelIds ?? [])].map(modelIdName)),
    ];
    expect(named.sort()).toEqual(expected.sort());
  });

  it('the environment of a function holds no secret, only its name', () => {
    for (const { resource } of functions.values()) {
      const { Variables } = resource.Properties.Environment as { Variables: Record<string, unknown> };
      for (const [name, value] of Object.entries(Variables)) {
        if (/KEY|TOKEN$|SECRET|SIGNING|PASSWORD/.test(name)) {
          expect(value).toMatch(/^tunesmith\/dev\/[a-z-]+$/);
        }
      }
    }
  });

  it('the environment of a function says where the web search is to those that search, or must know whether they can', () => {
    const text = (stacks: ReturnType<typeof synthesize>) => JSON.stringify([stacks.pipelines, stacks.api]);
    const using = declared.filter(([, uses]) => uses.search === true).map(([id]) => id);

    expect(using.sort()).toEqual([
      'api/datasets/adapt',
      'api/datasets/pilots/create',
      'api/datasets/run',
      'tasks/adapt/adapt-chunk',
      'tasks/pilot/adapt-chunk',
    ]);
    expect(text(withServices).match(/"SEARCH_BASE_URL":"http:\/\/search\.example"/g)).toHaveLength(5);
    expect(text(synthesize('dev'))).not.toMatch(/"SEARCH_/);
  });

  it('the environment of a function says where imports may come from to those that take their addresses or follow them', () => {
    const text = JSON.stringify(withServices);

    expect(text.match(/"HUGGINGFACE_BASE_URL":"http:\/\/hub\.internal:8080"/g)).toHaveLength(4);
    expect(text.match(/"EGRESS_ALLOW":"hub\.internal:8080"/g)).toHaveLength(15);
    expect(environmentOf('tasks/import/download-files')).toMatchObject({
      HUGGINGFACE_BASE_URL: 'https://huggingface.co',
      KAGGLE_BASE_URL: 'https://www.kaggle.com',
      GOOGLE_SHEETS_BASE_URL: 'https://docs.google.com',
      EGRESS_ALLOW: '',
      CONNECTIONS_PREFIX: 'tunesmith/dev/connections',
    });
  });

  it('the environment of a function says where the model is when it is not on Bedrock', () => {
    const other = synthesize('dev', { MODEL_BASE_URL: 'http://models.example/v1', MODEL_ID: 'm' });
    const text = JSON.stringify(other.pipelines);

    expect(text).toContain('"MODEL_BASE_URL":"http://models.example/v1"');
    expect(text).not.toContain('bedrock:');
  });
});

describe('a background function', () => {
  const queues = resourcesOf(dev.pipelines, 'AWS::SQS::Queue');
  const [queueId] = queues[0] ?? [''];
  const rules = resourcesOf(dev.pipelines, 'AWS::Events::Rule').map(([, { Properties }]) => Properties);

  it('a background function leaves an event that failed for good in the dead-letter queue, which is encrypted', () => {
    const [[, deadLetters] = [], ...others] = queues;
    expect(deadLetters?.Properties).toMatchObject({ SqsManagedSseEnabled: true });
    for (const [, { Properties }] of others) {
      const redrive = Properties.RedrivePolicy as { deadLetterTargetArn: unknown };
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true });
      expect(flatten(redrive.deadLetterTargetArn)).toBe(`<${queueId}.Arn>`);
    }
    // The sweep starts what a dropped invocation would have sent; telemetry is lost.
    const without = [
      'consumers/deliver-webhook',
      'consumers/forward-telemetry',
      'tasks/deployments/advance-deployment',
      ...SEALED,
    ];
    for (const id of without) expect(propertiesOf(id).DeadLetterConfig).toBeUndefined();
    for (const { id } of backgroundFunctions.filter(({ id }) => !without.includes(id))) {
      expect(flatten((propertiesOf(id).DeadLetterConfig as { TargetArn: unknown }).TargetArn)).toBe(
        `<${queueId}.Arn>`,
      );
    }
    for (const { Targets } of rules) {
      for (const target of Targets as { DeadLetterConfig: { Arn: unknown } }[]) {
        expect(flatten(target.DeadLetterConfig.Arn)).toBe(`<${queueId}.Arn>`);
      }
    }
  });

  it('a background function hears of executions that failed, were aborted or timed out, of the machines that its contract names', () => {
    const patterns = rules.flatMap(({ EventPattern }) => {
      const { detail } = (EventPattern ?? {}) as {
        detail?: { status?: string[]; stateMachineArn: unknown[] };
      };
      return detail?.status === undefined ? [] : [detail];
    });
    const expected = backgroundFunctions.flatMap(({ trigger }) =>
      trigger.kind === 'ended-executions' ? [trigger.pipelines] : [],
    );

    expect(patterns).toHaveLength(2);
    for (const { status } of patterns) expect(status).toEqual(['FAILED', 'ABORTED', 'TIMED_OUT']);
    expect(patterns.map(({ stateMachineArn }) => stateMachineArn.map(flatten))).toEqual(
      expected.map((ids) =>
        ids.map((id) => `arn:aws:states:REGION:ACCOUNT:stateMachine:tunesmith-dev-${id}`),
      ),
    );
  });

  const RATES: Readonly<Record<number, string>> = {
    60: 'rate(1 hour)',
    1: 'rate(1 minute)',
    5: 'rate(5 minutes)',
  };

  it('a background function runs on the schedule of its contract', () => {
    const scheduled = backgroundFunctions.filter(({ trigger }) => trigger.kind === 'schedule');

    expect(rules.flatMap(({ ScheduleExpression }) => ScheduleExpression ?? [])).toEqual(
      scheduled.map(({ trigger }) => (trigger.kind === 'schedule' ? RATES[trigger.everyMinutes] : null)),
    );
  });
});

const resourcesIn = (file: string): number =>
  Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { Resources?: object }).Resources ?? {}).length;

it('no template comes near the limits of CloudFormation: 500 resources, 200 outputs and parameters, a megabyte', () => {
  expect(dev.templateFiles.length).toBeGreaterThan(4);
  for (const file of dev.templateFiles) {
    const text = readFileSync(file, 'utf8');
    const { Outputs = {}, Parameters = {} } = JSON.parse(text) as Record<string, object>;

    expect(resourcesIn(file), file).toBeLessThan(400);
    expect(Object.keys(Outputs).length, file).toBeLessThan(100);
    expect(Object.keys(Parameters).length, file).toBeLessThan(100);
    expect(text.length, file).toBeLessThan(700_000);
  }
});

it('the API stack has room for a hundred further routes, of two resources each', () => {
  const api = dev.templateFiles.find((file) => file.endsWith('/Api.template.json')) ?? '';
  const { Resources } = JSON.parse(readFileSync(api, 'utf8')) as Record<string, Record<string, Resource>>;
  const ofRoutes = Object.values(Resources ?? {}).filter(({ Type }) =>
    ['AWS::ApiGateway::Method', 'AWS::ApiGateway::Resource'].includes(Type),
  ).length;
  const eachRoute = ofRoutes / contracts.length;

  expect(eachRoute).toBeLessThanOrEqual(2);
  expect(resourcesIn(api) + 100 * eachRoute).toBeLessThan(500);
});
