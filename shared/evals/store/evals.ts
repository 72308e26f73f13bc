import { datasetIdOf } from '#shared/openai/decide/ids.ts';
import { indexes, type Key, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  deleteItem,
  getTogether,
  type Item,
  type ItemUpdate,
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

/**
 * Fields with any JSON of callers: the table takes no more than 32 levels, and numbers of a narrower range. They may take
 * hundreds of kilobytes, and a query reads items whole, so they are an item of their own beside the head of the record.
 */
const TEXTS: readonly string[] = ['data_source_config', 'testing_criteria', 'data_source', 'criteria'];

/** The head of a record, and its texts. */
function divide(record: object): { readonly head: Item; readonly texts: Item } {
  const isText = ([name]: readonly [string, unknown]): boolean => TEXTS.includes(name);
  const fields = Object.entries(record);
  return {
    head: Object.fromEntries(fields.filter((field) => !isText(field))),
    texts: Object.fromEntries(fields.filter(isText).map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

const recordOf = <Record>(head: Item, texts: Item | null): Record => {
  const { pk: _, sk: __, list_pk: ___, [indexes.created_at.sortKey]: ____, ...item } = { ...head, ...texts };
  return Object.fromEntries(
    Object.entries(item).map(([name, value]): [string, unknown] => [
      name,
      TEXTS.includes(name) ? JSON.parse(String(value)) : value,
    ]),
  ) as Record;
};

/** Some fields of the records below a prefix, oldest first. */
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

const runTextsKey = ({ team_id, run_id }: Pick<EvalRunRecord, 'team_id' | 'run_id'>): Key =>
  keys.evalRunTexts(team_id, run_id);

const isThere = (head: Item | null | undefined): head is Item => head != null && head.is_deleting !== true;

/** A run of an eval that is there, with its texts if they are asked for. */
async function findRun<Run>(
  table: Table,
  run: Pick<EvalRunRecord, 'team_id' | 'eval_id' | 'run_id'>,
  ...texts: readonly Key[]
): Promise<Run | null> {
  const [head = null, of, found = null] = await getTogether(table, [
    runKey(run),
    keys.eval(run.team_id, run.eval_id),
    ...texts,
  ]);
  return head === null || !isThere(of) ? null : recordOf<Run>(head, found);
}

/** Changes a record on a condition. @returns false, and no change, if it does not hold */
async function change(
  table: Table,
  [key, textsKey]: readonly [Key, Key],
  changes: object,
  condition: Pick<
    ItemUpdate,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >,
): Promise<boolean> {
  const { head, texts } = divide(changes);
  const setting = (Key: Key, fields: Item, on?: typeof condition): ItemUpdate => {
    const { assignments, names, values } = assign(fields);
    return {
      Key,
      UpdateExpression: `SET ${assignments}`,
      ...(on === undefined ? {} : { ConditionExpression: on.ConditionExpression }),
      ExpressionAttributeNames: { ...names, ...on?.ExpressionAttributeNames },
      ExpressionAttributeValues: { ...values, ...on?.ExpressionAttributeValues },
    };
  };
  const failed = await transact(table, {
    head: { Update: setting(key, head, condition) },
    ...(Object.keys(texts).length === 0 ? {} : { texts: { Update: setting(textsKey, texts) } }),
  });
  return failed.size === 0;
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
        const { team_id, eval_id, run_id, created_at, places, has_ended } = item as unknown as QueuedEvalRun;
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

/** The runs of evals. */
function createRuns(
  table: Table,
): Pick<
  EvalRepository,
  | ('createRun' | 'listRunsOver' | 'findRun' | 'findRunHead' | 'listRuns')
  | ('changeRun' | 'noteCanceled' | 'beginRemoval' | 'removeRun')
> {
  return {
    async createRun(record) {
      const { source } = record.data_source;
      const datasetId = source.type === 'file_id' ? datasetIdOf(source.id) : null;
      const over =
        datasetId === null
          ? {}
          : { list_pk: lists.evalRunsOver(datasetId), [indexes.created_at.sortKey]: record.created_at };
      const { head, texts } = divide(record);
      const failed = await transact(table, {
        run: { Put: { Item: { ...head, ...over, ...runKey(record) } } },
        texts: { Put: { Item: { ...texts, ...runTextsKey(record) } } },
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
      const items = queryItems(table, {
        IndexName: indexes.created_at.name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.evalRunsOver(datasetId) },
      });
      for await (const { team_id, run_id } of items) if (team_id === teamId) found.push(String(run_id));
      return found;
    },
    findRun: (team_id, eval_id, run_id) =>
      findRun<EvalRunRecord>(table, { team_id, eval_id, run_id }, runTextsKey({ team_id, run_id })),
    findRunHead: (team_id, eval_id, run_id) => findRun<EvalRunHead>(table, { team_id, eval_id, run_id }),
    listRuns: (teamId, evalId) =>
      listOf<EvalRunHead>(table, keys.evalRun(teamId, evalId, ''), [
        ...(['team_id', 'eval_id', 'run_id'] as const),
        ...(['status', 'place', 'created_at', 'worked_at', 'is_deleting'] as const),
      ]),
    changeRun: (run, changes) =>
      change(table, [runKey(run), runTextsKey(run)], changes, {
        ConditionExpression: '#state IN (:queued, :working)',
        ExpressionAttributeNames: { '#state': 'status' },
        ExpressionAttributeValues: { ':queued': 'queued', ':working': 'in_progress' },
      }),
    async noteCanceled(run, found) {
      await change(table, [runKey(run), runTextsKey(run)], found, {
        ConditionExpression: '#state = :canceled AND attribute_not_exists(is_deleting)',
        ExpressionAttributeNames: { '#state': 'status' },
        ExpressionAttributeValues: { ':canceled': 'canceled' },
      });
    },
    async beginRemoval(run) {
      const head = await updateItem(table, {
        Key: runKey(run),
        UpdateExpression: 'SET is_deleting = :yes',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':yes': true },
      });
      return head === null ? null : recordOf<EvalRunHead>(head, null);
    },
    async removeRun(run) {
      await transact(table, {
        run: { Delete: { Key: runKey(run) } },
        texts: { Delete: { Key: runTextsKey(run) } },
      });
    },
  };
}

/** The place of an eval among those that are to be erased: by its team, and then by when that is due. */
const removalPlace = (teamId: string, at: string, evalId: string): string => `${teamId}#${at}#${evalId}`;

/** The evals that are to be erased. */
function createRemovals(
  table: Table,
): Pick<
  EvalRepository,
  'markRemoved' | 'resumeRemovals' | 'teamsWithRemoved' | 'listRemoved' | 'deferRemoval' | 'remove'
> {
  const { name: IndexName, sortKey } = indexes.created_at;
  /** Those of the list between two places. */
  const between = (from: string, to: string, Limit: number): AsyncGenerator<Item> =>
    queryItems(table, {
      IndexName,
      KeyConditionExpression: `list_pk = :list AND ${sortKey} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':list': lists.evalRemovals, ':from': from, ':to': to },
      Limit,
    });
  const markRemoved: EvalRepository['markRemoved'] = async (teamId, evalId, at) => {
    const marked = await updateItem(table, {
      Key: keys.eval(teamId, evalId),
      UpdateExpression: `SET is_deleting = :yes, list_pk = :list, ${sortKey} = :place`,
      // Of version 0.1.0, an eval whose deletion broke off is on no list.
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(list_pk)',
      ExpressionAttributeValues: {
        ':yes': true,
        ':list': lists.evalRemovals,
        ':place': removalPlace(teamId, at, evalId),
      },
    });
    return marked !== null;
  };
  return {
    markRemoved,
    async resumeRemovals(teamId, at) {
      const { pk, sk } = keys.eval(teamId, '');
      for await (const head of queryPartition(table, pk, sk, ['eval_id', 'is_deleting', 'list_pk'])) {
        if (head.is_deleting === true && head.list_pk === undefined)
          await markRemoved(teamId, String(head.eval_id), at);
      }
    },
    async teamsWithRemoved() {
      const teams: string[] = [];
      // From the first of one team to the first of the next: how many a team has costs the others nothing.
      for (let from = ' '; ; from = `${teams.at(-1)}~`) {
        const { value: first } = await between(from, '~', 1).next();
        if (first === undefined) return teams;
        // By the place, not by the team: a step always leads further.
        const [team = ''] = String((first as Item)[sortKey]).split('#', 1);
        teams.push(team);
      }
    },
    async listRemoved(teamId, before, max) {
      const found: string[] = [];
      for await (const { eval_id } of between(`${teamId}#`, removalPlace(teamId, before, '~'), max)) {
        if (found.push(String(eval_id)) === max) break;
      }
      return found;
    },
    async deferRemoval(teamId, evalId, at) {
      await updateItem(table, {
        Key: keys.eval(teamId, evalId),
        UpdateExpression: `SET ${sortKey} = :place`,
        ConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: {
          ':list': lists.evalRemovals,
          ':place': removalPlace(teamId, at, evalId),
        },
      });
    },
    async remove(teamId, evalId) {
      await transact(table, {
        head: { Delete: { Key: keys.eval(teamId, evalId) } },
        texts: { Delete: { Key: keys.evalTexts(teamId, evalId) } },
      });
    },
  };
}

/** Evals of a team and their runs, in a partition of the team's. */
export function createEvalRepository(table: Table): EvalRepository {
  return {
    ...createQueue(table),
    ...createRuns(table),
    ...createRemovals(table),
    async create(record) {
      const { team_id, eval_id } = record;
      const { head, texts } = divide(record);
      await transact(table, {
        head: { Put: { Item: { ...head, ...keys.eval(team_id, eval_id) } } },
        texts: { Put: { Item: { ...texts, ...keys.evalTexts(team_id, eval_id) } } },
      });
    },
    async find(teamId, evalId) {
      const [head, texts = null] = await getTogether(table, [
        keys.eval(teamId, evalId),
        keys.evalTexts(teamId, evalId),
      ]);
      return isThere(head) ? recordOf<EvalRecord>(head, texts) : null;
    },
    async list(teamId) {
      const fields = ['eval_id', 'created_at', 'updated_at', 'is_deleting'] as const;
      const heads = await listOf<EvalHead & { is_deleting?: true }>(table, keys.eval(teamId, ''), fields);
      return heads.filter(isThere);
    },
    async count(teamId) {
      let stored = 0;
      const { pk, sk } = keys.eval(teamId, '');
      for await (const _ of queryPartition(table, pk, sk, ['eval_id'])) stored += 1;
      return stored;
    },
    update: (teamId, evalId, changes) =>
      change(table, [keys.eval(teamId, evalId), keys.evalTexts(teamId, evalId)], changes, {
        ConditionExpression: 'attribute_exists(pk)',
      }),
  };
}
