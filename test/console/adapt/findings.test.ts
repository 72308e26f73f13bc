import { expect, test } from 'vitest';
import { LintCheck } from '#shared/answers/schema/lint.ts';
import { CHECKS, findingsByCheck, type LintReport } from '../../../console/src/adapt/findings.ts';

const reportOf = (fields: Partial<LintReport>): LintReport => ({
  dataset_id: 'd',
  row_count: 20,
  first_row: 0,
  checked_rows: 10,
  next_row: null,
  counts: {},
  findings: [],
  omitted_findings: 0,
  ...fields,
});

test('every check of the service is shown, the worst first', () => {
  expect(CHECKS.map(({ check }) => check).sort()).toEqual([...LintCheck.options].sort());
  const order = ['error', 'warning', 'note'];
  const ranks = CHECKS.map(({ severity }) => order.indexOf(severity));
  expect(ranks).toEqual([...ranks].sort());
});

test('what several answers found is one, and what is not listed is counted', () => {
  const finding = (row: number) => ({ row, check: 'completion_empty', message: 'It has no text.' }) as const;
  const found = findingsByCheck([
    reportOf({ counts: { completion_empty: 1, near_duplicate: 0 }, findings: [finding(3)] }),
    reportOf({ first_row: 10, counts: { completion_empty: 5, near_duplicate: 0 }, findings: [finding(12)] }),
  ]);
  const of = (check: string) => found.find((each) => each.check === check);

  expect(of('completion_empty')).toMatchObject({ count: 6, findings: [{ row: 3 }, { row: 12 }], omitted: 4 });
  expect(of('near_duplicate')).toMatchObject({ count: 0, findings: [], omitted: 0 });
  expect(of('contaminated')).toMatchObject({ count: null });
});
