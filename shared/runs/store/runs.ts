import { transactWithEvent } from '#shared/events/store/put-event.ts';
import { indexes, type Key, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  assign,
  getItem,
  type Item,
  queryItems,
  queryNewest,
  queryPartition,
  type Table,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { progressEvent } from '../decide/ended-event.ts';
import { RunRecord } from '../decide/record.ts';
import type { RunRepository } from '../decide/repository.ts';
import { kindOf } from '../decide/run-kinds.ts';

/** Days that the progress of a run's batches is kept. */
const PROGRESS_DAYS = 30;

/** The item of an active run, on the list of the sweeper. */
export function activeRunItem(run: RunRecord): Item {
  return {
    ...run,
    ...keys.run(run.dataset_id, run.run_id),
    list_pk: lists.activeRuns,
    list_created: activeValue(run),
  };
}

/** Active runs are sorted by start; the rest of the value identifies the run. */
function activeValue(run: Pick<RunRecord, 'started_at' | 'dataset_id' | 'run_id'>): string {
  return [run.started_at, run.dataset_id, run.run_id].join('#');
}

function activeKey(value: string): Key {
  const [, datasetId = '', runId = ''] = value.split('#');
  return keys.run(datasetId, runId);
}

export async function readRun(table: Table, datasetId: string, runId: string): Promise<RunRecord | null> {
  const item = await getItem(table, keys.run(datasetId, runId));
  return item === null ? null : RunRecord.parse(item);
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the table
export function createRunRepository(table: Table): RunRepository {
  /** Sets attributes of a run that has not ended. @returns null if it has */
  const setWhileRunning = (
    datasetId: string,
    runId: string,
    set: string,
    values: Record<string, unknown>,
    names: Record<string, string> = {},
  ) =>
    updateItem(table, {
      Key: keys.run(datasetId, runId),
      UpdateExpression: `SET ${set}`,
      ConditionExpression: '#status = :running',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: { ...values, ':running': 'running' },
    });

  return {
    find: (datasetId, runId) => readRun(table, datasetId, runId),

    async listOfDataset(datasetId) {
      const runs: RunRecord[] = [];
      for await (const item of queryPartition(table, keys.dataset(datasetId).pk, sortKeyPrefixes.run)) {
        runs.push(RunRecord.parse(item));
      }
      return runs.sort((a, b) => (a.started_at < b.started_at ? -1 : 1));
    },

    async listPilots(datasetId, limit) {
      const { pk } = keys.dataset(datasetId);
      const found = await queryNewest(table, {
        pk,
        prefix: sortKeyPrefixes.run,
        list: lists.pilots(datasetId),
        limit,
      });
      const active = await getItem(table, keys.activePilot(datasetId));
      const running = active === null ? null : await readRun(table, datasetId, String(active.run_id));
      const pilots = new Map<string, RunRecord>(running === null ? [] : [[running.run_id, running]]);
      for (const item of found) {
        const run = RunRecord.parse(item);
        if (kindOf(run).claims === 'pilot') pilots.set(run.run_id, run);
      }
      return [...pilots.values()].sort((a, b) => (a.started_at > b.started_at ? -1 : 1)).slice(0, limit);
    },

    async listActive({ limit, after }) {
      const { name, sortKey } = indexes.created_at;
      const items = queryItems(table, {
        IndexName: name,
        KeyConditionExpression: 'list_pk = :list',
        ExpressionAttributeValues: { ':list': lists.activeRuns },
        Limit: limit + 1,
        ExclusiveStartKey:
          after === null ? undefined : { ...activeKey(after), list_pk: lists.activeRuns, [sortKey]: after },
      });
      const runs: RunRecord[] = [];
      for await (const item of items) {
        const last = runs.at(-1);
        if (runs.length === limit && last !== undefined) return { runs, next: activeValue(last) };
        runs.push(RunRecord.parse(item));
      }
      return { runs, next: null };
    },

    async recordPlan(datasetId, runId, plan) {
      const { assignments, names, values } = assign(plan);
      return (await setWhileRunning(datasetId, runId, assignments, values, names)) !== null;
    },

    async recordBatchProgress(runId, batch, processedRows, effort) {
      await updateItem(table, {
        Key: keys.chunk(runId, batch),
        UpdateExpression:
          'SET processed_rows = :rows, progressed_at = :now, expires_at = :expiry' +
          (effort === undefined
            ? ''
            : ', token_count = :tokens, failed_rows = :failed, started_ms = if_not_exists(started_ms, :started)'),
        ConditionExpression:
          'attribute_not_exists(processed_rows) OR processed_rows < :rows' +
          (effort === undefined ? '' : ' OR (processed_rows = :rows AND token_count < :tokens)'),
        ExpressionAttributeValues: {
          ':rows': processedRows,
          ...(effort === undefined
            ? {}
            : {
                ':tokens': effort.tokens,
                ':failed': effort.failedRows,
                ':started': effort.startedAtMs,
              }),
          ':now': timestamp(table.now()),
          ':expiry': Math.floor(table.now() / 1000) + PROGRESS_DAYS * 86_400,
        },
      });
    },

    async tellProgress(run, percent, processedRows) {
      const event = progressEvent(run, percent, processedRows, timestamp(table.now()));
      const actions = {
        run: {
          Update: {
            Key: keys.run(run.dataset_id, run.run_id),
            UpdateExpression: 'SET told_percent = :percent',
            ConditionExpression:
              '#status = :running AND (attribute_not_exists(told_percent) OR told_percent < :percent)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':running': 'running', ':percent': percent },
          },
        },
      };
      return (await transactWithEvent(table, actions, run.team_id, event)).size === 0;
    },

    async readProcessedRows(runId) {
      let processed = 0;
      for await (const item of queryPartition(table, keys.chunk(runId, 0).pk, sortKeyPrefixes.chunk)) {
        processed += Number(item.processed_rows);
      }
      return processed;
    },

    async readEffort(runId, exceptBatch) {
      const except = exceptBatch === undefined ? null : keys.chunk(runId, exceptBatch).sk;
      let tokens = 0;
      let failedRows = 0;
      let startedAtMs: number | null = null;
      let reportedAtMs: number | null = null;
      for await (const item of queryPartition(table, keys.chunk(runId, 0).pk, sortKeyPrefixes.chunk)) {
        if (item.sk === except || item.started_ms === undefined) continue;
        tokens += Number(item.token_count);
        failedRows += Number(item.failed_rows);
        startedAtMs = Math.min(startedAtMs ?? Number.POSITIVE_INFINITY, Number(item.started_ms));
        reportedAtMs = Math.max(reportedAtMs ?? 0, Date.parse(String(item.progressed_at)));
      }
      return { tokens, failedRows, startedAtMs, reportedAtMs };
    },

    async requestStop(datasetId, runId, reason) {
      const set = 'stop_reason = if_not_exists(stop_reason, :reason)';
      return (await setWhileRunning(datasetId, runId, set, { ':reason': reason })) !== null;
    },

    async markAnswered(datasetId, runId) {
      return (await setWhileRunning(datasetId, runId, 'is_answered = :true', { ':true': true })) !== null;
    },

    async recordStage(datasetId, runId, stage) {
      await setWhileRunning(datasetId, runId, '#stage = :stage', { ':stage': stage }, { '#stage': 'stage' });
    },

    async recordLeftOut(datasetId, runId, leftOut) {
      await setWhileRunning(datasetId, runId, 'left_out = :parts', { ':parts': leftOut });
    },

    async lastProgressAt(runId) {
      let last: string | null = null;
      for await (const item of queryPartition(table, keys.chunk(runId, 0).pk, sortKeyPrefixes.chunk)) {
        const at = String(item.progressed_at);
        if (last === null || at > last) last = at;
      }
      return last;
    },
  };
}
