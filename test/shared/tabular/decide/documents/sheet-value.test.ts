import { expect, test } from 'vitest';
import { columnOf, numberKind, sheetNumber } from '#shared/tabular/decide/documents/sheet-value.ts';

test.each([
  [0, undefined, 'plain'],
  [10, undefined, 'percent'],
  [14, undefined, 'date'],
  [46, undefined, 'duration'],
  [164, 'dd.mm.yyyy', 'date'],
  [164, '[$-407]d. mmmm yyyy;@', 'date'],
  [164, 'h:mm AM/PM', 'date'],
  [164, '[h]:mm:ss', 'duration'],
  [164, '0.0%', 'percent'],
  [164, '#,##0.00 "days";[Red]-0', 'plain'],
  [164, '[Red]General', 'plain'],
  [164, '0.00\\d', 'plain'],
] as const)('format %i %s makes a number %s', (id, code, kind) => {
  expect(numberKind(id, code)).toBe(kind);
});

test.each([
  ['0.30000000000000004', 'plain', '0.3'],
  ['12345678901234', 'plain', '12345678901234'],
  ['1E-3', 'plain', '0.001'],
  ['0.07', 'percent', '7%'],
  ['45360', 'date', '2024-03-09'],
  ['45360.489583333336', 'date', '2024-03-09 11:45:00'],
  ['0.25', 'date', '06:00:00'],
  ['1', 'date', '1900-01-01'],
  ['59', 'date', '1900-02-28'],
  ['61', 'date', '1900-03-01'],
  ['1.5', 'duration', '36:00:00'],
  ['-2', 'date', '-2'],
  ['99999999', 'date', '99999999'],
  ['n/a', 'date', 'n/a'],
] as const)('%s as %s is %s', (stored, kind, shown) => {
  expect(sheetNumber(stored, kind, false)).toBe(shown);
});

test('days count from 1904 where the workbook says so', () => {
  expect(sheetNumber('43898', 'date', true)).toBe('2024-03-09');
});

test.each([
  ['A1', 0],
  ['Z9', 25],
  ['AB12', 27],
  ['XFD1048576', 16_383],
  ['12', null],
  [undefined, null],
])('cell %s stands in column %s', (reference, column) => {
  expect(columnOf(reference)).toBe(column);
});
