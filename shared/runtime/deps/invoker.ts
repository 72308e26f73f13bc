import { createFunctionInvoker, type FunctionInvoker } from '../../adapters/lambda/function-invoker.ts';
import { env } from '../env.ts';
import { type Need, need } from '../need.ts';

/** Hands work to a function of the stack, named by its id. */
export const invoker = (functionId: string): Need<FunctionInvoker> =>
  need({ invokes: [functionId] }, () => createFunctionInvoker(env.functionName(functionId)));
