import { expect, test } from 'vitest';
import { commonType, isRewritten } from '#shared/growth/decide/combine/common-type.ts';

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
