import { expect, test } from 'vitest';
import { effortOf, OUTCOMES, type RowOutcome } from '#shared/runs/decide/outcomes.ts';
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

test.each(outcomes.map((outcome) => [outcome, OUTCOMES[outcome]] as const))(
  'a row that is %s counts for its limits',
  (outcome, limits) => {
    const isUnbilled = limits !== 'billed' && limits !== null;
    expect(effortOf({ outcome, tokens })).toEqual({
      tokens: 100,
      isFailed: outcome === 'failed',
      unbilledTokens: isUnbilled ? 100 : 0,
    });
  },
);

test('tokens of batch jobs of an unbilled row count for the team, since they count for the run with their job', () => {
  expect(effortOf({ outcome: 'failed', tokens, batched: { input: 50, output: 40 } })).toMatchObject({
    tokens: 10,
    unbilledTokens: 100,
  });
});
