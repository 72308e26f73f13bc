import type * as z from 'zod';

/** Queues that a function of the service consumes. */
export type QueueName = 'attempts';

/**
 * One task of a state machine: a Lambda whose id, ASL token and file (`functions/tasks/<pipeline>/<task>.ts`) are derived
 * from its place in the contract. Its role follows from the needs of its handler. Payloads carry ids and keys, never rows.
 */
export interface TaskContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: Input;
  readonly output: Output;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Size of `/tmp` if the task spills to disk. */
  readonly ephemeralStorageMb?: number;
  /** Native modules that it needs: they are in a layer, not in its bundle. */
  readonly layers?: readonly 'duckdb'[];
  /** It runs what callers wrote: its role writes its logs, and nothing else. */
  readonly isSealed?: true;
  /** Maximum result size in bytes if no state machine carries it; {@link TASK_OUTPUT_BYTES_MAX} otherwise. */
  readonly answerBytesMax?: number;
}

/**
 * A state machine, declared once: `statemachines/<id>.asl.yaml` has its states. The shared map machine invokes a
 * `worker` task by name for each chunk.
 */
export interface PipelineContract<Id extends string = string> {
  readonly id: Id;
  readonly description: string;
  readonly input: z.ZodType;
  readonly timeoutSeconds: number;
  readonly tasks: Readonly<Record<string, TaskContract>>;
  /** Pipelines that it starts and waits for (`startExecution.sync:2`). */
  readonly children: readonly string[];
  /** Pipelines that it starts without waiting for them (`startExecution`). */
  readonly setsOff?: readonly string[];
  /** Names of its tasks that the map machine invokes. */
  readonly workers: readonly string[];
  /** Queues that it sends messages to and waits for. */
  readonly sends?: readonly QueueName[];
}

export function task<Input extends z.ZodType, Output extends z.ZodType>(
  contract: TaskContract<Input, Output>,
): TaskContract<Input, Output> {
  return contract;
}

export function pipeline<const Id extends string, Tasks extends Record<string, TaskContract>>(
  contract: Omit<PipelineContract<Id>, 'tasks'> & { readonly tasks: Tasks },
): Omit<PipelineContract<Id>, 'tasks'> & { readonly tasks: Tasks } {
  return contract;
}

/** `adapt` + `plan-run` → `functions/tasks/adapt/plan-run.ts`. */
export function taskPath(pipelineId: string, taskName: string): string {
  return `functions/tasks/${pipelineId}/${taskName}.ts`;
}

/** Maximum result of a task, in bytes; `runTask` throws on a larger one. */
export const TASK_OUTPUT_BYTES_MAX = 32_768;
