import { createFunctionInvoker, type FunctionInvoker } from '../adapters/function-invoker.ts';
import { env } from '../runtime/env.ts';
import { type Need, need } from '../runtime/need.ts';

/** Invokes a function of the stack asynchronously, by its id. */
export const invoker = (functionId: string): Need<FunctionInvoker> =>
  need({ invokes: [functionId] }, () => createFunctionInvoker(env.functionName(functionId)));
