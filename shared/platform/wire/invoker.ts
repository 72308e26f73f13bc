import { createFunctionInvoker, type FunctionInvoker } from '../adapters/function-invoker.ts';
import { type Need, need, resource } from '../runtime/need.ts';

/** What invokes functions of the stack asynchronously, by their id. */
export const theInvokers = /* @__PURE__ */ resource<(functionId: string) => FunctionInvoker>(
  'invoked functions',
  ({ env }) =>
    (functionId) =>
      createFunctionInvoker(env.functionName(functionId)),
);

/** Invokes a function of the stack asynchronously, by its id. */
export const invoker = (functionId: string): Need<FunctionInvoker> =>
  need({ invokes: [functionId] }, (use) => use(theInvokers)(functionId));
