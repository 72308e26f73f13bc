import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { indexes, keys, lists } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  type Item,
  putItem,
  queryItems,
  queryPages,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { requireRoomForColumns } from '../decide/columns-room.ts';
import { nextErasure } from '../decide/erasure.ts';
import { foldName, type ListSelection, sortedDatasetId, sortedName, sortValue } from '../decide/listing.ts';
import {
  type DatasetChanges,
  DatasetRecord,
  datasetNotFound,
  pilotActive,
  trainingActive,
} from '../decide/record.ts';
import type { DatasetRepository } from '../decide/repository.ts';
import { type DatasetState, statesBefore } from '../decide/states.ts';
import { createEvaluationRecords } from './evaluations.ts';

/** Who deletes a dataset has its objects erased at once: a sweep looks for those for which that did not happen. */
const ERASURE_BEGINS_MILLISECONDS = 60_000;

/** Days that the item of a deleted dataset is kept, so that running work sees the deletion. */
const DELETED_DAYS = 30;

/** The item of a dataset, with the sort keys of the indexes. */
export function datasetItem(dataset: DatasetRecord): Item {
  return {
    ...dataset,
    ...keys.dataset(dataset.dataset_id),
    list_pk: lists.datasets(dataset.team_id),
    list_created: sortValue(dataset, 'created_at'),
    list_updated: sortValue(dataset, 'updated_at'),
    list_name: sortValue(dataset, 'name'),
    name_folded: foldName(dataset.name),
    description_folded: foldName(dataset.description ?? ''),
  };
}

/** The assignments of an update that sets `fields` and updates the dataset's index keys. */
export function datasetFields(
  datasetId: string,
  fields: Partial<DatasetRecord> & { updated_at: string },
): Item {
  const { name, description } = fields;
  return {
    ...fields,
    ...(name === undefined
      ? {}
      : { list_name: sortedName({ name, dataset_id: datasetId }), name_folded: foldName(name) }),
    ...(description === undefined ? {} : { description_folded: foldName(description ?? '') }),
    list_updated: `${fields.updated_at}#${datasetId}`,
  };
}

/**
 * Sorts a deleted dataset among those that are to be erased: by the time at which that is due, and by its team. The name by which it
 * was sorted before has no capitals, so that it is no place of a team.
 */
const erasurePlaces = (
  { dataset_id, team_id }: Pick<DatasetRecord, 'dataset_id' | 'team_id'>,
  due: number,
): { readonly list_created: string; readonly list_name: string } => ({
  list_created: `${timestamp(due)}#${dataset_id}`,
  list_name: `TEAM#${team_id}#${timestamp(due)}#${dataset_id}`,
});

/** Deleted datasets between two places, by team. */
const erasuresBetween = (table: Table, from: string, to: string, max: number): AsyncGenerator<Item> =>
  queryItems(table, {
    IndexName: indexes.name.name,
    KeyConditionExpression: `list_pk = :list AND ${indexes.name.sortKey} BETWEEN :from AND :to`,
    ExpressionAttributeValues: { ':list': lists.erasures, ':from': from, ':to': to },
    Limit: max,
  });

/** The update that places it so. */
function placing(dataset: Pick<DatasetRecord, 'dataset_id' | 'team_id'>, due: number) {
  const { list_created, list_name } = erasurePlaces(dataset, due);
  return {
    UpdateExpression: 'SET list_created = :list_created, list_name = :list_name',
    ExpressionAttributeValues: { ':list_created': list_created, ':list_name': list_name },
  };
}

/** Reads a dataset's item, including that of a deleted dataset. */
export async function readDataset(table: Table, datasetId: string): Promise<DatasetRecord | null> {
  const item = await getItem(table, keys.dataset(datasetId));
  return item === null ? null : DatasetRecord.parse(item);
}

const inList = (
  attribute: string,
  values: readonly string[],
  mark: string,
): { text: string; values: Item } => ({
  text: `${attribute} IN (${values.map((_, index) => `:${mark}${index}`).join(', ')})`,
  values: Object.fromEntries(values.map((value, index) => [`:${mark}${index}`, value])),
});

/** `#state IN (…)`: the states from which a dataset may move to `target`. */
export function stateAllows(target: DatasetState): { text: string; values: Item } {
  return inList('#state', statesBefore(target), 'before');
}

function listQuery(teamId: string, selection: ListSelection) {
  const { name: IndexName, sortKey } = indexes[selection.sort];
  const filters: string[] = [];
  const values: Item = { ':list': lists.datasets(teamId) };
  const names: Record<string, string> = {};

  if (selection.createdAfter !== null) {
    filters.push('created_at > :after');
    values[':after'] = selection.createdAfter;
  }
  if (selection.createdBefore !== null) {
    filters.push('created_at < :before');
    values[':before'] = selection.createdBefore;
  }
  if (selection.contains !== null) {
    filters.push('(contains(name_folded, :text) OR contains(description_folded, :text))');
    values[':text'] = selection.contains;
  }
  if (selection.createdByUserId !== null) {
    filters.push('created_by_user_id = :user');
    values[':user'] = selection.createdByUserId;
  }
  if (selection.purpose !== undefined) {
    const none = selection.purpose === 'user_data' ? ' OR attribute_not_exists(file_purpose)' : '';
    filters.push(`(file_purpose = :purpose${none})`);
    values[':purpose'] = selection.purpose;
  }
  if (selection.states !== null) {
    const states = inList('#state', selection.states, 'state');
    filters.push(states.text);
    Object.assign(values, states.values);
    names['#state'] = 'state';
  }
  if (selection.kinds !== null) {
    const kinds = inList('#kind', selection.kinds, 'kind');
    filters.push(kinds.text);
    Object.assign(values, kinds.values);
    names['#kind'] = 'kind';
  }

  // Creation time is the sort key of its own index, so there the bounds limit what is read.
  const bounds =
    selection.sort === 'created_at' && (selection.createdAfter ?? selection.createdBefore) !== null
      ? ` AND ${sortKey} BETWEEN :from AND :to`
      : '';
  if (bounds !== '') {
    values[':from'] = selection.createdAfter ?? '0';
    values[':to'] = selection.createdBefore ?? '9';
  }
  return {
    IndexName,
    KeyConditionExpression: `list_pk = :list${bounds}`,
    ExpressionAttributeValues: values,
    ...(filters.length === 0 ? {} : { FilterExpression: filters.join(' AND ') }),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    // Without filters a page reads exactly the requested number, and one more to detect a following page.
    ...(filters.length === 0 ? { Limit: selection.limit + 1 } : {}),
    ScanIndexForward: !selection.descending,
    ExclusiveStartKey:
      selection.after === null
        ? undefined
        : {
            ...keys.dataset(sortedDatasetId(selection.after)),
            list_pk: lists.datasets(teamId),
            [sortKey]: selection.after,
          },
  };
}

const tooManyToLookAt = (): ServiceError =>
  new ServiceError(
    'invalid_request',
    'The filters let none of the first datasets through, and there are too many to look at all. Narrow the list with created_after and created_before, or read it without filters.',
    { details: [{ path: 'query', message: 'matches none of the first datasets' }] },
  );

/** Megabytes of datasets that one request looks at for those which its filters let through. */
export const LIST_PAGES_MAX = 20;
/** Megabytes that one looks at for the first of those: each further `LIST_PAGES_MAX` count as a scan. */
export const LIST_PAGES_WITHOUT_MATCH_MAX = 10 * LIST_PAGES_MAX;

const uploadCompleted = (): ServiceError =>
  new ServiceError('dataset_not_ready', 'The upload of this dataset has been completed already.');

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the table; `delete`, the longest, is one transaction
export function createDatasetRepository(table: Table): DatasetRepository {
  const find = async (datasetId: string): Promise<DatasetRecord | null> => {
    const dataset = await readDataset(table, datasetId);
    return dataset?.state === 'deleted' ? null : dataset;
  };

  const requireDataset = async (caller: { team_id: string }, datasetId: string): Promise<DatasetRecord> => {
    const dataset = await find(datasetId);
    if (dataset?.team_id !== caller.team_id) throw datasetNotFound();
    return dataset;
  };

  /** Moves the dataset of `caller`, or throws `refused` if its state does not allow it. */
  const move = async (
    caller: { team_id: string },
    datasetId: string,
    fields: DatasetChanges & { state: DatasetState; updated_at: string; error_data?: ErrorData },
    alsoDo: { text: string; values: Item },
    refused: () => ServiceError,
    from: readonly DatasetState[] = statesBefore(fields.state),
  ): Promise<DatasetRecord> => {
    const { assignments, names, values } = assign(datasetFields(datasetId, fields));
    const allowed = inList('#state', from, 'before');
    const item = await updateItem(table, {
      Key: keys.dataset(datasetId),
      UpdateExpression: `SET ${assignments}${alsoDo.text}`,
      ConditionExpression: `team_id = :team AND ${allowed.text}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...values,
        ...allowed.values,
        ...alsoDo.values,
        ':team': caller.team_id,
      },
    });
    if (item !== null) return DatasetRecord.parse(item);
    await requireDataset(caller, datasetId);
    throw refused();
  };

  return {
    ...createEvaluationRecords(table),

    find,
    require: requireDataset,

    create: (dataset) => putItem(table, datasetItem(dataset), 'attribute_not_exists(pk)'),

    async list(teamId, selection, admitMore) {
      const { createdAfter, createdBefore } = selection;
      // DynamoDB rejects a range that ends before it begins.
      if (createdAfter !== null && createdBefore !== null && createdAfter >= createdBefore) {
        return { datasets: [], next: null };
      }
      const { sortKey } = indexes[selection.sort];
      const datasets: DatasetRecord[] = [];
      let last: unknown = null;
      let pages = 0;
      for await (const { items, next } of queryPages(table, listQuery(teamId, selection))) {
        for (const item of items) {
          if (datasets.length === selection.limit)
            return { datasets, next: last === null ? null : String(last) };
          datasets.push(DatasetRecord.parse(item));
          // As it is stored: an item of an earlier version may have another one than it would get today.
          last = item[sortKey];
        }
        pages += 1;
        if (next === null) break;
        // Clients end at an empty page, so one without a match is looked for further.
        if (pages >= LIST_PAGES_MAX && datasets.length > 0) return { datasets, next: String(next[sortKey]) };
        if (pages % LIST_PAGES_MAX !== 0) continue;
        if (pages === LIST_PAGES_WITHOUT_MATCH_MAX || admitMore === undefined) throw tooManyToLookAt();
        await admitMore();
      }
      return { datasets, next: null };
    },

    deferIngest: (caller, datasetId, changes, now) =>
      move(
        caller,
        datasetId,
        { ...changes, state: 'awaiting_preprocessing', updated_at: timestamp(now) },
        { text: '', values: {} },
        uploadCompleted,
      ),

    rejectUpload: (caller, datasetId, error_data, now) =>
      move(
        caller,
        datasetId,
        { error_data, state: 'failed', updated_at: timestamp(now) },
        { text: '', values: {} },
        uploadCompleted,
        // In other states only the active run may report a failure.
        ['awaiting_upload'],
      ),

    async recordFindings(datasetId, runId, changes, now) {
      requireRoomForColumns(changes.columns ?? []);
      const { assignments, names, values } = assign(
        datasetFields(datasetId, { ...changes, updated_at: timestamp(now) }),
      );
      const item = await updateItem(table, {
        Key: keys.dataset(datasetId),
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: 'run_id = :run',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ':run': runId },
      });
      return item !== null;
    },

    async delete(caller, datasetId, now) {
      const fields = { state: 'deleted', updated_at: timestamp(now) } as const;
      const { assignments, names, values } = assign(datasetFields(datasetId, fields));
      const allowed = inList('#state', statesBefore('deleted'), 'before');
      const dataset = await requireDataset(caller, datasetId);
      const places = erasurePlaces(dataset, now + ERASURE_BEGINS_MILLISECONDS);
      const failed = await transact(table, {
        dataset: {
          Update: {
            Key: keys.dataset(datasetId),
            // From now on it is in no list but that of what is to be erased, which goes on if whoever deletes it dies.
            UpdateExpression: `SET ${assignments}, expires_at = :expiry, list_pk = :erasures, list_created = :list_created, list_name = :list_name`,
            ConditionExpression: `team_id = :team AND ${allowed.text} AND (attribute_not_exists(pending_appends) OR pending_appends = :none)`,
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: {
              ...values,
              ...allowed.values,
              ':team': caller.team_id,
              ':none': 0,
              ':expiry': Math.floor(now / 1000) + DELETED_DAYS * 86_400,
              ':erasures': lists.erasures,
              ':list_created': places.list_created,
              ':list_name': places.list_name,
            },
          },
        },
        training: {
          ConditionCheck: {
            Key: keys.activeTraining(datasetId),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        pilot: {
          ConditionCheck: {
            Key: keys.activePilot(datasetId),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      });
      if (failed.has('dataset')) {
        await requireDataset(caller, datasetId);
        throw new ServiceError(
          'dataset_running',
          'A run is active on this dataset, or its file or appended rows are being read. Wait until that has ended, then delete the dataset.',
        );
      }
      if (failed.has('training')) throw trainingActive();
      if (failed.has('pilot')) throw pilotActive();
      return { ...dataset, ...fields };
    },

    async teamsWithErasures() {
      const teams: string[] = [];
      // From the first of one team to the first of the next: how many a team has costs the others nothing.
      for (let from = 'TEAM#'; ; from = `TEAM#${teams.at(-1)}~`) {
        const { value: first } = await erasuresBetween(table, from, 'TEAM#~', 1).next();
        if (first === undefined) return teams;
        // By the place, not by the team: a step always leads further.
        const [, team = ''] = String((first as Item)[indexes.name.sortKey]).split('#', 2);
        teams.push(team);
      }
    },

    async listErasures(now, max, teamId) {
      const found: Pick<DatasetRecord, 'dataset_id' | 'team_id'>[] = [];
      const due =
        teamId === undefined
          ? queryItems(table, {
              IndexName: indexes.created_at.name,
              KeyConditionExpression: 'list_pk = :list AND list_created <= :now',
              ExpressionAttributeValues: { ':list': lists.erasures, ':now': now },
              Limit: max,
            })
          : erasuresBetween(table, `TEAM#${teamId}#`, `TEAM#${teamId}#${now}`, max);
      for await (const { dataset_id, team_id } of due) {
        found.push({ dataset_id: String(dataset_id), team_id: String(team_id) });
        if (found.length === max) break;
      }
      return found;
    },

    async noteErasure(datasetId, now, hadRuns) {
      const dataset = await readDataset(table, datasetId);
      if (dataset?.state !== 'deleted') return;
      const next = nextErasure(Date.parse(dataset.updated_at), now, hadRuns);
      await updateItem(table, {
        Key: keys.dataset(datasetId),
        ConditionExpression: 'attribute_exists(pk)',
        ...(next === null ? { UpdateExpression: 'REMOVE list_pk' } : placing(dataset, next)),
      });
    },

    async deferErasure(dataset, until) {
      const { UpdateExpression, ExpressionAttributeValues } = placing(dataset, until);
      await updateItem(table, {
        Key: keys.dataset(dataset.dataset_id),
        UpdateExpression,
        ConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':list': lists.erasures },
      });
    },

    async expireRecords(datasetId, now) {
      const expiry = Math.floor(now / 1000) + DELETED_DAYS * 86_400;
      const { pk } = keys.dataset(datasetId);
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
      };
      for await (const { sk } of queryItems(table, query)) {
        const isDataset = sk === keys.dataset(datasetId).sk;
        await updateItem(table, {
          Key: { pk, sk },
          UpdateExpression: `SET expires_at = :expiry${isDataset ? '' : ' REMOVE list_pk'}`,
          ExpressionAttributeValues: { ':expiry': expiry },
        });
      }
    },
  };
}
