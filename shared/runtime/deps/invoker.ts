import { createFunctionInvoker, type FunctionInvoker } from '../../adapters/lambda/function-invoker.ts';
import { env } from '../env.ts';
import { type Need, need } from '../need.ts';

/** Invokes a function of the stack asynchronously, by its id. */
export const invoker = (functionId: string): Need<FunctionInvoker> =>
  need({ invokes: [functionId] }, () => createFunctionInvoker(env.functionName(functionId)));
