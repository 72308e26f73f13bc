import { expect, test } from 'vitest';
import { PilotState } from '#shared/pilots/decide/state.ts';

const stateOf = (certainty: string) => ({
  sample_rows: 1,
  arms: [],
  recommendation: { arm: 1, certainty, reason: 'It is better.' },
  judge: null,
});

test('a stored certainty of before is read in the words of today, and an unknown one is refused', () => {
  expect(PilotState.parse(stateOf('better_than_others')).recommendation?.certainty).toBe(
    'better_than_original',
  );
  expect(PilotState.parse(stateOf('nothing_shown')).recommendation?.certainty).toBe('nothing_shown');
  expect(PilotState.safeParse(stateOf('certain')).success).toBe(false);
});
