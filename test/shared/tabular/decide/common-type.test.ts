import { expect, test } from 'vitest';
import { commonNumber, commonType, isRewritten } from '#shared/tabular/decide/common-type.ts';

test.each([
  [['BIGINT', 'BIGINT'], 'BIGINT'],
  [['INTEGER', 'BIGINT', 'UTINYINT'], 'BIGINT'],
  [['BIGINT', 'UBIGINT'], 'DECIMAL(38,0)'],
  [['BIGINT', 'DOUBLE'], 'DOUBLE'],
  [['FLOAT', 'DECIMAL(10,2)'], 'DOUBLE'],
  [['DECIMAL(10,2)', 'DECIMAL(18,4)'], 'DECIMAL(18,4)'],
  [['BIGINT', 'DECIMAL(10,2)'], 'DECIMAL(21,2)'],
  [['DECIMAL(38,0)', 'DECIMAL(10,2)'], 'DOUBLE'],
  [['VARCHAR', 'BIGINT'], 'VARCHAR'],
  [['BOOLEAN', 'BIGINT'], 'VARCHAR'],
  [['DATE', 'TIMESTAMP'], 'VARCHAR'],
  [['HUGEINT', 'BIGINT'], 'VARCHAR'],
  [['VARCHAR', 'JSON'], 'JSON'],
  [['VARCHAR', 'STRUCT(a INTEGER)[]'], 'JSON'],
  [['BIGINT', 'INTEGER[]'], 'JSON'],
])('%j have %s in common, in any order', (types, expected) => {
  expect(commonType(types)).toBe(expected);
  expect(commonType([...types].reverse())).toBe(expected);
});

test.each([
  ['BIGINT', 'VARCHAR', true],
  ['BOOLEAN', 'VARCHAR', true],
  ['DATE', 'VARCHAR', false],
  ['BIGINT', 'DOUBLE', false],
  ['BIGINT', 'JSON', false],
])('a cell of %s that becomes %s is rewritten: %s', (type, target, expected) => {
  expect(isRewritten(type, target)).toBe(expected);
});

test.each([
  ['INTEGER', 'BIGINT', 'BIGINT'],
  ['UBIGINT', 'BIGINT', 'DECIMAL(38,0)'],
  ['FLOAT', 'BIGINT', 'DOUBLE'],
  ['DECIMAL(10,2)', 'DOUBLE', 'DOUBLE'],
  ['DECIMAL(38,0)', 'DOUBLE', null],
  ['DECIMAL(20,2)', 'DOUBLE', null],
  ['UBIGINT', 'DOUBLE', null],
  ['BIGINT', 'VARCHAR', null],
  ['BOOLEAN', 'BIGINT', null],
])('numbers of %s and %s are of type %s', (a, b, expected) => {
  expect(commonNumber(a, b)).toBe(expected);
  expect(commonNumber(b, a)).toBe(expected);
});
