import type { PilotRecommendation, PilotWinRate } from '../schema/pilot.ts';
import { type ArmVerdicts, finalistsOf } from './looks.ts';
import type { RowVerdict } from './verdict.ts';
import { winRateOf } from './win-rate.ts';

/** The verdicts of an arm's answers against those of another arm. */
export interface FinalVerdicts {
  readonly arm: number;
  readonly against: number;
  readonly verdicts: readonly RowVerdict[];
}

export interface RecommendationInput {
  readonly arms: readonly ArmVerdicts[];
  readonly finals: readonly FinalVerdicts[];
  readonly confidence: number;
  readonly nameOf: (arm: number) => string;
}

/** Names the arm to run, or none, with what that rests on. */
export function recommend(input: RecommendationInput): PilotRecommendation {
  const { arms, finals, confidence } = input;
  const finalists = finalistsOf(arms, confidence);
  const beats = (arm: number, other: number): boolean => isBeaten(finals, confidence, arm, other);
  const others = (arm: number): number[] => finalists.filter((other) => other !== arm);
  const champion = finalists.find(
    (arm) => finalists.length > 1 && others(arm).every((other) => beats(arm, other)),
  );
  const unbeaten = finalists.find((arm) => !others(arm).some((other) => beats(other, arm)));
  const arm = champion ?? unbeaten ?? finalists[0] ?? null;
  if (arm === null) return { arm, certainty: 'nothing_shown', reason: 'TODO' };
  return {
    arm,
    certainty: champion === undefined ? 'better_than_original' : 'better_than_others',
    reason: 'TODO',
  };
}

/** Whether the finals show that an arm beats another. */
function isBeaten(finals: readonly FinalVerdicts[], confidence: number, arm: number, other: number): boolean {
  const intervalOf = (first: number, second: number): PilotWinRate['interval'] => {
    const final = finals.find((each) => each.arm === first && each.against === second);
    return final === undefined ? null : winRateOf(final.verdicts, confidence).interval;
  };
  const [own, reverse] = [intervalOf(arm, other), intervalOf(other, arm)];
  return (own !== null && own[0] > 0.5) || (reverse !== null && reverse[1] < 0.5);
}
