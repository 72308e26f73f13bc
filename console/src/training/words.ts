import type { Schemas } from 'tunesmith';
import { number, percentRange, wholePercent, words } from '../format.ts';

type Iteration = Schemas['IterationMetrics'];
export type Hyperparams = Schemas['Hyperparams'];
type Value = string | number | boolean | null | undefined;

/** The states of a training in the order of its life, with the words for people. */
export const TRAINING_WORDS: Readonly<Record<Schemas['TrainingRun']['status'], string>> = {
  pending: 'waiting',
  running: 'training',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Whether a training may still change. */
export const isActive = ({ status }: Pick<Schemas['TrainingRun'], 'status'>): boolean =>
  status === 'pending' || status === 'running';

/** What an iteration does now. */
export const PHASE_WORDS: Readonly<Record<NonNullable<Iteration['phase']>, string>> = {
  waiting: 'waits for a trainer',
  starting: 'loads the model',
  training: 'trains',
  handing_over: 'begins the second stage',
  answering: 'answers the held-out rows',
  packing: 'packs the model',
  comparing: 'is compared with the base model',
};

export const METHOD_WORDS = { sft: 'better answers (SFT)', dpo: 'preferences (DPO)' } as const;

const SCIENTIFIC_BELOW = 0.001;

/** A hyperparameter as people write it: `1e-4` rather than 0.0001. */
export function valueWords(value: Value): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (value !== 0 && Math.abs(value) < SCIENTIFIC_BELOW) return value.toExponential(2).replace(/\.?0*e/, 'e');
  return String(Number(value.toPrecision(6)));
}

/** `n_epochs` as `epochs`; others as they are named, without the underscores. */
export function hyperparamWords(name: string): string {
  const known: Readonly<Record<string, string>> = {
    training_type: 'what is trained',
    n_epochs: 'epochs',
    lora_r: 'rank of the adapter',
    lora_alpha: 'scaling of the adapter',
    lr_scheduler_type: 'course of the learning rate',
    warmup_ratio: 'share of warm-up',
    min_lr_ratio: 'final share of the learning rate',
  };
  return Object.hasOwn(known, name) ? (known[name] as string) : words(name);
}

/** What decided the win rate, in a sentence. */
export function measureWords({ measure, judge, rows }: Schemas['ShownWinRate']): string {
  return measure === 'judge'
    ? `${judge ?? 'A judge'} compared both answers to ${number(rows)} held-out rows, blind and in both orders.`
    : `On ${number(rows)} held-out rows it was measured which model finds the answer of the dataset likelier.`;
}

/** `74 % (60 to 84 %)` */
export function winRateWords({ value, interval95: interval }: Schemas['ShownWinRate']): string {
  return `${wholePercent(value)} (${percentRange(interval)})`;
}

/** How a win rate stands to the target, as far as its interval says it. */
export function verdictWords(
  { value, interval95: [low, high] }: Schemas['ShownWinRate'],
  target: number,
): string {
  if (low > 0.5)
    return value >= target ? 'better than the base model, target reached' : 'better than the base model';
  if (high < 0.5) return 'worse than the base model';
  return value >= target ? 'target reached, but it may be chance' : 'may be no better than the base model';
}
