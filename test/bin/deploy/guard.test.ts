import { expect, it } from 'vitest';
import { guarded, requireQuiet, unguarded } from '#bin/deploy/guard.ts';

it('A guarded change names its alarms as triggers, and one that is not guarded clears those of before', () => {
  expect(guarded(['arn:one', 'arn:two'], 10)).toEqual([
    '--rollback-trigger-alarm-arns',
    'arn:one',
    '--rollback-trigger-alarm-arns',
    'arn:two',
    '--monitoring-time-minutes',
    '10',
  ]);
  // The CDK takes `none` for no triggers only where it is the only value.
  expect(unguarded(['--profile', 'ann'])).toEqual([
    '--rollback-trigger-alarm-arns',
    'none',
    '--monitoring-time-minutes',
    '0',
  ]);
});

it.each([[['--rollback-trigger-alarm-arns', 'arn:mine']], [['--rollback-trigger-alarm-arns=none']]])(
  'Triggers that the caller gives the CDK stay as given: %j',
  (forwarded) => {
    expect(unguarded(forwarded)).toEqual([]);
  },
);

it('A guarded change does not begin while one of its alarms is on, which the error names', () => {
  expect(() => requireQuiet([])).not.toThrow();
  expect(() => requireQuiet(['tunesmith-prod-api-errors'])).toThrow(
    /Nothing was changed.*tunesmith-prod-api-errors.*without --guard/,
  );
});
