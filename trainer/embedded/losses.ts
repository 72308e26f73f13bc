import type { TuningMethod } from '#shared/training/schema/training.ts';
import type { StageHyperparams } from '#shared/training/schema/training-job.ts';

/** A text's summed log-likelihood over its targets, and their number. */
export interface TextScore {
  readonly logprob: number;
  readonly targets: number;
}

/** The denominators of a batch's mean losses. */
export interface BatchTotals {
  readonly rows: number;
  /** Number of targets of all completions, or of all chosen answers. */
  readonly targets: number;
}

/** A row's contribution to the loss of its batch, and d loss / d logprob of each of its texts. */
export interface RowLoss {
  readonly loss: number;
  readonly slopes: readonly number[];
}

/** `reference` is the log-likelihood of each text under the stage's initial model. */
export type LossOfRow = (
  texts: readonly TextScore[],
  totals: BatchTotals,
  reference: readonly number[],
) => RowLoss;

type LossSettings = Pick<
  StageHyperparams,
  'dpo_beta' | 'dpo_normalize_logratios_by_length' | 'rpo_alpha' | 'simpo_gamma'
>;

/** Whether the loss of a stage needs the stage's initial model as reference. */
export function needsReference(method: TuningMethod, settings: LossSettings): boolean {
  return method === 'dpo' && settings.simpo_gamma === 0;
}

/**
 * The loss of a stage. SFT: the mean negative log-likelihood of all targets of the batch. DPO (Rafailov et al. 2023),
 * normalised by length or not, with the likelihood of the chosen answer for RPO (Pang et al. 2024); SimPO (Meng et al.
 * 2024) if its gamma is above 0.
 */
export function lossOf(method: TuningMethod, settings: LossSettings): LossOfRow {
  if (method === 'sft') return negativeLogLikelihood;
  const { dpo_beta: beta, simpo_gamma: gamma, rpo_alpha: alpha } = settings;
  const isNormalized = settings.dpo_normalize_logratios_by_length || gamma > 0;
  return ([chosen, rejected], totals, reference) => {
    if (chosen === undefined || rejected === undefined) throw new Error('A pair has two texts.');
    const chosenWeight = isNormalized ? 1 / Math.max(chosen.targets, 1) : 1;
    const rejectedWeight = isNormalized ? 1 / Math.max(rejected.targets, 1) : 1;
    const margin =
      chosenWeight * (chosen.logprob - (gamma > 0 ? 0 : (reference[0] ?? 0))) -
      rejectedWeight * (rejected.logprob - (gamma > 0 ? 0 : (reference[1] ?? 0)));
    const logit = beta * margin - gamma;
    // d -log σ(z) / dz = σ(z) - 1
    const slope = -beta / (1 + Math.exp(logit)) / totals.rows;
    const likelihood = alpha > 0 ? alpha / totals.targets : 0;
    return {
      loss: softplus(-logit) / totals.rows - likelihood * chosen.logprob,
      slopes: [slope * chosenWeight - likelihood, -slope * rejectedWeight],
    };
  };
}

const negativeLogLikelihood: LossOfRow = ([text], { targets }) => {
  if (text === undefined) throw new Error('A row has a text.');
  return { loss: -text.logprob / targets, slopes: [-1 / targets] };
};

/** log(1 + eˣ) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
