import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { indexes, type Key, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  deleteItem,
  getItem,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import type {
  EvalHead,
  EvalRecord,
  EvalRepository,
  EvalRunHead,
  EvalRunRecord,
  QueuedEvalRun,
} from '../decide/records.ts';

/** Fields with any JSON of callers: the table takes no more than 32 levels, and numbers of a narrower range. */
const TEXTS: readonly string[] = ['data_source_config', 'testing_criteria', 'data_source', 'criteria'];

const toItem = (record: object): Item =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      TEXTS.includes(name) ? JSON.stringify(value) : value,
    ]),
  );

const recordOf = <Record>({ pk: _, sk: __, ...item }: Item): Record =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]): [string, unknown] => [
      name,
      TEXTS.includes(name) ? JSON.parse(String(value)) : value,
    ]),
  ) as Record;

/** Some fields of the records below a prefix, oldest first: whole ones take hundreds of kilobytes each. */
async function listOf<Head extends { readonly created_at: string }>(
  table: Table,
  { pk, sk }: Key,
  fields: readonly (keyof Head & string)[],
): Promise<Head[]> {
  const found: Head[] = [];
  for await (const item of queryPartition(table, pk, sk, fields)) found.push(item as unknown as Head);
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

const runKey = ({ team_id, eval_id, run_id }: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>): Key =>
  keys.evalRun(team_id, eval_id, run_id);

async function find<Record>(table: Table, key: Key): Promise<Record | null> {
  const item = await getItem(table, key);
  return item === null ? null : recordOf<Record>(item);
}

/** The runs that wait for a place. */
function createQueue(
  table: Table,
): Pick<EvalRepository, 'enqueue' | 'placeRun' | 'listQueued' | 'endQueued' | 'dequeue' | 'teamsWithQueued'> {
  return {
    async enqueue(queued) {
      const { team_id, run_id, created_at } = queued;
      const failed = await transact(table, {
        run: {
          Update: {
            Key: runKey(queued),
            UpdateExpression: 'SET place = :none',
            ConditionExpression: 'attribute_not_exists(is_deleting) AND attribute_exists(pk)',
            ExpressionAttributeValues: { ':none': null },
          },
        },
        queued: {
          Put: {
            Item: {
              ...queued,
              ...keys.queuedEvalRun(team_id, created_at, run_id),
              list_pk: lists.queuedEvalRuns,
              [indexes.created_at.sortKey]: created_at,
            },
          },
        },
      });
      return failed.size === 0;
    },
    async placeRun(run, place, at) {
      const item = await updateItem(table, {
        Key: runKey(run),
        UpdateExpression: 'SET place = :place, worked_at = :at',
        ConditionExpression: '#state = :queued AND attribute_type(place, :null)',
        ExpressionAttributeNames: { '#state': 'status' },
        ExpressionAttributeValues: { ':place': place, ':at': at, ':queued': 'queued', ':null': 'NULL' },
      });
      return item !== null;
    },
    async listQueued(teamId) {
      const found: QueuedEvalRun[] = [];
      const { pk } = keys.queuedEvalRun(teamId, '', '');
      for await (const item of queryPartition(table, pk, sortKeyPrefixes.queuedEvalRun)) {
        const { team_id, eval_id, run_id, created_at, places, has_ended } = recordOf<QueuedEvalRun>(item);
        const ended = has_ended === true ? { has_ended } : {};
        found.push({ team_id, eval_id, run_id, created_at, places, ...ended });
      }
      return found;
    },
    async endQueued({ team_id, run_id, created_at }) {
      await updateItem(table, {
        Key: keys.queuedEvalRun(team_id, created_at, run_id),
        UpdateExpression: 'SET has_ended = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': true },
      });
    },
    dequeue: ({ team_id, run_id, created_at }) =>
      deleteItem(table, keys.queuedEvalRun(team_id, created_at, run_id)),
    async teamsWithQueued() {
      const teams = new Set<string>();
      const items = queryItems(table, {
        IndexName: indexes.created_at.name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.queuedEvalRuns },
      });
      for await (const { team_id } of items) teams.add(String(team_id));
      return [...teams];
    },
  };
}

/** Evals of a team and their runs, in a partition of the team's. */
export function createEvalRepository(table: Table): EvalRepository {
  return {
    ...createQueue(table),
    async create(record) {
      await putItem(table, { ...toItem(record), ...keys.eval(record.team_id, record.eval_id) });
    },
    find: (teamId, evalId) => find<EvalRecord>(table, keys.eval(teamId, evalId)),
    list: (teamId) => listOf<EvalHead>(table, keys.eval(teamId, ''), ['eval_id', 'created_at', 'updated_at']),
    async update(teamId, evalId, changes) {
      const { assignments, names, values } = assign(toItem(changes));
      const item = await updateItem(table, {
        Key: keys.eval(teamId, evalId),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      });
      return item === null ? null : recordOf<EvalRecord>(item);
    },
    remove: (teamId, evalId) => deleteItem(table, keys.eval(teamId, evalId)),
    async createRun(record) {
      const { source } = record.data_source;
      const over = source.type === 'file_id' ? { dataset_id: datasetIdOf(source.id) } : {};
      const failed = await transact(table, {
        run: { Put: { Item: { ...toItem(record), ...over, ...runKey(record) } } },
        eval: {
          ConditionCheck: {
            Key: keys.eval(record.team_id, record.eval_id),
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(is_deleting)',
          },
        },
      });
      return failed.size === 0;
    },
    async listRunsOver(teamId, datasetId) {
      const found: string[] = [];
      const { pk } = keys.evalRun(teamId, '', '');
      const fields = ['run_id', 'dataset_id'];
      for await (const { run_id, dataset_id } of queryPartition(table, pk, sortKeyPrefixes.evalRun, fields)) {
        if (dataset_id === datasetId) found.push(String(run_id));
      }
      return found;
    },
    findRun: (teamId, evalId, runId) => find<EvalRunRecord>(table, keys.evalRun(teamId, evalId, runId)),
    listRuns: (teamId, evalId) =>
      listOf<EvalRunHead>(table, keys.evalRun(teamId, evalId, ''), [
        ...(['team_id', 'eval_id', 'run_id'] as const),
        ...(['status', 'place', 'created_at', 'worked_at'] as const),
      ]),
    async changeRun(run, changes) {
      const { assignments, names, values } = assign(toItem(changes));
      const item = await updateItem(table, {
        Key: runKey(run),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: '#state IN (:queued, :working)',
        ExpressionAttributeNames: { ...names, '#state': 'status' },
        ExpressionAttributeValues: { ...values, ':queued': 'queued', ':working': 'in_progress' },
      });
      return item === null ? null : recordOf<EvalRunRecord>(item);
    },
    async beginRemoval(run) {
      await updateItem(table, {
        Key: runKey(run),
        UpdateExpression: 'SET is_deleting = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': true },
      });
    },
    removeRun: (run) => deleteItem(table, runKey(run)),
  };
}
