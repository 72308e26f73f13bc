import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createExecutions } from '#shared/runs/adapters/executions.ts';

const sfn = mockClient(SFNClient);
afterAll(() => sfn.restore());
const executions = createExecutions(
  (pipeline) => `arn:aws:states:eu-west-1:1:stateMachine:service-dev-${pipeline}`,
  new SFNClient({ region: 'eu-west-1' }),
);
const input = { run_id: 'run-1', dataset_id: 'd', team_id: 't' };

beforeEach(() => {
  sfn.reset();
});

test('a start names the execution by its run, so that there is one at most', async () => {
  sfn.on(StartExecutionCommand).resolves({});

  await executions.start('adapt', input);

  expect(sfn.commandCalls(StartExecutionCommand)[0]?.args[0].input).toEqual({
    stateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:service-dev-adapt',
    name: 'run-1',
    input: JSON.stringify(input),
  });
});

test('a start of an execution that is there does nothing', async () => {
  sfn.on(StartExecutionCommand).rejects(new ExecutionAlreadyExists({ message: 'exists', $metadata: {} }));

  await expect(executions.start('adapt', input)).resolves.toBeUndefined();
});

test('a start that failed otherwise is an error', async () => {
  sfn.on(StartExecutionCommand).rejects(new Error('denied'));

  await expect(executions.start('adapt', input)).rejects.toThrow('denied');
});

test.each([
  ['RUNNING', 'running'],
  ['PENDING_REDRIVE', 'running'],
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['ABORTED', 'failed'],
  ['TIMED_OUT', 'timed_out'],
] as const)('%s is %s', async (status, expected) => {
  sfn
    .on(DescribeExecutionCommand, {
      executionArn: 'arn:aws:states:eu-west-1:1:execution:service-dev-ingest:run-1',
    })
    .resolves({ status });

  expect(await executions.find('ingest', 'run-1')).toBe(expected);
});

test('the status of no execution is that it is missing', async () => {
  sfn.on(DescribeExecutionCommand).rejects(new ExecutionDoesNotExist({ message: 'no', $metadata: {} }));

  expect(await executions.find('adapt', 'run-1')).toBe('missing');
});

test('the status that could not be asked for is not taken for a missing one', async () => {
  sfn.on(DescribeExecutionCommand).rejects(new Error('throttled'));

  await expect(executions.find('adapt', 'run-1')).rejects.toThrow('throttled');
});

test('the status that nobody knows is an error', async () => {
  sfn.on(DescribeExecutionCommand).resolves({ status: 'NAPPING' as never });

  await expect(executions.find('adapt', 'run-1')).rejects.toThrow('NAPPING');
});
