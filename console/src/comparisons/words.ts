import type { Schemas } from 'tunesmith';
import { count, percentRange, plural, wholePercent } from '../format.ts';
import { isActive, PHASE_WORDS } from '../training/words.ts';

export type Comparison = Schemas['Comparison'];
export type ComparisonSummary = Schemas['ComparisonSummary'];
export type ComparisonTraining = Schemas['ComparisonTraining'];
export type ComparisonRate = Schemas['ComparisonWinRate'];
export type SeedRate = ComparisonRate['by_seed'][number];
export type Contest = keyof Comparison['win_rates'];

export const SIDE_WORDS: Readonly<Record<ComparisonTraining['side'], string>> = {
  original: 'original rows',
  adapted: 'adapted rows',
};

/** The three contests, the one that answers the question first: who competes with whom. */
export const CONTESTS: readonly { readonly of: Contest; readonly first: string; readonly second: string }[] =
  [
    {
      of: 'adapted_against_original',
      first: 'Trained on adapted rows',
      second: 'the model trained on original rows',
    },
    { of: 'adapted_against_base', first: 'Trained on adapted rows', second: 'the base model' },
    { of: 'original_against_base', first: 'Trained on original rows', second: 'the base model' },
  ];

/** `74 % (60 to 84 %)` */
export const rateWords = ({ value, interval95 }: Pick<SeedRate, 'value' | 'interval95'>): string =>
  `${wholePercent(value)} (${percentRange(interval95)})`;

/** On which side of one half the whole interval lies; `open` if it holds one half. */
export function sideOfHalf({
  interval95: [low, high],
}: Pick<SeedRate, 'interval95'>): 'above' | 'below' | 'open' {
  if (low > 0.5) return 'above';
  return high < 0.5 ? 'below' : 'open';
}

/** What the interval of a contest shows about its first model. */
export function contestWords(rate: Pick<SeedRate, 'interval95'>, second: string): string {
  const words = {
    above: `better than ${second}`,
    open: 'no difference shown',
    below: `worse than ${second}`,
  } as const;
  return words[sideOfHalf(rate)];
}

/** The answer to the question of the comparison, as far as its interval gives it. */
export function answerWords({
  status,
  win_rates: { adapted_against_original: rate },
}: Pick<Comparison, 'status' | 'win_rates'>): string {
  if (rate === null) {
    return isActive({ status })
      ? 'There is no result yet: both models of the first seed have to be trained.'
      : 'There is no result: it ended before both models of a seed were compared.';
  }
  const sentences = {
    above: 'The adaptation made a better model: the whole interval is above 50 %.',
    open: 'No difference is shown: the interval holds 50 %.',
    below: 'The adaptation made a worse model: the whole interval is below 50 %.',
  } as const;
  return sentences[sideOfHalf(rate)];
}

/** What has to be known before the answer is relied on, one sentence each. */
export function cautionsOf({
  status,
  seeds,
  win_rates: { adapted_against_original: rate },
}: Pick<Comparison, 'status' | 'seeds' | 'win_rates'>): string[] {
  if (rate === null) return [];
  const { value, rows, seed_spread: spread, by_seed: bySeed } = rate;
  const undecided = sumOf(bySeed, 'undecided');
  const all = sumOf(bySeed, 'wins') + sumOf(bySeed, 'losses') + sumOf(bySeed, 'ties');
  return [
    ...(bySeed.length < seeds
      ? [
          isActive({ status })
            ? `So far: ${count(bySeed.length)} of ${plural(seeds, 'seed')}.`
            : `It ended after ${count(bySeed.length)} of ${plural(seeds, 'seed')}.`,
        ]
      : []),
    ...(rate.is_indicative ? [`Only ${plural(rows, 'prompt')} were compared: take it as a hint.`] : []),
    ...(undecided > 0
      ? [
          `Neither the checks nor a judge decided ${count(undecided)} of ${plural(all, 'pair')} of answers. They count as ties, so the win rate is closer to 50 % than it would be if all were decided.`,
        ]
      : []),
    ...(spread === null
      ? ['One seed does not show how much other seeds would differ. More seeds do.']
      : spread > 0 && spread >= Math.abs(value - 0.5)
        ? ['The seeds differ as much as the result does from 50 %: another seed could have turned it.']
        : []),
  ];
}

const sumOf = (seeds: readonly SeedRate[], count: 'wins' | 'losses' | 'ties' | 'undecided'): number =>
  seeds.reduce((sum, seed) => sum + seed[count], 0);

/** The rows of all seeds together. */
export const totalsOf = ({ by_seed: seeds }: Pick<ComparisonRate, 'by_seed'>) => ({
  wins: sumOf(seeds, 'wins'),
  ties: sumOf(seeds, 'ties'),
  losses: sumOf(seeds, 'losses'),
  undecided: sumOf(seeds, 'undecided'),
});

/** How much the win rates of the seeds differ. */
export const spreadWords = ({ seed_spread: spread }: Pick<ComparisonRate, 'seed_spread'>): string =>
  spread === null ? 'one seed: spread not known' : `spread over seeds: ${wholePercent(spread)}`;

/** Who decided between the two sides, in a sentence. */
export function measureNote({ measure, rows }: Pick<ComparisonRate, 'measure' | 'rows'>): string {
  const decided = {
    checks:
      'Checks for defects decided: a broken form, a repetition, the wrong language, a cut end. No judge decided.',
    judge: 'Checks for defects decided first; a judge then compared sound answers, blind and in both orders.',
    likelihood: 'It was measured which model finds the original answers likelier.',
  } as const;
  return `${decided[measure]} ${plural(rows, 'prompt')} were compared for each seed.`;
}

/** How far a comparison is, in a sentence. */
export function progressWords({
  trainings,
  trainings_completed: done,
  trainings_total: total,
}: Pick<Comparison, 'trainings' | 'trainings_completed' | 'trainings_total'>): string {
  const running = trainings.find(({ status }) => status === 'running');
  const phase = running?.phase ?? null;
  const now =
    running === undefined
      ? done === 0
        ? ' The rows of both sides are prepared.'
        : ''
      : ` Seed ${running.seed}, ${SIDE_WORDS[running.side]}: ${phase === null ? 'runs' : PHASE_WORDS[phase]}.`;
  return `${count(done)} of ${plural(total, 'training')} done.${now}`;
}

/** The seeds that have a training, in order. */
export const seedsOf = (trainings: readonly Pick<ComparisonTraining, 'seed'>[]): number[] => [
  ...new Set(trainings.map(({ seed }) => seed)),
];

/** The seed whose curves are shown: the one that is asked for, else the one that is trained now, else the first. */
export function shownSeed(
  trainings: readonly Pick<ComparisonTraining, 'seed' | 'status'>[],
  asked: string | null,
): number | null {
  const found =
    trainings.find(({ seed }) => String(seed) === asked) ??
    trainings.find(({ status }) => status === 'running') ??
    trainings.at(0);
  return found?.seed ?? null;
}

const LOSS_DIGITS = 3;
/** A loss with three digits; a dash where there is none. */
export const lossWords = (loss: number | null): string => (loss === null ? '–' : loss.toFixed(LOSS_DIGITS));

/** `2.431 → 1.902` */
export const heldOutWords = ({ held_out_loss: loss }: Pick<ComparisonTraining, 'held_out_loss'>): string =>
  loss === null ? '–' : `${lossWords(loss.before)} → ${lossWords(loss.after)}`;

/** Optimizer steps of a training so far. */
export const stepsOf = ({ stages }: Pick<ComparisonTraining, 'stages'>): number =>
  stages.reduce((sum, { steps }) => sum + steps, 0);
