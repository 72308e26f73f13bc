import { expect, test } from 'vitest';
import { DEFAULT_PLAN, Plan } from '#shared/platform/access/plan.ts';

test('a plan that was stored before runs had budgets limits neither tokens nor minutes', () => {
  const { tokens_per_run: _tokens, minutes_per_run: _minutes, ...stored } = DEFAULT_PLAN;

  expect(Plan.parse(stored)).toMatchObject({ tokens_per_run: null, minutes_per_run: null });
});
