import { createStackRepository } from '../../adapters/dynamodb/stacks.ts';
import type { StackRepository } from '../../domain/responses/stack.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

/** The team's inference stacks, read-only: operators write them. */
export const stacks = need<Pick<StackRepository, 'find' | 'list'>>({ table: 'read' }, () =>
  createStackRepository(theTable()),
);
