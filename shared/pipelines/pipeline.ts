import type * as z from 'zod';
import type { QueueName, Uses } from '../contracts/uses.ts';

/**
 * One task of a state machine: a Lambda whose id, role, ASL token and file
 * (`functions/tasks/<pipeline>/<task>.ts`) are derived from where it stands. Payloads carry ids and keys, never rows.
 */
export interface TaskContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: Input;
  readonly output: Output;
  readonly uses: Uses;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** `/tmp` where the task spills to disk. */
  readonly ephemeralStorageMb?: number;
  /** Native modules that it needs: they travel in a layer, not in its bundle. */
  readonly layers?: readonly 'duckdb'[];
  /** Largest answer where no state machine carries it, in bytes; {@link TASK_OUTPUT_BYTES_MAX} elsewhere. */
  readonly answerBytesMax?: number;
}

/**
 * A state machine, declared once: `statemachines/<id>.asl.yaml` holds its states. A `worker` task is one that the
 * shared map machine invokes by name for each chunk.
 */
export interface PipelineContract<Id extends string = string> {
  readonly id: Id;
  readonly description: string;
  readonly input: z.ZodType;
  readonly timeoutSeconds: number;
  readonly tasks: Readonly<Record<string, TaskContract>>;
  /** Pipelines that it starts and waits for (`startExecution.sync:2`). */
  readonly children: readonly string[];
  /** Pipelines that it sets off without waiting for them (`startExecution`). */
  readonly setsOff?: readonly string[];
  /** Names of its tasks that the map machine invokes. */
  readonly workers: readonly string[];
  /** Queues that it puts messages into, and waits for what comes of them. */
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

/** The largest answer of a task, in bytes; `runTask` refuses a larger one. */
export const TASK_OUTPUT_BYTES_MAX = 32_768;
