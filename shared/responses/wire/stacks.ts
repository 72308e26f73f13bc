import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { StackRepository } from '../decide/stack.ts';
import { createStackRepository } from '../store/stacks.ts';

/** The team's inference stacks, read-only: operators write them. */
export const stacks = /* @__PURE__ */ need<Pick<StackRepository, 'find' | 'list'>>({ table: 'read' }, (use) =>
  createStackRepository(use(theTable)),
);
