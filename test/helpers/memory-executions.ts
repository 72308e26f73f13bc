import type {
  ExecutionInput,
  ExecutionStatus,
  Executions,
  StartedPipeline,
} from '#shared/runs/decide/executions.ts';

export interface MemoryExecutions extends Executions {
  /** Inputs by run id, one for each execution that was started. */
  readonly started: Map<string, ExecutionInput>;
  /** Makes an execution end, or never to have been. */
  set(runId: string, status: ExecutionStatus): void;
  /** Makes starts fail until it is called with null. */
  failStarts(error: Error | null): void;
}

export function createMemoryExecutions(): MemoryExecutions {
  const started = new Map<string, ExecutionInput>();
  const statuses = new Map<string, ExecutionStatus>();
  let failure: Error | null = null;
  return {
    started,
    set: (runId, status) => statuses.set(runId, status),
    failStarts: (error) => {
      failure = error;
    },
    start: async (_pipeline: StartedPipeline, input) => {
      if (failure !== null) throw failure;
      if (statuses.has(input.run_id)) return;
      started.set(input.run_id, input);
      statuses.set(input.run_id, 'running');
    },
    stop: async (_pipeline, runId) => {
      if (statuses.get(runId) === 'running') statuses.set(runId, 'failed');
    },
    find: async (_pipeline, runId) => statuses.get(runId) ?? 'missing',
  };
}
