import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import { type Key, keys, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getItem,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { type VerdictPlace, VerdictRecord, type VerdictRepository } from '../decide/verdict.ts';

/** Items that one transaction deletes. */
const DELETED_AT_ONCE = 50;
/** After every reviewer of a row: `#` precedes their names, and `$` follows it. */
const AFTER_ROW = '$';

const partitionOf = (datasetId: string): string => keys.verdict(datasetId, 0, '').pk;

async function deleteItems(table: Table, items: readonly Key[]): Promise<void> {
  const groups: Key[][] = [];
  for (let at = 0; at < items.length; at += DELETED_AT_ONCE)
    groups.push(items.slice(at, at + DELETED_AT_ONCE));
  await forEachAtOnce(groups, async (group) => {
    const actions = group.map((key, place): [string, Action] => [`${place}`, { Delete: { Key: key } }]);
    await transact(table, Object.fromEntries(actions));
  });
}

/** A query of the verdicts between two sort keys, both included. */
const between = (datasetId: string, from: string, to: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': partitionOf(datasetId), ':from': from, ':to': to },
  ConsistentRead: true,
});

export function createVerdictRepository(table: Table): VerdictRepository {
  return {
    async list(datasetId) {
      const verdicts: VerdictRecord[] = [];
      for await (const item of queryPartition(table, partitionOf(datasetId), sortKeyPrefixes.verdict)) {
        verdicts.push(VerdictRecord.parse(item));
      }
      return verdicts;
    },

    async page(datasetId, { after, limit }) {
      const { sk: from } =
        after === null ? keys.verdict(datasetId, 0, '') : keys.verdict(datasetId, after.row, after.reviewer);
      const to = keys.verdict(datasetId, 999_999_999, '').sk.slice(0, -1) + AFTER_ROW;
      const verdicts: VerdictRecord[] = [];
      for await (const item of queryItems(table, { ...between(datasetId, from, to), Limit: limit + 2 })) {
        if (after !== null && item.sk === from) continue;
        const last = verdicts.at(-1);
        if (verdicts.length === limit && last !== undefined) return { verdicts, next: placeOf(last) };
        verdicts.push(VerdictRecord.parse(item));
      }
      return { verdicts, next: null };
    },

    async readTexts(datasetId, textIds) {
      const texts = new Map<string, string>();
      await forEachAtOnce([...new Set(textIds)], async (textId) => {
        const item = await getItem(table, keys.verdictText(datasetId, textId));
        if (item !== null) texts.set(textId, String(item.completion));
      });
      return texts;
    },

    async record(datasetId, verdicts) {
      await forEachAtOnce(verdicts, async ({ record, completion }) => {
        const { text_id } = record;
        if (text_id !== undefined && completion !== null) {
          await putItem(table, {
            dataset_id: datasetId,
            text_id,
            completion,
            ...keys.verdictText(datasetId, text_id),
          });
        }
        await putItem(table, { ...record, ...keys.verdict(datasetId, record.row, record.reviewer) });
      });
    },

    withdraw: (datasetId, places) =>
      deleteItems(
        table,
        places.map(({ row, reviewer }) => keys.verdict(datasetId, row, reviewer)),
      ),

    removeTexts: (datasetId, textIds) =>
      deleteItems(
        table,
        textIds.map((textId) => keys.verdictText(datasetId, textId)),
      ),

    async erase(datasetId) {
      const pk = partitionOf(datasetId);
      let erased = 0;
      let found: Key[] = [];
      const flush = async (): Promise<void> => {
        await deleteItems(table, found);
        erased += found.length;
        found = [];
      };
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ConsistentRead: true,
      };
      for await (const { sk } of queryItems(table, query)) {
        found.push({ pk, sk: String(sk) });
        if (found.length === 16 * DELETED_AT_ONCE) await flush();
      }
      await flush();
      return erased;
    },
  };
}

const placeOf = ({ row, reviewer }: VerdictRecord): VerdictPlace => ({ row, reviewer });
