import { wilsonInterval } from '#shared/judging/decide/statistics.ts';
import type { ComparedAnswers, Comparison } from '#shared/training/schema/comparison.ts';
import { type Compared, HYPERPARAMS, type MeasuredComparison } from './comparison-measure.ts';
import { oneLine, table } from './markdown.ts';

/** Its file in `docs/effect`, without the ending. */
export const COMPARISONS_REPORT = 'comparisons-measured';

type WinRate = NonNullable<Comparison['win_rates']['adapted_against_original']>;
type OfSeed = WinRate['by_seed'][number];

/** The win rates of the adapted sides of a case against the original ones, a seed each. */
export function winRatesOf(measured: readonly MeasuredComparison[], dataset: Compared): OfSeed[] {
  return measured
    .filter((each) => each.dataset === dataset)
    .flatMap(({ comparison }) => comparison.win_rates.adapted_against_original?.by_seed ?? []);
}

interface Known {
  readonly interval95: readonly [number, number];
}

export const liesAbove = ({ interval95: [low] }: Known): boolean => low > 0.5;
export const holdsHalf = ({ interval95: [low, high] }: Known): boolean => low <= 0.5 && high >= 0.5;

/** In the order of the report. */
const SAYS: Readonly<Record<Compared, string>> = {
  noisy: 'noisy originals, clean adapted rows',
  'noisy-longer': 'the third of these datasets, trained on three times as long',
  equal: 'two good answers to each prompt, put on the sides by chance',
};

/** The report on comparisons with a trained model, in Markdown. */
export function writeComparisonsReport(measured: readonly MeasuredComparison[], model: string): string {
  const { learning_rate, lora_r, batch_size } = HYPERPARAMS;
  const [first] = measured;
  const held = first?.comparison.win_rates.adapted_against_original?.rows ?? 0;
  const rows = first?.comparison.trainings[0]?.rows ?? 0;
  const minutes = Math.round(measured.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  return [
    '# Comparisons with a trained model',
    `${model}, trained and asked by the embedded trainer on two cores that other work used as well: ${measured.length} comparisons of one seed each, in ${minutes} minutes. \`npm run effect -- comparisons --report ${COMPARISONS_REPORT}\` measures them again; a comparison that is done is not run again.`,
    `Each comparison has rows, held-out prompts and a seed of its own: ${rows} rows a side (learning rate ${learning_rate}, rank ${lora_r}, batches of ${batch_size}), and ${held} prompts that are held out. Preparation, trainings, checks and intervals are those of the service; what is in a table, a bucket and a queue there is in memory here. There is no judge: that of a local installation is believed for no kind of pair, and so would not be asked. The checks decide alone: rows on which both answers have a defect, or are the same, are equal, and those on which neither has one are undecided.`,
    ...(Object.keys(SAYS) as Compared[]).flatMap((dataset) => describe(measured, dataset)),
  ].join('\n\n');
}

function describe(measured: readonly MeasuredComparison[], dataset: Compared): string[] {
  const rates = winRatesOf(measured, dataset);
  if (rates.length === 0) return [];
  const own = measured.filter((each) => each.dataset === dataset);
  const steps = own[0]?.comparison.trainings[0]?.stages.at(-1)?.steps ?? 0;
  return [
    `## ${dataset}: ${SAYS[dataset]}`,
    `${steps} steps a training. ${summaryOf(rates)}`,
    table(
      ['Comparison', 'Win rate', 'Interval', 'Adapted better', 'Original better', 'Equal', 'Undecided'],
      rates.map(({ value, interval95: [low, high], wins, losses, ties, undecided }, place) => [
        `${own[place]?.number}`,
        two(value),
        `${two(low)} to ${two(high)}`,
        wins,
        losses,
        ties - undecided,
        undecided,
      ]),
      0,
    ),
    quote(own[0]?.comparison.answers ?? []),
  ];
}

function summaryOf(rates: readonly OfSeed[]): string {
  const of = (holds: (rate: OfSeed) => boolean): string => `${rates.filter(holds).length} of ${rates.length}`;
  const values = rates.map(({ value }) => value);
  const mean = sum(values) / values.length;
  const spread = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / Math.max(1, values.length - 1));
  const decided = rates.map(({ wins, losses }) => wins + losses);
  const tied = sum(rates.map(({ ties, undecided }) => ties - undecided));
  const open = sum(rates.map(({ undecided }) => undecided));
  const differsAlone = (rate: OfSeed): boolean => !holdsHalf({ interval95: intervalOfDecided(rate) });
  return [
    `The interval lies above 0.5 in ${of(liesAbove)} comparisons, and holds 0.5 in ${of(holdsHalf)}.`,
    `Win rates: ${two(Math.min(...values))} to ${two(Math.max(...values))}, mean ${two(mean)}, standard deviation ${two(spread)}.`,
    `${of(({ wins, losses }) => wins + losses > 0)} comparisons have rows on which one side is better, ${Math.min(...decided)} to ${Math.max(...decided)} of them; an interval of these rows alone, without the ties, would not hold 0.5 in ${of(differsAlone)}.`,
    `Of all rows the checks call ${sum(decided)} better or worse and ${tied} equal, and leave ${open} undecided.`,
  ].join(' ');
}

function intervalOfDecided({ wins, losses }: OfSeed): Known['interval95'] {
  const decided = wins + losses;
  return decided === 0 ? [0, 1] : wilsonInterval(wins / decided, decided);
}

const QUOTED = 6;
const CELL_CHARACTERS = 160;

/** The answers of the first comparison, side by side, so that a reader can verify the checks. */
function quote(answers: readonly ComparedAnswers[]): string {
  // The tasks follow one another: some of each.
  const every = Math.max(1, Math.floor(answers.length / QUOTED));
  const shown = answers.filter((_, place) => place % every === 0).slice(0, QUOTED);
  const head = ['Prompt', 'Base', 'Trained on the originals', 'Trained on the adapted rows', 'Better'];
  const rows = shown.flatMap(({ prompt, base, by_seed: [seed] }) => {
    if (seed === undefined) return [];
    const texts = [prompt.text, base.text, seed.original.text, seed.adapted?.text ?? ''];
    const better = seed.better === 'tie' ? 'equal' : (seed.better ?? 'undecided');
    return [[...texts.map((text) => oneLine(text, CELL_CHARACTERS)), better]];
  });
  return table(head, rows, head.length);
}

const two = (share: number): string => share.toFixed(2);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
