import { callFunction } from '../adapters/call-function.ts';
import { resource } from '../runtime/need.ts';

/** Invokes a function of the stack, by its id, and waits for what it answers. */
export const theFunctions = /* @__PURE__ */ resource<
  (functionId: string, payload: unknown) => Promise<unknown>
>(
  'called functions',
  ({ env }) =>
    (functionId, payload) =>
      callFunction(env.functionName(functionId), payload),
);
