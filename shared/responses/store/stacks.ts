import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import { getItem, putItem, queryPartition, type Table, transact } from '#shared/platform/store/table.ts';
import { Stack, type StackRepository } from '../decide/stack.ts';

export function createStackRepository(table: Table): StackRepository {
  return {
    async find(teamId, slug) {
      const item = await getItem(table, keys.stack(teamId, slug));
      return item === null ? null : Stack.parse(item);
    },

    async list(teamId) {
      const stacks: Stack[] = [];
      for await (const item of queryPartition(table, keys.team(teamId).pk, sortKeyPrefixes.stack)) {
        stacks.push(Stack.parse(item));
      }
      return stacks;
    },

    async put(stack) {
      await putItem(table, { ...stack, ...keys.stack(stack.team_id, stack.slug) });
    },

    async remove(teamId, slug) {
      const failed = await transact(table, {
        stack: {
          Delete: { Key: keys.stack(teamId, slug), ConditionExpression: 'attribute_exists(pk)' },
        },
      });
      return failed.size === 0;
    },
  };
}
