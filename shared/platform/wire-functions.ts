import { createFunctionCaller } from './adapters/call-function.ts';
import { createFunctionInvoker, type FunctionInvoker } from './adapters/function-invoker.ts';
import { type Need, need, resource } from './runtime/need.ts';

/** Invokes a function of the stack, by its id, and waits for what it answers. */
export const theFunctions = /* @__PURE__ */ resource<
  (functionId: string, payload: unknown, signal?: AbortSignal) => Promise<unknown>
>('called functions', ({ env }) => {
  const call = createFunctionCaller();
  return (functionId, payload, signal) => call(env.functionName(functionId), payload, signal);
});

/** Calls a function of the stack, by its id. */
export const functionCaller = (functionId: string) =>
  need(
    { invokes: [functionId] },
    (use) =>
      (payload: unknown, signal?: AbortSignal): Promise<unknown> =>
        use(theFunctions)(functionId, payload, signal),
  );

/** What invokes functions of the stack asynchronously, by their id. */
export const theInvokers = /* @__PURE__ */ resource<(functionId: string) => FunctionInvoker>(
  'invoked functions',
  ({ env }) =>
    (functionId) =>
      createFunctionInvoker(env.functionName(functionId)),
);

/** Starts a function of the stack, by its id, without waiting for it. */
export const starter = (functionId: string): Need<FunctionInvoker['start']> =>
  need({ invokes: [functionId] }, (use) => use(theInvokers)(functionId).start);
