import { describe, expect, test } from 'vitest';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import {
  ANY,
  anyObjectOf,
  leftOutKinds,
  type ObjectFate,
  objectFates,
  objectMoves,
  prefixesOf,
  type RecordFate,
  type RecordKind,
  recordFates,
} from '#shared/transfer/decide/belongings.ts';
import { anyKeyOf, kindsOf, partitions } from '#shared/transfer/store/item-kinds.ts';

const recordKinds = Object.keys(keys) as RecordKind[];
const objectKinds = Object.keys(objectKeys) as (keyof typeof objectKeys)[];
const anyId = new Set([ANY]);
const prefixes = prefixesOf({ team: ANY, datasets: anyId, runs: anyId, trainings: anyId });

describe('every kind of item', () => {
  test('every kind of item is said to move or to stay: a new one needs a line in decide/belongings.ts', () => {
    expect(Object.keys(recordFates).sort()).toEqual(recordKinds.toSorted());
  });

  test.each(recordKinds)('%s is told from all others by its key', (kind) => {
    expect(kindsOf({ ...anyKeyOf(kind) })).toEqual([kind]);
  });

  const read = recordKinds.flatMap((kind) => {
    const fate: RecordFate = recordFates[kind];
    const partition = 'moves' in fate ? fate.moves : 'statement' in fate ? fate.statement : null;
    return partition === null ? [] : [{ kind, partition }];
  });

  test.each(read)('$kind lies in the partition that is read for it: $partition', ({ kind, partition }) => {
    const pk = (partitions[partition] as (id: string, shard: unknown) => string)(ANY, ANY);

    expect(anyKeyOf(kind).pk).toBe(pk);
  });
});

test('every kind of object is said to move or to stay: a new one needs a line in decide/belongings.ts', () => {
  expect(Object.keys(objectFates).sort()).toEqual(objectKinds.toSorted());
});

test.each(objectKinds)('%s is found, or left behind, as it is said', (kind) => {
  const key = anyObjectOf(kind);
  const isFound = prefixes.some((prefix) => key.startsWith(prefix)) && objectMoves(key);
  const fate: ObjectFate = objectFates[kind];

  expect(isFound).toBe('moves' in fate);
});

test('every kind of object has a prefix of the bucket: no prefix is without a kind', () => {
  for (const prefix of Object.values(bucketPrefixes)) {
    expect(
      objectKinds.some((kind) => anyObjectOf(kind).startsWith(prefix)),
      prefix,
    ).toBe(true);
  }
});

test('every kind of object of a caller moves, though its path looks like one that stays', () => {
  expect(objectMoves(objectKeys.importSource('d'))).toBe(false);
  expect(objectMoves(objectKeys.file('d', 'pictures/import.json'))).toBe(true);
  expect(objectMoves(objectKeys.file('d', 'import.json'))).toBe(true);
});

test('everything that stays is named with a reason', () => {
  const named = leftOutKinds();
  const staying = [
    ...recordKinds.filter((kind) => 'stays' in recordFates[kind]).map((kind) => `item:${kind}`),
    ...objectKinds.filter((kind) => 'stays' in objectFates[kind]).map((kind) => `object:${kind}`),
    'secret:connections',
  ];

  expect(named.map(({ kind }) => kind)).toEqual(staying.toSorted((a, b) => order(a) - order(b)));
  for (const { reason } of named) expect(reason.length).toBeGreaterThan(10);

  function order(kind: string): number {
    return named.findIndex((each) => each.kind === kind);
  }
});
