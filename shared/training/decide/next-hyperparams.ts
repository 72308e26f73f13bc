import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import {
  EPOCHS_MAX,
  type Hyperparams,
  LEARNING_RATE,
  LORA_RANK_MAX,
  type TrainingMethod,
  type TuningMethod,
} from '../schema/training.ts';
import type { IterationOutcome } from '../schema/training-outcome.ts';
import { expectedImprovement, fitGaussianProcess } from './gaussian-process.ts';
import { pinnedFor, withoutFields } from './recommend-hyperparams.ts';

/** The hyperparameters that the loop searches, for the stage that the training is named after. */
type SearchedHyperparams = Pick<Hyperparams, 'learning_rate' | 'n_epochs' | 'lora_r' | 'dpo_beta'>;

/** The hyperparameters of an iteration, by stage. */
export interface ProposedHyperparams {
  readonly stages: readonly { readonly method: TuningMethod; readonly hyperparams: Hyperparams }[];
  readonly why: string;
}

export interface ProposalInput {
  /** The hyperparameters of the first iteration, including the caller's. */
  readonly recommended: ProposedHyperparams['stages'];
  /** Hyperparameters that the caller pinned. */
  readonly pinned: Hyperparams;
  readonly history: readonly IterationOutcome[];
  readonly seed: number;
}

const LEARNING_RATE_SPAN = 10;
const RANK_MIN = 8;
const BETA = { min: 0.05, max: 0.5 } as const;
/** Learning-rate factor after a non-finite loss. */
const SAFER = 0.2;
/** Maximum searched learning rate, as a share of the lowest one with a non-finite loss. */
const SEARCHED_OF_DIVERGED_MAX = 0.5;
/** Minimum warmup after a non-finite loss. */
const SAFER_WARMUP = 0.1;
/** Minimum relative change of a loss to be significant. */
const MEANS_OVERFIT = 0.02;
const MEANS_UNDERFIT = 0.01;
const CANDIDATES = 256;

/**
 * Proposes the hyperparameters of the next iteration. The first uses the recommended values. A failed iteration is
 * repeated unchanged. One whose loss was not finite is repeated with a fifth of the learning rate of each stage and a
 * warmup of at least a tenth of the steps; its other values stay. From then on no stage has a rate that diverged, or a
 * shorter warmup. Otherwise the next values follow from the curves: on overfitting fewer epochs and a lower rate, on
 * underfitting more epochs and a higher rate, else a higher rate. After two completed iterations a surrogate of the win
 * rate chooses the largest expected improvement instead, with epochs that the curves bound. Pinned values stay. The result
 * is deterministic in history and seed.
 */
export function nextHyperparams(input: ProposalInput): ProposedHyperparams {
  const { recommended, history, seed } = input;
  const last = history.at(-1);
  if (last === undefined) {
    return { stages: recommended, why: 'The recommended values for this model and number of rows.' };
  }
  if (last.status === 'failed') {
    return {
      stages: repeated(last),
      why: `Iteration ${last.iteration} failed for another reason than its hyperparameters: they are tried again.`,
    };
  }
  if (last.status === 'diverged') {
    return {
      stages: saferStages(input, repeated(last)),
      why: `Iteration ${last.iteration} diverged: ${saferWords(input.pinned)}.`,
    };
  }
  const completed = history.filter(({ status }) => status === 'completed');
  const reading = readCurves(last);
  const stable = { ...input, recommended: stableStages(input) };
  const space = spaceOf(stable, last, reading);
  const ruled = clampTo(space, ruledBy(last, reading));
  const { searched, why } =
    completed.length < 2
      ? { searched: ruled, why: changeWords(reading.fit, input.pinned) }
      : search(space, ruled, completed, seed);
  return {
    stages: withSearched(stable, searched),
    why: `Iteration ${last.iteration}: ${reading.text}. ${why}`,
  };
}

/** The stages of an iteration again. The last one as it was proposed, with `max` and no resolved values. */
function repeated({ stages, hyperparams: proposed }: IterationOutcome): ProposedHyperparams['stages'] {
  return stages.map(({ method, hyperparams: { train_on_inputs: onInputs, ...others } }, index) => {
    if (index === stages.length - 1) return { method, hyperparams: proposed };
    return { method, hyperparams: onInputs === null ? others : { ...others, train_on_inputs: onInputs } };
  });
}

interface CurveReading {
  readonly fit: 'over' | 'under' | 'well';
  /** Share of the epochs after which the held-out loss was lowest. */
  readonly bestShare: number;
  readonly text: string;
}

const CHANGES: Readonly<Record<CurveReading['fit'], Partial<Record<keyof SearchedHyperparams, string>>>> = {
  over: { n_epochs: 'fewer epochs', learning_rate: 'a lower learning rate' },
  under: { n_epochs: 'more epochs', learning_rate: 'a higher learning rate' },
  well: { learning_rate: 'a neighbouring learning rate' },
};

/** What changes after curves of a kind, without what the caller pinned. */
function changeWords(fit: CurveReading['fit'], pinned: Hyperparams): string {
  const changed = Object.entries(CHANGES[fit]).flatMap(([name, words]) =>
    pinned[name as keyof SearchedHyperparams] === undefined ? [words] : [],
  );
  return changed.length === 0
    ? 'The same values again: the caller pinned those that would change.'
    : `Next: ${changed.join(' and ')}.`;
}

function saferWords(pinned: Hyperparams): string {
  const rate = pinned.learning_rate === undefined ? ['a fifth of its learning rate'] : [];
  const warmup = pinned.warmup_ratio === undefined ? ['a longer warmup'] : [];
  const changed = [...rate, ...warmup];
  return changed.length === 0
    ? 'the caller pinned its learning rate and its warmup, so it is tried again'
    : changed.join(' and ');
}

/** Whether an iteration overfitted or underfitted, by its held-out loss. */
function readCurves(outcome: IterationOutcome): CurveReading {
  const curve = outcome.trainer?.stages.at(-1)?.held_out_loss ?? [];
  const losses = curve.map(({ loss }) => loss);
  const end = losses.at(-1);
  const lowest = Math.min(...losses);
  if (end === undefined || losses.length < 2) {
    return { fit: 'well', bestShare: 1, text: 'its curves are inconclusive' };
  }
  const lastStep = curve.at(-1)?.step ?? 1;
  const bestStep = curve.find(({ loss }) => loss === lowest)?.step ?? lastStep;
  if (end > lowest * (1 + MEANS_OVERFIT)) {
    return {
      fit: 'over',
      bestShare: bestStep / Math.max(1, lastStep),
      text: 'the loss on held-out rows rose again (overfitting)',
    };
  }
  const before = losses.at(-2) as number;
  return end < before * (1 - MEANS_UNDERFIT)
    ? {
        fit: 'under',
        bestShare: 1,
        text: 'the loss on held-out rows was still falling (underfitting)',
      }
    : { fit: 'well', bestShare: 1, text: 'the loss on held-out rows has settled' };
}

function ruledBy({ hyperparams }: IterationOutcome, { fit, bestShare }: CurveReading): SearchedHyperparams {
  const { learning_rate = 1e-4, n_epochs = 1, lora_r, dpo_beta } = hyperparams;
  const rest = {
    ...(lora_r === undefined ? {} : { lora_r }),
    ...(dpo_beta === undefined ? {} : { dpo_beta }),
  };
  if (fit === 'over') {
    return {
      ...rest,
      learning_rate: learning_rate * 0.7,
      n_epochs: Math.max(1, Math.round(n_epochs * bestShare)),
    };
  }
  if (fit === 'under') {
    const more = Math.min(EPOCHS_MAX, Math.max(n_epochs + 1, Math.round(n_epochs * 1.5)));
    return { ...rest, learning_rate: learning_rate * (more === n_epochs ? 2 : 1.2), n_epochs: more };
  }
  return { ...rest, learning_rate: learning_rate * 1.5, n_epochs };
}

/** The recommended stages, safer ones once an iteration has diverged. */
function stableStages(input: ProposalInput): ProposedHyperparams['stages'] {
  const { recommended, history } = input;
  return history.some(({ status }) => status === 'diverged') ? saferStages(input, recommended) : recommended;
}

/** The stages with a lower rate than diverged and a longer warmup, each as far as it is not pinned. */
function saferStages(
  { recommended, pinned, history }: ProposalInput,
  stages: ProposedHyperparams['stages'],
): ProposedHyperparams['stages'] {
  const training = trainingOf(recommended);
  return stages.map(({ method, hyperparams }) => {
    const { learning_rate = 1e-4, warmup_ratio = 0 } = hyperparams;
    const stable = Math.min(learning_rate, SAFER * lowestDiverged(history, method));
    const safer = {
      learning_rate: Math.max(LEARNING_RATE.min, stable),
      warmup_ratio: Math.max(SAFER_WARMUP, warmup_ratio),
    };
    const free = withoutFields(safer, Object.keys(pinnedFor(pinned, method, training)));
    return { method, hyperparams: { ...hyperparams, ...free } };
  });
}

/** The lowest learning rate of a stage in an iteration that diverged, of which no stage is known to be the cause. */
function lowestDiverged(history: readonly IterationOutcome[], method: TuningMethod): number {
  const diverged = history.filter(({ status }) => status === 'diverged').flatMap(({ stages }) => stages);
  const rates = diverged.filter((stage) => stage.method === method);
  return Math.min(...rates.map(({ hyperparams }) => hyperparams.learning_rate));
}

/** The method of a training, by its stages. */
const trainingOf = ({ length }: ProposedHyperparams['stages']): TrainingMethod =>
  length > 1 ? 'alignment' : 'instruction';

/** Bounds of the search space; a value with equal bounds is not searched. */
type SearchSpace = Readonly<Partial<Record<keyof SearchedHyperparams, readonly [number, number]>>>;

function spaceOf(
  { recommended, pinned, history }: ProposalInput,
  { hyperparams: tried }: IterationOutcome,
  { fit }: CurveReading,
): SearchSpace {
  const {
    training_type,
    learning_rate: rate = 1e-4,
    n_epochs: epochs = 1,
    lora_r,
    dpo_beta,
  } = recommended.at(-1)?.hyperparams ?? {};
  const method = recommended.at(-1)?.method ?? 'sft';
  const stableRate = SEARCHED_OF_DIVERGED_MAX * lowestDiverged(history, method);
  const triedEpochs = tried.n_epochs ?? epochs;
  const epochsMax = Math.min(EPOCHS_MAX, Math.max(3 * epochs, triedEpochs + 2));
  const free = {
    learning_rate: [
      Math.max(LEARNING_RATE.min, rate / LEARNING_RATE_SPAN),
      Math.max(LEARNING_RATE.min, Math.min(LEARNING_RATE.max, rate * LEARNING_RATE_SPAN, stableRate)),
    ],
    n_epochs: [fit === 'under' ? triedEpochs : 1, fit === 'over' ? triedEpochs : epochsMax],
    // A training of all weights has no adapter, whose rank would be a dimension without effect.
    ...(lora_r === undefined || training_type === 'full' ? {} : { lora_r: [RANK_MIN, LORA_RANK_MAX] }),
    ...(dpo_beta === undefined ? {} : { dpo_beta: [BETA.min, BETA.max] }),
  } as Record<keyof SearchedHyperparams, readonly [number, number]>;
  return Object.fromEntries(
    Object.entries(free).map(([name, bounds]) => {
      const value = pinned[name as keyof SearchedHyperparams];
      // Changing only the rank would break the caller's ratio of alpha to rank.
      const isPinned = value !== undefined || (name === 'lora_r' && pinned.lora_alpha !== undefined);
      const point = value ?? lora_r ?? 0;
      return [name, isPinned ? [point, point] : bounds];
    }),
  );
}

const isLogarithmic = (name: string): boolean => name !== 'n_epochs';

function clampTo(space: SearchSpace, searched: SearchedHyperparams): SearchedHyperparams {
  return Object.fromEntries(
    Object.entries(space).map(([name, [low, high]]) => [
      name,
      settle(name, Math.min(high, Math.max(low, searched[name as keyof SearchedHyperparams] ?? low))),
    ]),
  );
}

/** Rounds a value to a valid one: whole epochs, ranks that are powers of two, two digits for all others. */
function settle(name: string, value: number): number {
  if (name === 'n_epochs') return Math.round(value);
  if (name === 'lora_r') return Math.min(LORA_RANK_MAX, 2 ** Math.round(Math.log2(value)));
  return Number(value.toPrecision(2));
}

/** The relative position of a value between its bounds, in [0, 1]. */
function scale(space: SearchSpace, searched: SearchedHyperparams): number[] {
  return Object.entries(space).map(([name, [low, high]]) => {
    const value = searched[name as keyof SearchedHyperparams] ?? low;
    if (low === high) return 0;
    const place = isLogarithmic(name)
      ? Math.log(value / low) / Math.log(high / low)
      : (value - low) / (high - low);
    return Math.min(1, Math.max(0, place));
  });
}

function search(
  space: SearchSpace,
  ruled: SearchedHyperparams,
  completed: readonly IterationOutcome[],
  seed: number,
): { searched: SearchedHyperparams; why: string } {
  const observed = completed.map(({ hyperparams, win_rate }) => ({
    point: scale(space, hyperparams),
    value: win_rate?.value ?? 0,
  }));
  const believe = fitGaussianProcess(observed);
  const best = Math.max(...observed.map(({ value }) => value));
  const random = seededRandom(`proposal ${seed} ${completed.length}`);
  const drawn = Array.from(
    { length: CANDIDATES },
    (): SearchedHyperparams =>
      Object.fromEntries(
        Object.entries(space).map(([name, [low, high]]) => {
          const at = random();
          const value = isLogarithmic(name) ? low * (high / low) ** at : low + (high - low) * at;
          return [name, settle(name, low === high ? low : value)];
        }),
      ),
  );
  const rated = [ruled, ...drawn].map((searched) => ({
    searched,
    improvement: expectedImprovement(believe(scale(space, searched)), best),
  }));
  const chosen = rated.reduce((a, b) => (b.improvement > a.improvement ? b : a));
  return {
    searched: chosen.searched,
    why: `The point of ${rated.length} with the largest expected improvement (${chosen.improvement.toFixed(3)}), given ${observed.length} win rates.`,
  };
}

/** The recommended stages, the last one with the searched values. */
function withSearched(
  { recommended, pinned }: ProposalInput,
  searched: SearchedHyperparams,
): ProposedHyperparams['stages'] {
  const last = recommended.length - 1;
  const training = trainingOf(recommended);
  return recommended.map(({ method, hyperparams }, index) => {
    if (index < last) return { method, hyperparams: alike(hyperparams, searched, pinned) };
    // The recommended values include what the caller pinned for this stage.
    const free = withoutFields(searched, Object.keys(pinnedFor(pinned, method, training)));
    return { method, hyperparams: { ...hyperparams, ...free, ...alphaFor(hyperparams, free) } };
  });
}

/** An earlier stage trains the same adapter, so it shares its settings. */
function alike(hyperparams: Hyperparams, { lora_r }: SearchedHyperparams, pinned: Hyperparams): Hyperparams {
  if (lora_r === undefined || pinned.lora_r !== undefined) return hyperparams;
  return { ...hyperparams, lora_r, ...alphaFor(hyperparams, { lora_r }) };
}

/** The alpha of another rank, at the ratio of the recommended ones; nothing if the rank stays. */
function alphaFor(
  { lora_alpha = 2, lora_r: from = 1 }: Hyperparams,
  { lora_r }: Hyperparams,
): Pick<Hyperparams, 'lora_alpha'> {
  return lora_r === undefined ? {} : { lora_alpha: (lora_alpha / from) * lora_r };
}
