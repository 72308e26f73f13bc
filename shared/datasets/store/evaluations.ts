import { type DatasetEvent, newEvent } from '#shared/events/decide/event.ts';
import { transactWithEvent } from '#shared/events/store/put-event.ts';
import { indexes, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  getItem,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
} from '#shared/platform/store/table.ts';
import { EvaluationRecord } from '../decide/record.ts';
import type { DatasetRepository } from '../decide/repository.ts';

/** Number of grades for a percentile, in all and of a team: enough for a stable rank, few enough for some reads. */
const GRADES_MAX = 1000;
const GRADES_OF_TEAM_MAX = 100;
/** Evaluations that are read for them. */
const EVALUATIONS_READ_MAX = 5000;

/** The list of graded evaluations, for percentiles. */
function gradeListing(teamId: string, { dataset_id, updated_at, quality }: EvaluationRecord): Item {
  return quality?.score_after == null
    ? {}
    : { list_pk: lists.grades, list_created: `${updated_at}#${dataset_id}`, graded_team_id: teamId };
}

function endedEvent({ dataset_id, run_id, status, updated_at: at }: EvaluationRecord): DatasetEvent | null {
  if (status === 'pending' || status === 'running') return null;
  return newEvent({ type: 'evaluation.ended', data: { run_id, custom_eval_id: null, status } }, run_id, {
    datasetId: dataset_id,
    at,
  });
}

/** The evaluations of datasets, which lie beside the items of the datasets. */
export function createEvaluationRecords(
  table: Table,
): Pick<DatasetRepository, 'findEvaluation' | 'listEvaluations' | 'recordEvaluation' | 'listGradedScores'> {
  return {
    async findEvaluation(datasetId, runId) {
      const item = await getItem(table, keys.evaluation(datasetId, runId));
      return item === null ? null : EvaluationRecord.parse(item);
    },

    async listEvaluations(datasetId) {
      const found: EvaluationRecord[] = [];
      const { pk } = keys.dataset(datasetId);
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.evaluation)) {
        found.push(EvaluationRecord.parse(item));
      }
      return found.sort((a, b) => (a.started_at > b.started_at ? -1 : 1));
    },

    async recordEvaluation(teamId, evaluation) {
      const { dataset_id, run_id } = evaluation;
      const event = endedEvent(evaluation);
      const item = {
        ...evaluation,
        ...keys.evaluation(dataset_id, run_id),
        ...gradeListing(teamId, evaluation),
      };
      if (event === null) await putItem(table, item);
      else {
        const evaluation = {
          Put: {
            Item: item,
            // It ends once: a step that is repeated changes nothing, and says nothing.
            ConditionExpression: 'attribute_not_exists(pk) OR #status IN (:pending, :active)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':pending': 'pending', ':active': 'running' },
          },
        };
        await transactWithEvent(table, { evaluation }, teamId, event);
      }
    },

    async listGradedScores(exceptDatasetId) {
      const seen = new Set<string>([exceptDatasetId]);
      const teams = new Map<string, number[]>();
      const query = {
        IndexName: indexes.created_at.name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.grades },
        ScanIndexForward: false,
        Limit: GRADES_MAX,
      };
      let read = 0;
      let found = 0;
      for await (const item of queryItems(table, query)) {
        const { dataset_id, quality } = EvaluationRecord.parse(item);
        // Items of earlier releases do not name their team: they count as one.
        const team = String(item.graded_team_id ?? '');
        const scores = teams.get(team) ?? [];
        const score = quality?.score_after ?? null;
        if (!seen.has(dataset_id) && score !== null && scores.length < GRADES_OF_TEAM_MAX) {
          teams.set(team, [...scores, score]);
          found += 1;
        }
        seen.add(dataset_id);
        read += 1;
        if (found === GRADES_MAX || read === EVALUATIONS_READ_MAX) break;
      }
      return [...teams.values()];
    },
  };
}
