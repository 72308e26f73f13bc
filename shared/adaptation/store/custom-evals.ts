import { keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  putItem,
  queryPartition,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { CustomEvalRecord } from '../decide/custom-evals/record.ts';
import type { CustomEvalRepository } from '../decide/custom-evals/repository.ts';

export function createCustomEvalRepository(table: Table): CustomEvalRepository {
  const change = async (
    datasetId: string,
    customEvalId: string,
    fields: Partial<CustomEvalRecord>,
  ): Promise<boolean> => {
    const { assignments, names, values } = assign(fields);
    const item = await updateItem(table, {
      Key: keys.customEval(datasetId, customEvalId),
      UpdateExpression: `SET ${assignments}`,
      ConditionExpression: '#status IN (:pending, :active)',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: { ...values, ':pending': 'pending', ':active': 'running' },
    });
    return item !== null;
  };

  return {
    async create(customEval) {
      const { dataset_id, custom_eval_id } = customEval;
      await putItem(table, { ...customEval, ...keys.customEval(dataset_id, custom_eval_id) });
    },

    async find(datasetId, customEvalId) {
      const item = await getItem(table, keys.customEval(datasetId, customEvalId));
      return item === null ? null : CustomEvalRecord.parse(item);
    },

    async list(datasetId) {
      const found: CustomEvalRecord[] = [];
      const { pk } = keys.dataset(datasetId);
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.customEval)) {
        found.push(CustomEvalRecord.parse(item));
      }
      return found.sort((a, b) => (a.created_at > b.created_at ? -1 : 1));
    },

    async begin(datasetId, customEvalId) {
      await change(datasetId, customEvalId, { status: 'running' });
    },

    end: change,
  };
}
