import { expect, test } from 'vitest';
import {
  deliveredCount,
  effortOf,
  isDelivered,
  OUTCOMES,
  type RowOutcome,
} from '#shared/runs/decide/outcomes.ts';
import { CandidateResult, ExpansionResult, GrowResult, RunResult } from '#shared/runs/schema/run-result.ts';

const outcomes = [
  ...new Set(
    [RunResult, GrowResult, ExpansionResult, CandidateResult].flatMap(
      ({ shape }) => shape.outcome.options as readonly RowOutcome[],
    ),
  ),
];
const tokens = { input: 60, output: 40 };

test('every outcome of a row is billed, calls no model, or names the plan’s tokens among its limits', () => {
  expect(Object.keys(OUTCOMES).sort()).toEqual([...outcomes].sort());
  for (const outcome of outcomes) {
    const limits = OUTCOMES[outcome];
    if (limits === 'billed' || limits === null) continue;
    expect(limits, outcome).toContain('unbilled_tokens_per_hour');
  }
});

/** Whether somebody pays for a row, or no model was called for it; typed out, so that the table is not held against itself. */
const PAID: Readonly<Record<RowOutcome, boolean>> = {
  changed: true,
  kept: true,
  made: true,
  expanded: true,
  failed: false,
  dropped: false,
  repeated: false,
  rejected: false,
  not_selected: true,
};

test('a run delivers the rows of its source that are changed or kept', () => {
  expect(outcomes.filter((outcome) => isDelivered({ outcome })).sort()).toEqual(['changed', 'kept']);
  expect(deliveredCount({ changed: 3, kept: 4 })).toBe(7);
  expect(deliveredCount({})).toBe(0);
});

test.each(outcomes)('a row that is %s counts for its limits', (outcome) => {
  expect(effortOf({ outcome, tokens })).toEqual({
    tokens: 100,
    isFailed: outcome === 'failed',
    unbilledTokens: PAID[outcome] ? 0 : 100,
  });
});

test.each(outcomes)('a row that is %s and lacks a pair that was asked for counts as unbilled', (outcome) => {
  const isBilledOtherwise = outcome === 'made' || outcome === 'not_selected';
  const { unbilledTokens } = effortOf({ outcome, tokens, cells: { chosen: null, rejected: null } });

  expect(unbilledTokens).toBe(isBilledOtherwise ? 0 : 100);
  expect(effortOf({ outcome, tokens, cells: { chosen: 'a' } })).toEqual(effortOf({ outcome, tokens }));
});

test('tokens of batch jobs of an unbilled row count for the team, since they count for the run with their job', () => {
  expect(effortOf({ outcome: 'failed', tokens, batched: { input: 50, output: 40 } })).toMatchObject({
    tokens: 10,
    unbilledTokens: 100,
  });
});
