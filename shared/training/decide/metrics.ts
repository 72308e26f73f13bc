import type { PairwiseOutcome } from '#shared/judging/decide/win-rate.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import type { HeldOutAnswer, TrainerAttempt, TrainerReport } from '../schema/training-job.ts';
import {
  ANSWER_CHARACTERS_MAX,
  ANSWER_PAIRS_MAX,
  type AnswerPair,
  type CutText,
  type HyperparamChange,
  type IterationMetrics,
  type ShownWinRate,
  type StageMetrics,
} from '../schema/training-metrics.ts';
import type { IterationOutcome, Proposal, WinRate } from '../schema/training-outcome.ts';
import { boundCurves } from './curve.ts';
import { hasEnded } from './has-ended.ts';
import { shownHyperparams, type TrainingRecord } from './record.ts';
import { requestOf } from './request-of.ts';

/** The text as far as it is shown. */
function cut(text: string): CutText {
  return { text: beginningOf(text, ANSWER_CHARACTERS_MAX), truncated: text.length > ANSWER_CHARACTERS_MAX };
}

/**
 * Some rows that were held out, with the answers of both models. The rows are evenly spread, so that they are the same in
 * every iteration.
 * @param verdicts by the row of the dataset
 */
export function sampleAnswers(
  answers: readonly HeldOutAnswer[],
  verdicts: ReadonlyMap<number, PairwiseOutcome>,
): AnswerPair[] {
  const count = Math.min(answers.length, ANSWER_PAIRS_MAX);
  return Array.from({ length: count }, (_, index) => {
    const each = answers[Math.floor((index * answers.length) / count)] as HeldOutAnswer;
    return {
      row: each.row,
      prompt: cut(requestOf(each.messages)),
      reference: cut(each.reference),
      base: cut(each.base.answer),
      trained: cut(each.tuned.answer),
      verdict: verdicts.get(each.row) ?? null,
    };
  });
}

function shownStages(stages: TrainerReport['stages']): StageMetrics[] {
  return boundCurves(stages).map(({ method, steps, steps_planned, seconds, train_loss, held_out_loss }) => ({
    method,
    steps,
    steps_planned: steps_planned ?? null,
    seconds,
    training_loss: train_loss.map(({ step, loss, learning_rate = null }) => ({ step, loss, learning_rate })),
    held_out_loss,
  }));
}

function shownWinRate({ method, interval95, n, ...rest }: WinRate): ShownWinRate {
  const { value, judge, wins, losses, ties, is_indicative } = rest;
  return { value, interval95, measure: method, judge, rows: n, wins, losses, ties, is_indicative };
}

/**
 * What differs between the resolved hyperparameters of two iterations. Those of the last stage count, which the loop
 * searches.
 */
function changesBetween(before: Proposal | undefined, after: Proposal): HyperparamChange[] {
  const [from, to] = [before, after].map((proposal) => proposal?.stages.at(-1)?.hyperparams);
  if (from === undefined || to === undefined) return [];
  const names = Object.keys(to) as (keyof typeof to)[];
  return names
    .filter((name) => from[name] !== to[name])
    .map((name) => ({ name, from: from[name] ?? null, to: to[name] ?? null }));
}

type Shown = Pick<IterationMetrics, 'iteration' | 'hyperparams' | 'changes' | 'why'>;

function shownProposal(iteration: number, proposal: Proposal, before: Proposal | undefined): Shown {
  return {
    iteration,
    hyperparams: shownHyperparams(proposal.hyperparams),
    changes: changesBetween(before, proposal),
    why: proposal.why,
  };
}

/** An iteration that has ended; `before` is the one before it. */
export function concludedIteration(
  outcome: IterationOutcome,
  before: Proposal | undefined,
  answers: AnswerPair[],
): IterationMetrics {
  const { iteration, status, reason, trainer, win_rate: winRate, likelihood_reason } = outcome;
  return {
    ...shownProposal(iteration, outcome, before),
    status,
    phase: null,
    reason,
    stages: shownStages(trainer?.stages ?? []),
    win_rate: winRate === null ? null : shownWinRate(winRate),
    likelihood_reason: winRate === null ? null : likelihood_reason,
    answers,
  };
}

/** The iteration that was proposed and has no outcome: it is running, unless the training has ended without it. */
export function openIteration(
  training: Pick<TrainingRecord, 'status' | 'error'>,
  iteration: number,
  proposal: Proposal,
  before: Proposal | undefined,
  { attempt, stages }: { readonly attempt: TrainerAttempt | null; readonly stages: TrainerReport['stages'] },
): IterationMetrics {
  const isOver = hasEnded(training);
  return {
    ...shownProposal(iteration, proposal, before),
    status: isOver ? 'stopped' : 'running',
    phase: isOver ? null : phaseOf(attempt),
    reason: isOver ? whyStopped(training) : null,
    stages: shownStages(stages),
    win_rate: null,
    likelihood_reason: null,
    answers: [],
  };
}

/** What an iteration does now. A revoked attempt is followed by another, which waits. */
function phaseOf(attempt: TrainerAttempt | null): IterationMetrics['phase'] {
  switch (attempt?.state) {
    case 'claimed':
      return attempt.phase ?? 'starting';
    case 'ended':
      return 'comparing';
    default:
      return 'waiting';
  }
}

function whyStopped({ status, error }: Pick<TrainingRecord, 'status' | 'error'>): string {
  if (status === 'cancelled') return 'The training was cancelled.';
  return error ?? 'The training ended before the iteration did.';
}
