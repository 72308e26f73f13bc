import { expect, test } from 'vitest';
import {
  comparisonRequestOf,
  NEW_COMPARISON,
  obstacleOf,
  originalColumnsOf,
} from '../../../console/src/comparisons/launch.ts';

const COLUMNS = { hasOwnColumns: true, prompt: 'question', completion: 'old_answer' };

test('a request leaves to the service what is not chosen', () => {
  expect(comparisonRequestOf('d', NEW_COMPARISON)).toEqual({ dataset_id: 'd', seeds: 1 });
});

test('a request names the model and the columns that are chosen', () => {
  expect(comparisonRequestOf('d', { ...NEW_COMPARISON, ...COLUMNS, model: 'm', seeds: 3 })).toEqual({
    dataset_id: 'd',
    seeds: 3,
    model: 'm',
    column_mapping: { prompt: 'question', completion: 'old_answer' },
  });
});

test('columns that were chosen and are not wanted any more are left out', () => {
  expect(
    comparisonRequestOf('d', { ...NEW_COMPARISON, ...COLUMNS, hasOwnColumns: false }),
  ).not.toHaveProperty('column_mapping');
});

test.each([
  [{}, null],
  [{ hasOwnColumns: true }, 'Choose the columns'],
  [{ ...COLUMNS, completion: '' }, 'Choose the columns'],
  [{ ...COLUMNS, completion: 'question' }, 'two different columns'],
  [COLUMNS, null],
])('the obstacle of %j is %s', (changes, obstacle) => {
  const found = obstacleOf({ ...NEW_COMPARISON, ...changes });
  if (obstacle === null) expect(found).toBeNull();
  else expect(found).toContain(obstacle);
});

test('columns of the source have the names of the adapted dataset', () => {
  expect(
    originalColumnsOf([
      { name: 'question', side: 'before' },
      { name: 'enhanced_prompt', side: 'before' },
      { name: 'enhanced_prompt', side: 'after' },
    ]),
  ).toEqual(['question', 'original_enhanced_prompt']);
});
