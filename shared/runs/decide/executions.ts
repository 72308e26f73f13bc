import type { RunPipeline } from './run-kinds.ts';

/**
 * State machines that are started directly; except for custom evaluations and search indexes their executions are runs.
 */
export type StartedPipeline = RunPipeline | 'custom-eval' | 'build-index';

export type ExecutionStatus = 'missing' | 'running' | 'succeeded' | 'failed' | 'timed_out';

/** Input of a state machine; tasks read the rest from the run's record and its request object. */
export interface ExecutionInput {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly team_id: string;
}

/** Executions of state machines, each named by its run id. */
export interface Executions {
  /** Starts the execution of a run; does nothing if there is one of that name. */
  start(pipeline: StartedPipeline, input: ExecutionInput): Promise<void>;
  /** Stops the execution of a run; does nothing if there is none or it has ended. */
  stop(pipeline: RunPipeline, runId: string): Promise<void>;
  find(pipeline: StartedPipeline, runId: string): Promise<ExecutionStatus>;
}
