import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Key } from '#shared/platform/store/keys.ts';
import {
  getItem,
  getTogether,
  type Item,
  putItem,
  type Query,
  queryItems,
  queryNewest,
  queryPartition,
  type Table,
  transact,
  type Update,
  updateItem,
} from '#shared/platform/store/table.ts';

const keyOf = (sk = 'A', pk: string = randomUUID()): Key => ({ pk, sk });

async function all(table: Table, query: Query): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of queryItems(table, query)) found.push(item);
  return found;
}

/** What every implementation of the table does, in memory and on DynamoDB: what the stores rely on. */
export function describeTable<S extends { readonly table: Table }>(
  name: string,
  create: () => S | Promise<S>,
  remove: (store: S) => Promise<void> = async () => {},
): void {
  describe(name, () => {
    let store: S;
    let table: Table;
    beforeAll(async () => {
      store = await create();
      table = store.table;
    });
    afterAll(() => remove(store));

    const put = async (fields: Item, key: Key = keyOf()): Promise<Key> => {
      await putItem(table, { ...fields, ...key });
      return key;
    };
    const update = (key: Key, text: string, values?: Item, more: Partial<Update> = {}) =>
      updateItem(table, {
        Key: key,
        UpdateExpression: text,
        ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
        ...more,
      });
    const matches = async (key: Key, condition: string, values?: Item, names?: Record<string, string>) =>
      (await update(key, 'REMOVE nothing', values, {
        ConditionExpression: condition,
        ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
      })) !== null;

    describe('an item', () => {
      test('is read back with every type of value, without what is undefined', async () => {
        const fields = {
          text: 'ä',
          number: -1.5,
          yes: true,
          no: null,
          list: [1, ['a']],
          map: { a: { b: '' } },
        };

        const key = await put({ ...fields, none: undefined });

        expect(await getItem(table, key)).toEqual({ ...fields, ...key });
        expect(Object.keys((await getItem(table, key)) ?? {})).not.toContain('none');
      });

      test('does not change with the object that was written, or that was read', async () => {
        const written = { list: ['a'] };
        const key = await put(written);
        written.list.push('b');
        const read = (await getItem(table, key)) as { list: string[] };
        read.list.push('c');

        expect(await getItem(table, key)).toEqual({ list: ['a'], ...key });
      });

      test('that is put again loses its earlier attributes', async () => {
        const key = await put({ a: 1 });

        await put({ b: 2 }, key);

        expect(await getItem(table, key)).toEqual({ b: 2, ...key });
      });

      test.each([
        ['an instance of a class', new Date(0)],
        ['no number', Number.NaN],
        ['a number beyond 2^53', 2 ** 60],
      ])('with %s is refused', async (_, value) => {
        await expect(put({ value })).rejects.toThrow();
      });

      test('of more than 400 KB is refused', async () => {
        await expect(put({ text: 'x'.repeat(410 * 1024) })).rejects.toThrow();
        await put({ text: 'x'.repeat(390 * 1024) });
      });

      test('with a sort key of an index that is no text is refused', async () => {
        await expect(put({ list_pk: 'L', list_created: 5 })).rejects.toThrow();
      });

      test('with an empty key is refused', async () => {
        await expect(put({}, { pk: '', sk: 'A' })).rejects.toThrow();
      });
    });

    describe('a condition', () => {
      const fields = { txt: 'hello', num: 5, flag: true, nil: null, arr: ['a', 1], obj: { x: 'x' } };

      test.each<[string, Item | undefined]>([
        ['attribute_exists(pk) AND attribute_exists(obj.x)', undefined],
        ['attribute_exists(nil) AND attribute_not_exists(gone)', undefined],
        ['attribute_type(nil, :t)', { ':t': 'NULL' }],
        ['attribute_type(arr, :l) AND attribute_type(obj, :m)', { ':l': 'L', ':m': 'M' }],
        ['begins_with(txt, :t) AND contains(txt, :u)', { ':t': 'he', ':u': 'll' }],
        ['contains(arr, :t)', { ':t': 1 }],
        [
          'num > :four AND num >= :five AND num < :six AND num <= :five',
          { ':four': 4, ':five': 5, ':six': 6 },
        ],
        ['num BETWEEN :four AND :five', { ':four': 4, ':five': 5 }],
        ['txt IN (:a, :b)', { ':a': 'other', ':b': 'hello' }],
        ['arr = :l AND obj = :m', { ':l': ['a', 1], ':m': { x: 'x' } }],
        ['txt > :upper', { ':upper': 'Z' }],
        ['txt <> :a AND nil <> :a AND obj.x <> :a', { ':a': 'a' }],
        [
          'flag = :no OR txt = :a AND num = :four OR num = :five',
          { ':no': false, ':a': 'a', ':four': 4, ':five': 5 },
        ],
      ])('%s holds', async (condition, values) => {
        expect(await matches(await put(fields), condition, values)).toBe(true);
      });

      test.each<[string, Item | undefined]>([
        ['gone = :a', { ':a': 'a' }],
        ['gone < :a', { ':a': 'a' }],
        ['txt <> :a', { ':a': 'hello' }],
        ['gone IN (:a)', { ':a': 'a' }],
        ['gone BETWEEN :a AND :b', { ':a': 'a', ':b': 'b' }],
        ['num < :a', { ':a': 'a' }],
        ['nil < :five', { ':five': 5 }],
        ['num = :five', { ':five': '5' }],
        ['attribute_not_exists(nil)', undefined],
        ['attribute_exists(obj.y)', undefined],
        ['attribute_type(gone, :t)', { ':t': 'NULL' }],
        ['(num = :five OR flag = :yes) AND txt = :yes', { ':five': 5, ':yes': true }],
      ])('%s does not hold', async (condition, values) => {
        expect(await matches(await put(fields), condition, values)).toBe(false);
      });

      test('that fails leaves the item as it was', async () => {
        const key = await put({ n: 1 });

        expect(await putItem(table, { ...key, n: 2 }, 'n > :n', { ':n': 1 })).toBe(false);
        expect(
          await update(key, 'SET n = :m', { ':m': 3, ':n': 1 }, { ConditionExpression: 'n > :n' }),
        ).toBeNull();
        expect(await getItem(table, key)).toEqual({ n: 1, ...key });
      });
    });

    describe('an update', () => {
      test('sets, removes and adds, each from the item as it was', async () => {
        const key = await put({ a: 1, b: 2, c: 3, obj: { x: 1 } });

        const after = await update(
          key,
          'SET a = b, b = a, d = if_not_exists(d, :none) + :two, obj.x = :text REMOVE c ADD n :two',
          { ':none': 0, ':two': 2, ':text': 'x' },
        );

        expect(after).toEqual({ ...key, a: 2, b: 1, d: 2, obj: { x: 'x' }, n: 2 });
        expect(await getItem(table, key)).toEqual(after);
      });

      test('of a missing item creates it with its key', async () => {
        const key = keyOf();

        expect(await update(key, 'ADD n :one', { ':one': 1 })).toEqual({ ...key, n: 1 });
      });

      test('keeps a value that is null where a value is set if there is none', async () => {
        const key = await put({ a: null });

        expect(await update(key, 'SET a = if_not_exists(a, :one)', { ':one': 1 })).toEqual({
          ...key,
          a: null,
        });
      });

      test('adds fractions in decimal', async () => {
        const key = await put({ n: 0.1 });

        expect(await update(key, 'ADD n :more', { ':more': 0.2 })).toMatchObject({ n: 0.3 });
      });

      test.each<[string, string, Item]>([
        ['takes an attribute that is missing', 'SET a = gone', { ':x': 0 }],
        ['sets what is inside of a missing map', 'SET gone.x = :one', { ':one': 1 }],
        ['adds to a text', 'ADD title :one', { ':one': 1 }],
        ['changes its key', 'SET sk = :one', { ':one': 'B' }],
        ['uses a value that is not given', 'SET n = :one', { ':other': 1 }],
      ])('that %s is refused', async (_, text, values) => {
        const key = await put({ title: 'A' });

        await expect(update(key, text, values)).rejects.toThrow();
        expect(await getItem(table, key)).toEqual({ title: 'A', ...key });
      });
    });

    describe('a transaction', () => {
      test('does all of its actions', async () => {
        const [kept, removed, made, changed] = [
          await put({ n: 1 }),
          await put({}),
          keyOf(),
          await put({ n: 1 }),
        ];

        const failed = await transact(table, {
          kept: { ConditionCheck: { Key: kept, ConditionExpression: 'attribute_exists(pk)' } },
          removed: { Delete: { Key: removed } },
          made: { Put: { Item: { ...made, n: 5 } } },
          changed: {
            Update: {
              Key: changed,
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        });

        expect(failed).toEqual(new Set());
        const found = await getTogether(table, [kept, removed, made, changed]);
        expect(found.map((item) => item?.n ?? null)).toEqual([1, null, 5, 2]);
      });

      test('with a condition that fails does nothing, and names each that failed', async () => {
        const [one, other, third] = [keyOf(), await put({ n: 1 }), await put({ n: 1 })];

        const failed = await transact(table, {
          one: { Put: { Item: { ...one } } },
          other: { Put: { Item: { ...other }, ConditionExpression: 'attribute_not_exists(pk)' } },
          third: { Delete: { Key: third, ConditionExpression: 'attribute_not_exists(n)' } },
        });

        expect(failed).toEqual(new Set(['other', 'third']));
        expect(await getItem(table, one)).toBeNull();
        expect(await getItem(table, third)).not.toBeNull();
      });

      test('with two actions on one item is refused', async () => {
        const key = keyOf();

        await expect(
          transact(table, { one: { Put: { Item: { ...key } } }, other: { Delete: { Key: key } } }),
        ).rejects.toThrow();
      });
    });

    describe('a query', () => {
      const seed = async (pk: string, sortKeys: readonly string[], fields: Item = {}): Promise<void> => {
        for (const sk of sortKeys) await put({ ...fields }, { pk, sk });
      };
      const sortKeysOf = (items: readonly Item[]) => items.map(({ sk }) => sk);

      test('answers the items of its partition in the order of their bytes', async () => {
        const pk = randomUUID();
        await seed(pk, ['a', 'B', 'é', 'a\u{1F600}', 'a\uFFFD', 'aa', '10', '9']);
        await seed(`${pk} other`, ['a']);

        const found = await all(table, {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
        });

        expect(sortKeysOf(found)).toEqual(['10', '9', 'B', 'a', 'aa', 'a\uFFFD', 'a\u{1F600}', 'é']);
      });

      test('is narrowed by the beginning of the sort key, or by its range', async () => {
        const pk = randomUUID();
        await seed(pk, ['A#1', 'A#2', 'A#3', 'B#1']);
        const beginning: Item[] = [];
        for await (const item of queryPartition(table, pk, 'A#')) beginning.push(item);

        const within = await all(table, {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': pk, ':from': 'A#2', ':to': 'B#1' },
          ScanIndexForward: false,
        });

        expect(sortKeysOf(beginning)).toEqual(['A#1', 'A#2', 'A#3']);
        expect(sortKeysOf(within)).toEqual(['B#1', 'A#3', 'A#2']);
      });

      test('brings the attributes that are named, and no others', async () => {
        const pk = randomUUID();
        await put({ status: 'open', nested: { a: 1 }, large: 'x'.repeat(1000) }, keyOf('A#1', pk));
        await put({ large: 'y' }, keyOf('A#2', pk));
        const found: Item[] = [];
        for await (const item of queryPartition(table, pk, 'A#', ['status', 'nested'])) found.push(item);

        expect(found).toEqual([{ status: 'open', nested: { a: 1 } }, {}]);
      });

      test('goes on from page to page, and from a key', async () => {
        const pk = randomUUID();
        await seed(pk, ['1', '2', '3', '4', '5'], { n: 1 });
        const query = {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': pk },
          Limit: 2,
        };

        expect(sortKeysOf(await all(table, query))).toEqual(['1', '2', '3', '4', '5']);
        const after = await all(table, { ...query, ExclusiveStartKey: { pk, sk: '3' } });
        expect(sortKeysOf(after)).toEqual(['4', '5']);
      });

      test('reads more than the megabyte of one page', async () => {
        const pk = randomUUID();
        await seed(pk, ['1', '2', '3', '4'], { text: 'x'.repeat(380 * 1024) });

        expect(
          (await all(table, { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }))
            .length,
        ).toBe(4);
      });

      test('of an index has the items with its keys alone, in its order, filtered', async () => {
        const list = randomUUID();
        const keys = [
          await put({ list_pk: list, list_name: 'b', kind: 'x' }),
          await put({ list_pk: list, list_name: 'a', kind: 'x' }),
        ];
        await put({ list_pk: list, list_name: 'c', kind: 'y' });
        await put({ list_pk: list, list_created: 'a', kind: 'x' });
        const gone = await put({ list_pk: list, list_name: 'd', kind: 'x' });
        await update(gone, 'REMOVE list_pk');

        const found = await all(table, {
          IndexName: 'by_name',
          KeyConditionExpression: 'list_pk = :list',
          FilterExpression: 'kind = :kind',
          ExpressionAttributeValues: { ':list': list, ':kind': 'x' },
        });

        expect(found.map(({ pk }) => pk)).toEqual(keys.map(({ pk }) => pk).reverse());
      });

      test('of the newest of a list has all of a small partition, and of a larger one its first page and the newest of the index', async () => {
        const [pk, list] = [randomUUID(), randomUUID()];
        const newest = { pk, prefix: 'A#', list, limit: 2 };
        const made = async (sk: string, created: string) => {
          const listed = { list_pk: list, list_created: created, text: 'x'.repeat(380 * 1024) };
          await put(listed, keyOf(`A#${sk}`, pk));
        };
        await put({ list_pk: list, list_created: '9' }, keyOf('B', pk));
        await made('1', '3');
        await made('2', '1');
        expect((await queryNewest(table, { ...newest, list: 'none' })).map(({ sk }) => sk)).toEqual([
          'A#1',
          'A#2',
        ]);

        await made('3', '4');
        await made('4', '2');
        await update({ pk, sk: 'B' }, 'REMOVE list_pk');
        expect((await queryNewest(table, newest)).map(({ sk }) => sk).sort()).toEqual(['A#1', 'A#2', 'A#3']);
      });

      test.each<[string, Query]>([
        ['without its partition', { KeyConditionExpression: 'sk = :pk' }],
        [
          'with a range that ends before it begins',
          {
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :b AND :a',
            ExpressionAttributeValues: { ':pk': 'p', ':a': 'a', ':b': 'b' },
          },
        ],
        ['of an index that is missing', { IndexName: 'by_size', KeyConditionExpression: 'list_pk = :pk' }],
        [
          'of an index with a start that is no key of it',
          {
            IndexName: 'by_name',
            KeyConditionExpression: 'list_pk = :pk',
            ExclusiveStartKey: { pk: 'a', sk: 'b' },
          },
        ],
      ])('%s is refused', async (_, query) => {
        await expect(all(table, { ExpressionAttributeValues: { ':pk': 'p' }, ...query })).rejects.toThrow();
      });
    });
  });
}
