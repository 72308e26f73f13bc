import { describe, expect, test } from 'vitest';
import {
  datasetsCursor,
  foldName,
  selectDatasets,
  sortedDatasetId,
  sortValue,
} from '#shared/datasets/decide/listing.ts';
import { shownRunId } from '#shared/datasets/decide/record.ts';
import { ListDatasetsQuery } from '#shared/datasets/schema/dataset.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

const KEY = 'a signing key';

function select(query: Record<string, string>, teamId = 'team') {
  return selectDatasets(teamId, ListDatasetsQuery.parse(query), KEY);
}

test('selection without a query is the newest twenty', () => {
  expect(select({})).toEqual({
    limit: 20,
    sort: 'created_at',
    descending: true,
    createdAfter: null,
    createdBefore: null,
    contains: null,
    states: null,
    kinds: null,
    createdByUserId: null,
    after: null,
  });
});

test.each([
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.5+02:00', '2026-03-01T10:00:00.500Z'],
  ['2026-03-01T12:00:00', '2026-03-01T12:00:00.000Z'],
])('selection takes %s as %s', (text, instant) => {
  expect(select({ created_after: text, created_before: text })).toMatchObject({
    createdAfter: instant,
    createdBefore: instant,
  });
});

test.each([
  [{ status: 'pending' }, { states: ['awaiting_upload', 'awaiting_preprocessing', 'ingesting'] }],
  [{ status: 'awaiting_input' }, { states: ['awaiting_input'] }],
  [{ status: '' }, { states: null }],
  [{ type: 'original' }, { kinds: ['uploaded'] }],
  [{ type: 'augmented' }, { kinds: ['augmented', 'translated', 'localized', 'extended'] }],
  [{ type: '' }, { kinds: null }],
  [{ q: 'ÄpfEL' }, { contains: 'äpfel' }],
  [{ q: '' }, { contains: null }],
  [
    { sort: 'name', sort_direction: 'asc' },
    { sort: 'name', descending: false },
  ],
  [{ limit: '20.0' }, { limit: 20 }],
  [{ created_by_user_id: 'u' }, { createdByUserId: 'u' }],
])('selection reads %o', (query, selection) => {
  expect(select(query)).toMatchObject(selection);
});

describe('sort values', () => {
  const dataset = makeDataset(makeCaller(), { name: 'Ünïcode' });

  test.each(['created_at', 'updated_at', 'name'] as const)('sort values by %s end in the id', (sort) => {
    expect(sortedDatasetId(sortValue(dataset, sort))).toBe(dataset.dataset_id);
  });

  test('sort values of the longest name fit the sort key of an index and a cursor', () => {
    const longest = { ...dataset, name: '𝕏'.repeat(255) };
    const value = sortValue(longest, 'name');

    expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1024);
    expect(datasetsCursor('team', { sort: 'name' }, value, KEY).length).toBeLessThanOrEqual(2000);
  });

  test('compare names in one case and one composition', () => {
    expect(foldName('E\u0301')).toBe(foldName('é'));
  });
});

describe('cursors', () => {
  const query = { q: 'faq', sort: 'name', status: 'pending' } as const;
  const value = sortValue(makeDataset(makeCaller()), 'name');
  const cursor = datasetsCursor('team', query, value, KEY);
  const refused = expect.objectContaining({ code: 'cursor_invalid' });

  test('cursors lead to where they were made, whatever the page size', () => {
    expect(select({ ...query, cursor }).after).toBe(value);
    expect(select({ ...query, cursor, limit: '3' }).after).toBe(value);
  });

  test.each<[string, Record<string, string>]>([
    ['another filter', { ...query, q: 'other' }],
    ['another order', { ...query, sort_direction: 'asc' }],
    ['a filter less', { sort: 'name', q: 'faq' }],
  ])('cursors are refused for %s', (_title, other) => {
    expect(() => select({ ...other, cursor })).toThrow(refused);
  });

  test('cursors are refused for another team', () => {
    expect(() => select({ ...query, cursor }, 'other team')).toThrow(refused);
  });

  test('cursors are refused when they were signed with another key', () => {
    expect(() => select({ ...query, cursor: datasetsCursor('team', query, value, 'other') })).toThrow(
      refused,
    );
  });

  test('cursors are refused when any character was changed', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect(() => select({ ...query, cursor: changed })).toThrow(refused);
    }
  });

  test.each(['', '.', 'x', `${cursor}.`, `${cursor}=`, cursor.slice(0, -1)])('"%s" is refused', (text) => {
    expect(() => select({ ...query, cursor: text })).toThrow(refused);
  });
});

test('the run of an ingest is not shown', () => {
  expect(shownRunId({ state: 'ingesting', run_id: 'r' })).toBeNull();
  expect(shownRunId({ state: 'running', run_id: 'r' })).toBe('r');
});
