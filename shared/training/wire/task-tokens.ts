import { resource } from '#shared/platform/runtime/need.ts';
import { createTaskTokens } from '../adapters/task-tokens.ts';

/** The waiting tasks of state machines. */
export const theTaskTokens = /* @__PURE__ */ resource('task tokens', () => createTaskTokens());
