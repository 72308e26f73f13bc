import type { Context } from 'aws-lambda';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { taskPath } from '#shared/platform/pipelines/pipeline.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import type { TaskHandler } from '#shared/platform/runtime/task.ts';
import { handlerPath } from '#shared/service/contracts/index.ts';
import { allBackgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { context } from './call.ts';

async function load<T>(path: string): Promise<T> {
  const module = (await import(/* @vite-ignore */ `../../${path}`)) as { handler: T };
  return module.handler;
}

export const loadHandler = (contract: Pick<EndpointContract, 'id'>): Promise<ServedHandler> =>
  load(handlerPath(contract));

export const loadTask = (path: string): Promise<TaskHandler> => load(path);

/** Runs a task (`adapt/plan-run`) as its state machine does, on the resources of `use`. */
export async function invokeTask<T = Record<string, never>>(
  use: Use,
  task: string,
  input: unknown,
  lambda: Context = { ...context(), getRemainingTimeInMillis: () => 900_000 },
): Promise<T> {
  const handler = await loadTask(`functions/tasks/${task}.ts`);
  return (await handler.with({}, use)(input, lambda)) as T;
}

/** Every function that is no endpoint, by the path of its file, with what it is declared to be. */
export const tasks = [
  ...pipelines.flatMap((pipeline) =>
    Object.entries(pipeline.tasks).map(([name, contract]) => ({
      path: taskPath(pipeline.id, name),
      contract,
    })),
  ),
  ...allBackgroundFunctions.map((contract) => ({
    path: `functions/${contract.id}.ts`,
    contract,
  })),
];
