import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { ExecutionStatus, Executions, StartedPipeline } from '../decide/executions.ts';

const statuses: Record<string, ExecutionStatus> = {
  RUNNING: 'running',
  PENDING_REDRIVE: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  ABORTED: 'failed',
  TIMED_OUT: 'timed_out',
};

export function createExecutions(
  stateMachineArn: (pipeline: StartedPipeline) => string,
  client = new SFNClient({}),
): Executions {
  const arnOf = (pipeline: StartedPipeline, runId: string): string =>
    `${stateMachineArn(pipeline).replace(':stateMachine:', ':execution:')}:${runId}`;
  return {
    async start(pipeline, input) {
      try {
        await client.send(
          new StartExecutionCommand({
            stateMachineArn: stateMachineArn(pipeline),
            name: input.run_id,
            input: JSON.stringify(input),
          }),
        );
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },

    async stop(pipeline, runId) {
      try {
        await client.send(new StopExecutionCommand({ executionArn: arnOf(pipeline, runId) }));
      } catch (error) {
        if (!(error instanceof ExecutionDoesNotExist)) throw error;
      }
    },

    async find(pipeline, runId) {
      try {
        const command = new DescribeExecutionCommand({ executionArn: arnOf(pipeline, runId) });
        const { status } = await client.send(command);
        const known = statuses[status ?? ''];
        if (known === undefined) throw new Error(`Step Functions answered the unknown status ${status}.`);
        return known;
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return 'missing';
        throw error;
      }
    },
  };
}
