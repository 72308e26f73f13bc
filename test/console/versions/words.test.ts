import { describe, expect, test } from 'vitest';
import { isResultVersion, kindOf, RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import {
  comparedOf,
  currentVersion,
  hasRows,
  isComparable,
  isDeletable,
  makerWords,
  modelsWords,
  optionsOf,
} from '../../../console/src/versions/words.ts';
import { HISTORY, version } from './version-examples.ts';

const NOTHING = { from: null, to: null };

test('the current version is the newest adaptation that succeeded, also below newer rows', () => {
  expect(currentVersion(HISTORY, false)).toBe(2);
});

test('the current version is the newest rows where no adaptation succeeded', () => {
  const rows = [version(3, { status: 'failed' }), ...HISTORY.slice(1, 2), ...HISTORY.slice(3)];

  expect(currentVersion(rows, false)).toBe(3);
  expect(currentVersion(HISTORY.slice(3), false)).toBe(1);
});

test('the current version is the rows that a run generated, also below rows that were appended to them', () => {
  const grown = version(1, { made_by: 'augment', status: 'awaiting_input' });

  expect(currentVersion([HISTORY[1] ?? grown, grown], false)).toBe(1);
});

test('the current version is not known while it may be on a page that was not read, and is never a deleted one', () => {
  expect(currentVersion(HISTORY.slice(0, 2), true)).toBeNull();
  expect(currentVersion([version(2, { status: 'deleted' }), ...HISTORY.slice(3)], false)).toBe(1);
  expect(currentVersion([], false)).toBeNull();
});

describe('what can be done with a version', () => {
  test.each([
    ['adapt', 'succeeded', true, true, true],
    ['adapt', 'failed', true, false, true],
    ['adapt', 'running', false, false, false],
    ['adapt', 'deleted', false, false, false],
    ['append', 'awaiting_input', true, true, false],
    ['ingest', 'succeeded', true, true, false],
  ] as const)(
    'a version by %s that is %s has rows: %s, can be compared: %s, and deleted: %s',
    (made_by, status, rows, compared, deleted) => {
      const of = { made_by, status };

      expect([hasRows(of), isComparable(of), isDeletable(of)]).toEqual([rows, compared, deleted]);
    },
  );
});

/** Kinds of runs that make a version of their dataset. */
const makers = RunPipeline.options.filter((pipeline) =>
  ['dataset', 'append'].includes(kindOf({ pipeline }).claims),
);

test.each(makers)('a version that a run of %s has made is taken for what its kind says', (pipeline) => {
  const rows = version(1, { made_by: 'ingest', status: 'awaiting_input' });
  const made = version(2, { made_by: pipeline, status: 'awaiting_input' });
  const appended = version(3, { made_by: 'append', status: 'awaiting_input' });
  const { reads } = kindOf({ pipeline });

  expect(isDeletable({ made_by: pipeline, status: 'succeeded' })).toBe(
    isResultVersion({ made_by: pipeline }),
  );
  expect(currentVersion([appended, made, rows], false)).toBe(reads === 'other_rows' ? 2 : 3);
});

test('the versions that are compared are the newest two that can be, where none is asked for', () => {
  expect(comparedOf(HISTORY, NOTHING)).toEqual({ from: 2, to: 3 });
});

test('the versions that are compared are those that are asked for, also if they are the same or not read yet', () => {
  expect(comparedOf(HISTORY, { from: 1, to: 1 })).toEqual({ from: 1, to: 1 });
  expect(comparedOf(HISTORY, { from: 90, to: 91 })).toEqual({ from: 90, to: 91 });
  expect(comparedOf(HISTORY, { from: null, to: 2 })).toEqual({ from: 1, to: 2 });
  expect(comparedOf(HISTORY, { from: 3, to: null })).toEqual({ from: 3, to: 2 });
});

test('the versions that are compared are none where there are not two', () => {
  expect(comparedOf(HISTORY.slice(3), NOTHING)).toBeNull();
  expect(comparedOf([version(2, { status: 'deleted' }), ...HISTORY.slice(3)], NOTHING)).toBeNull();
});

test('the versions that are compared are offered with the one that is chosen, though it was deleted', () => {
  const versions = [version(5), version(4, { status: 'deleted' }), ...HISTORY.slice(1)];

  expect(optionsOf(versions, 5)).toEqual([5, 3, 2, 1]);
  expect(optionsOf(versions, 4)).toEqual([5, 4, 3, 2, 1]);
});

test('a maker has a word, also one that nobody thought of', () => {
  expect(['ingest', 'import', 'append', 'adapt', 'build_pool', 'constructor'].map(makerWords)).toEqual([
    'upload',
    'import',
    'append',
    'adaptation',
    'build pool',
    'constructor',
  ]);
});

test('a model is named once for all of its roles', () => {
  expect(modelsWords({ answer: 'a', judge: 'b', rephrase: 'a' })).toBe('answer, rephrase: a; judge: b');
  expect(modelsWords({})).toBeNull();
});
