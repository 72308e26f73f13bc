import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';
import { ARMS_MAX } from './pilot.ts';

/** Verdicts of one request: those of three people on every pair of the largest pilot. */
export const PAIR_VERDICTS_MAX = 5000;
export const NEXT_PAIRS_MAX = 50;

const Share = z.number().min(0).max(1);
const Interval = z.tuple([Share, Share]);
const arm = z.int().min(1).max(ARMS_MAX).meta({ example: 1 });

export const PairVerdict = z
  .strictObject({
    arm: arm.describe('Number of the arm.'),
    row: z
      .int()
      .min(0)
      .max(999_999_999)
      .meta({ example: 12 })
      .describe('Index of the row in the dataset, from 0.'),
    verdict: z
      .enum(['better', 'worse', 'same'])
      .meta({ example: 'better' })
      .describe('The answer of the arm against the original one: `same` is a tie.'),
    reviewer: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ example: 'ada' })
      .describe(
        'Who says so, 1 to 100 characters. Where people say different things of a pair, the interval is wider. Default: one person.',
      ),
  })
  .meta({ id: 'PairVerdict' });
export type PairVerdict = z.infer<typeof PairVerdict>;

export const PairVerdictsRequest = z
  .strictObject({
    verdicts: z
      .array(PairVerdict)
      .max(PAIR_VERDICTS_MAX)
      .describe(
        'What people say of pairs, 0 to 5,000; of each person one verdict about a pair. Send all of them each time: nothing is stored.',
      ),
    next: z
      .int()
      .min(0)
      .max(NEXT_PAIRS_MAX)
      .optional()
      .describe('How many pairs of each arm to name that are to be looked at next, 0 to 50. Default: 10.'),
  })
  .meta({ id: 'PairVerdictsRequest' });
export type PairVerdictsRequest = z.infer<typeof PairVerdictsRequest>;

const WinRate = z.object({
  win_rate: Share.meta({ example: 0.71 }).describe(
    'Share of the pairs that the arm wins; a tie counts half.',
  ),
  interval: Interval.meta({ example: [0.6, 0.8] }).describe('Its 95 % interval.'),
});

export const ReviewedArm = z
  .object({
    arm: arm.describe('Number of the arm.'),
    pairs: count(60).describe('Rows that the arm changed, and whose answers were compared: the pairs.'),
    verdicts: count(34).describe('Pairs of the arm with a verdict that counts.'),
    drawn: count(30).describe(
      'Those of them that were drawn at random, which tell of the others: the pairs that `next` named, in its order.',
    ),
    missing: count(0).describe(
      'Drawn pairs that still need a verdict before there is a `result`: it takes 30, or all pairs of the arm.',
    ),
    disputed: count(1).describe('Pairs of which people say different things.'),
    result: WinRate.extend({
      verdicts_alone: WinRate.describe('The same without what checks and judge say of the other pairs.'),
      is_better: z
        .boolean()
        .meta({ example: true })
        .describe(
          'Whether the interval lies above 0.5: the arm is better than the originals by what people say.',
        ),
    })
      .nullable()
      .describe(
        'The win rate of all pairs: what checks and judge say of them, corrected by the verdicts (prediction-powered). Null while verdicts are missing.',
      ),
    agreement: z
      .object({
        pairs: count(21).describe(
          'Pairs with a verdict that checks or judge had decided, and people not as a tie.',
        ),
        share: Share.meta({ example: 0.9 }).describe('Share of them about which they agree with the people.'),
        interval: Interval.meta({ example: [0.71, 0.97] }).describe('Its 95 % interval (Wilson).'),
      })
      .nullable()
      .describe('How far checks and judge are right about these pairs; null without such a pair.'),
    next: z
      .array(z.int().min(0))
      .meta({ example: [41, 7] })
      .describe(
        'Rows whose pairs are to be looked at next, drawn at random; show people no verdict of the pilot.',
      ),
  })
  .meta({ id: 'ReviewedArm' });
export type ReviewedArm = z.infer<typeof ReviewedArm>;

export const ReviewedPilot = z
  .object({
    pilot_id: text('b7e2d4c6-3a91-4f08-8c5d-2e6f7a9b1c30').describe('Id of the pilot.'),
    arms: z.array(ReviewedArm).describe('The arms, in the order of the request.'),
  })
  .meta({ id: 'ReviewedPilot' });
export type ReviewedPilot = z.infer<typeof ReviewedPilot>;
