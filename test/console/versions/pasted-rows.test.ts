import { expect, test } from 'vitest';
import { AppendRequest } from '#shared/ingest/schema/append.ts';
import { BODY_BYTES_MAX, ROWS_MAX, readPasted } from '../../../console/src/versions/pasted-rows.ts';

const rowsOf = (text: string) => {
  const pasted = readPasted(text);
  return pasted.kind === 'rows' ? pasted.rows : pasted.problem;
};

test('pasted rows are an array, an object on each line, or one object', () => {
  const rows = [{ q: 'why', n: 1 }, { q: null }];

  expect(rowsOf(JSON.stringify(rows, null, 2))).toEqual(rows);
  expect(rowsOf(`${rows.map((row) => JSON.stringify(row)).join('\r\n')}\n\n`)).toEqual(rows);
  expect(rowsOf('{\n  "q": "why"\n}')).toEqual([{ q: 'why' }]);
  expect(AppendRequest.safeParse({ rows }).success).toBe(true);
});

test.each([
  ['', 'Paste at least one row.'],
  [' \n ', 'Paste at least one row.'],
  ['[]', 'The array has no rows.'],
  ['[{"q": 1}, 2]', 'Row 1 is no object with cells by column.'],
  ['[[1]]', 'Row 0 is no object with cells by column.'],
  ['null', 'What is pasted is no object with cells by column.'],
  ['{"q": 1}\n\n"two"', 'Line 3 is no object with cells by column.'],
])('pasted rows that are none, %j, are refused: %s', (text, problem) => {
  expect(rowsOf(text)).toBe(problem);
});

test('pasted rows that are no JSON are refused with the line', () => {
  expect(rowsOf('question,answer\nwhy,because')).toMatch(/^Line 1 is no JSON: /);
  expect(rowsOf('{"q": 1}\n\n{"q": ')).toMatch(/^Line 3 is no JSON: /);
  expect(rowsOf('[{"q": 1},\n {"q": }]')).toMatch(/^This is no JSON: /);
});

test('pasted rows that are too many or too long for a request are refused before they are sent', () => {
  const row = { q: 'ü'.repeat(BODY_BYTES_MAX / 4) };

  expect(rowsOf(JSON.stringify([row]))).toEqual([row]);
  expect(rowsOf(JSON.stringify([row, row]))).toMatch(/^The rows have 4\.19 MB; .* Choose a file instead\.$/);
  expect(rowsOf(`[${'{},'.repeat(ROWS_MAX)}{}]`)).toMatch(/^These are 100,001 rows; /);
  expect(AppendRequest.shape.rows.safeParse(Array.from({ length: ROWS_MAX }, () => ({}))).success).toBe(true);
  expect(AppendRequest.shape.rows.safeParse(Array.from({ length: ROWS_MAX + 1 }, () => ({}))).success).toBe(
    false,
  );
});
