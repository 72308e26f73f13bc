import {
  type HistoryEvent,
  paginateGetExecutionHistory,
  paginateListExecutions,
  paginateListStateMachines,
  type SFNClient,
} from '@aws-sdk/client-sfn';

/** Every execution of every state machine with its full history. */
export async function* executionHistories(
  client: SFNClient,
): AsyncGenerator<{ readonly machine: string; readonly events: readonly HistoryEvent[] }> {
  for await (const { stateMachines = [] } of paginateListStateMachines({ client }, {})) {
    for (const { stateMachineArn, name = '' } of stateMachines) {
      for await (const { executions = [] } of paginateListExecutions({ client }, { stateMachineArn })) {
        for (const { executionArn } of executions) {
          const events: HistoryEvent[] = [];
          for await (const page of paginateGetExecutionHistory({ client }, { executionArn })) {
            events.push(...(page.events ?? []));
          }
          yield { machine: name, events };
        }
      }
    }
  }
}
