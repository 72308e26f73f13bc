import type { TeamEvent } from 'tunesmith';
import { expect, test } from 'vitest';
import { isTouched } from '../../console/src/follow-events.ts';

const ended: TeamEvent = {
  id: 'evt_1',
  type: 'run.ended',
  schema_version: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  dataset_id: 'd1',
  sequence: 1,
  position: 1,
  data: { run_id: 'r', kind: 'adapt', status: 'succeeded', version: 2, billed_credits: 1, error_code: null },
};

test.each([
  [['dataset', 'd1', 'status'], true],
  [['rows', 'd1', null], true],
  [['datasets', '', 'succeeded'], true],
  [['me'], true],
  [['dataset', 'd2', 'status'], false],
  [['models'], false],
  [['row', null], false],
])('an event of a dataset touches the answer %j: %s', (key, touched) => {
  expect(isTouched(key, ended)).toBe(touched);
});
