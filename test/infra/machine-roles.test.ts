import { expect, it } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { operationFiles } from '#test/helpers/source/layer-files.ts';
import { expressionIn, type Machine, type State } from '../statemachines/definition.ts';
import { flatten, grantsOf, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const { pipelines: template } = synthesize('dev', { MODEL_ID: 'vendor.text-model-v1:0' });

const operations = [...operationFiles().values()].join('\n');

/** The first part of the keys that operations give to a field, or to a variable of its name. */
function foldersOf(field: RegExp): string[] {
  const named = [...operations.matchAll(field)].map(([, name]) => name as keyof typeof objectKeys);
  return named.map((name) => {
    const key = (objectKeys[name] as (...parts: unknown[]) => string)('id', 1, 1);
    return key.slice(0, key.indexOf('/') + 1);
  });
}

const plans = foldersOf(/(?:[pP]lanKey = |plan_key: )(?:\w[\w.]* \? )?objectKeys\.(\w+)\(/g);
const resultPrefixes = foldersOf(/results_prefix: objectKeys\.(\w+)\(/g);

interface Deployed {
  readonly arn: string;
  readonly machine: Machine;
  readonly resource: Resource;
  readonly grants: readonly string[];
}

const arnOf = (name: unknown): string => `arn:aws:states:REGION:ACCOUNT:stateMachine:${name}`;
const executionsOf = (arn: string): string => arn.replace(':stateMachine:', ':execution:');

const deployed: readonly Deployed[] = resourcesOf(template, 'AWS::StepFunctions::StateMachine').map(
  ([, resource]) => {
    const { DefinitionString, DefinitionSubstitutions = {}, StateMachineName, RoleArn } = resource.Properties;
    const definition = Object.entries(DefinitionSubstitutions as object).reduce(
      (text, [token, value]) => text.replaceAll(`\${${token}}`, flatten(value)),
      flatten(DefinitionString),
    );
    const role = template.Resources[flatten(RoleArn).replace(/^<(.*)\.Arn>$/, '$1')];
    if (role === undefined) throw new Error(`${StateMachineName} has no role.`);
    return {
      arn: arnOf(StateMachineName),
      machine: JSON.parse(definition) as Machine,
      resource,
      grants: grantsOf(role).map(({ action, resource: of, condition }) =>
        `${action} ${of} ${condition}`.trim(),
      ),
    };
  },
);

const allStates = ({ States }: Machine): State[] =>
  Object.values(States).flatMap((state) => [
    state,
    ...(state.ItemProcessor === undefined ? [] : allStates(state.ItemProcessor)),
  ]);

/** What those who start a machine give it under a name. */
const inputsOf = (arn: string, name: string): string[] =>
  deployed.flatMap(({ machine }) =>
    allStates(machine).flatMap(({ Arguments: { StateMachineArn, Input } = {} }) => {
      const given = (Input as Record<string, string> | undefined)?.[name];
      return StateMachineArn === arn && given !== undefined ? [given] : [];
    }),
  );

/** The machine's own text before a variable, or what operations put into the variable. */
function prefixesOf(values: readonly string[], fromOperations: readonly string[]): string[] {
  return values.flatMap((value) => {
    const [, literal] = /^"([a-z-]+\/)/.exec(expressionIn(value) ?? '') ?? [];
    return literal === undefined ? [...fromOperations] : [literal];
  });
}

/** What Step Functions needs for one state, as its documentation lists it for each integration. */
function neededBy(state: State, { arn }: Deployed): string[] {
  const { Arguments: { FunctionName: invoked, StateMachineArn: started, QueueUrl: queue } = {} } = state;
  const resource = state.Resource ?? '';
  if (resource === 'arn:aws:states:::lambda:invoke') {
    const functions = expressionIn(invoked) === '$worker_arn' ? inputsOf(arn, 'worker_arn') : [invoked];
    return functions.map((each) => `lambda:InvokeFunction ${each}`);
  }
  if (/^arn:aws:states:::sqs:sendMessage/.test(resource)) {
    return [`sqs:SendMessage ${String(queue).replace(/>$/, '.Arn>')}`];
  }
  if (resource === 'arn:aws:states:::states:startExecution') return [`states:StartExecution ${started}`];
  if (resource === 'arn:aws:states:::states:startExecution.sync:2') {
    const rule = 'arn:aws:events:REGION:ACCOUNT:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule';
    return [
      `states:StartExecution ${started}`,
      ...['DescribeExecution', 'StopExecution'].map(
        (verb) => `states:${verb} ${executionsOf(String(started))}:*`,
      ),
      ...['PutTargets', 'PutRule', 'DescribeRule'].map((verb) => `events:${verb} ${rule}`),
    ];
  }
  if (state.Type === 'Map') return neededByMap(state, arn);
  if (state.Resource !== undefined) throw new Error(`Say in this test what ${resource} needs.`);
  return [];
}

/** No redriving: what became of an execution has been settled, and a run is started again as another. */
function neededByMap(state: State, arn: string): string[] {
  const { ItemReader, ResultWriter, Label } = state as State &
    Record<'ItemReader' | 'ResultWriter', { Resource: string }>;
  expect([ItemReader.Resource, ResultWriter.Resource]).toEqual([
    'arn:aws:states:::s3:getObject',
    'arn:aws:states:::s3:putObject',
  ]);
  const read = prefixesOf(inputsOf(arn, 'plan_key'), plans);
  const written = prefixesOf(inputsOf(arn, 'results_prefix'), resultPrefixes);
  return [
    `states:StartExecution ${arn}`,
    ...['DescribeExecution', 'StopExecution'].flatMap((verb) => [
      `states:${verb} ${executionsOf(arn)}:*`,
      `states:${verb} ${executionsOf(arn)}/${Label}:*`,
    ]),
    ...read.map((prefix) => `s3:GetObject BUCKET/${prefix}*`),
    ...written.flatMap((prefix) =>
      ['GetObject', 'PutObject', 'ListMultipartUploadParts', 'AbortMultipartUpload'].map(
        (verb) => `s3:${verb} BUCKET/${prefix}*`,
      ),
    ),
  ];
}

function neededToTell({ Properties }: Resource): string[] {
  const { LoggingConfiguration, TracingConfiguration } = Properties as {
    LoggingConfiguration?: { Level: string };
    TracingConfiguration?: { Enabled: boolean };
  };
  return [
    ...(LoggingConfiguration === undefined || LoggingConfiguration.Level === 'OFF'
      ? []
      : [
          ...['Create', 'Get', 'Update', 'Delete'].map((verb) => `logs:${verb}LogDelivery *`),
          'logs:ListLogDeliveries *',
          'logs:PutResourcePolicy *',
          'logs:DescribeResourcePolicies *',
          'logs:DescribeLogGroups *',
        ]),
    ...(TracingConfiguration?.Enabled === true
      ? ['PutTraceSegments', 'PutTelemetryRecords', 'GetSamplingRules', 'GetSamplingTargets'].map(
          (verb) => `xray:${verb} *`,
        )
      : []),
  ];
}

it.each(deployed.map((each) => [each.arn.split(':').at(-1), each] as const))(
  '%s allows exactly what its definition does',
  (_, each) => {
    const needed = allStates(each.machine).flatMap((state) => neededBy(state, each));

    expect(needed.length).toBeGreaterThan(0);
    expect([...new Set(each.grants)].sort()).toEqual(
      [...new Set([...needed, ...neededToTell(each.resource)])].sort(),
    );
  },
);

it('the role of a state machine is looked at of every pipeline, with the plans and the results of all that map', () => {
  expect(deployed).toHaveLength(pipelines.length);
  const mapping = deployed.find(({ arn }) => arn.endsWith('-map-chunks'))?.arn ?? '';
  expect(inputsOf(mapping, 'plan_key').length).toBeGreaterThan(8);
  expect(inputsOf(mapping, 'worker_arn')).toHaveLength(inputsOf(mapping, 'plan_key').length);
  expect(plans.length).toBeGreaterThan(10);
  expect([...new Set(plans)].sort()).toEqual(['runs/', 'trainings/']);
});
