import { describe, expect, test } from 'vitest';
import {
  canMove,
  DatasetState,
  listStatus,
  publicStatus,
  statesBefore,
  statesShownAs,
} from '#shared/datasets/decide/states.ts';

const edges: readonly (readonly [DatasetState, DatasetState])[] = [
  ['awaiting_upload', 'ingesting'],
  ['awaiting_upload', 'awaiting_preprocessing'],
  ['awaiting_upload', 'failed'],
  ['awaiting_upload', 'deleted'],
  ['awaiting_preprocessing', 'ingesting'],
  ['awaiting_preprocessing', 'deleted'],
  ['ingesting', 'awaiting_input'],
  ['ingesting', 'succeeded'],
  ['ingesting', 'failed'],
  ['awaiting_input', 'running'],
  ['awaiting_input', 'deleted'],
  ['running', 'succeeded'],
  ['running', 'failed'],
  ['succeeded', 'running'],
  ['succeeded', 'awaiting_input'],
  ['succeeded', 'deleted'],
  ['failed', 'running'],
  ['failed', 'awaiting_input'],
  ['failed', 'succeeded'],
  ['failed', 'deleted'],
];

test.each(edges)('%s may go to %s', (from, to) => {
  expect(canMove(from, to)).toBe(true);
  expect(statesBefore(to)).toContain(from);
});

test('a state has no transitions but these', () => {
  const others = DatasetState.options.flatMap((from) =>
    DatasetState.options.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`),
  );

  expect(others.sort()).toEqual(edges.map((edge) => edge.join(' ')).sort());
  for (const to of DatasetState.options) {
    expect(statesBefore(to).sort()).toEqual(
      edges.flatMap(([from, reached]) => (reached === to ? [from] : [])).sort(),
    );
  }
});

describe('status', () => {
  test.each([
    ['awaiting_upload', 'pending', 'pending'],
    ['awaiting_preprocessing', 'pending', 'pending'],
    ['ingesting', 'pending', 'pending'],
    ['awaiting_input', 'pending', 'awaiting_input'],
    ['running', 'running', 'running'],
    ['succeeded', 'succeeded', 'succeeded'],
    ['failed', 'failed', 'failed'],
  ] as const)('%s is %s for GET and %s for lists', (state, shown, listed) => {
    expect(publicStatus(state)).toBe(shown);
    expect(listStatus(state)).toBe(listed);
    expect(statesShownAs(listed)).toContain(state);
  });

  test('a deleted dataset has none', () => {
    expect(() => publicStatus('deleted')).toThrow(RangeError);
    expect(statesShownAs('pending')).toEqual(['awaiting_upload', 'awaiting_preprocessing', 'ingesting']);
  });
});
