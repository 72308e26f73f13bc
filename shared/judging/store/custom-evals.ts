import { newEvent } from '#shared/events/decide/event.ts';
import { transactWithEvent } from '#shared/events/store/put-event.ts';
import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  type ItemUpdate,
  putItem,
  queryNewest,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { CustomEvalRecord } from '../decide/custom-evals/record.ts';
import type { CustomEvalRepository } from '../decide/custom-evals/repository.ts';

export function createCustomEvalRepository(table: Table): CustomEvalRepository {
  const change = (datasetId: string, customEvalId: string, fields: Partial<CustomEvalRecord>): ItemUpdate => {
    const { assignments, names, values } = assign(fields);
    return {
      Key: keys.customEval(datasetId, customEvalId),
      UpdateExpression: `SET ${assignments}`,
      ConditionExpression: '#status IN (:pending, :active)',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: { ...values, ':pending': 'pending', ':active': 'running' },
    };
  };

  return {
    async create(customEval) {
      const { dataset_id, custom_eval_id } = customEval;
      await putItem(table, {
        ...customEval,
        ...keys.customEval(dataset_id, custom_eval_id),
        list_pk: lists.customEvals(dataset_id),
        [indexes.created_at.sortKey]: `${customEval.created_at}#${custom_eval_id}`,
      });
    },

    async find(datasetId, customEvalId) {
      const item = await getItem(table, keys.customEval(datasetId, customEvalId));
      return item === null ? null : CustomEvalRecord.parse(item);
    },

    async list(datasetId, limit) {
      const found = await queryNewest(table, {
        pk: keys.dataset(datasetId).pk,
        prefix: sortKeyPrefixes.customEval,
        list: lists.customEvals(datasetId),
        limit,
      });
      return found
        .map((item) => CustomEvalRecord.parse(item))
        .sort((a, b) => (a.created_at > b.created_at ? -1 : 1))
        .slice(0, limit);
    },

    async begin(datasetId, customEvalId) {
      await updateItem(table, change(datasetId, customEvalId, { status: 'running' }));
    },

    async end({ team_id, dataset_id, custom_eval_id, run_id }, end) {
      const event = newEvent(
        {
          type: 'evaluation.ended',
          data: { run_id, custom_eval_id, status: end.status === 'failed' ? 'failed' : 'succeeded' },
        },
        custom_eval_id,
        { datasetId: dataset_id, at: end.completed_at ?? timestamp(table.now()) },
      );
      const actions = { evaluation: { Update: change(dataset_id, custom_eval_id, end) } };
      return (await transactWithEvent(table, actions, team_id, event)).size === 0;
    },
  };
}
