import { TRAINING_HOURS_MAX } from '../schema/training-job.ts';

/** Seconds between heartbeats of a trainer. */
export const HEARTBEAT_SECONDS = 20;
/** Seconds without a heartbeat after which a trainer counts as dead. */
export const SILENCE_SECONDS = 180;
/** Seconds that an attempt waits to be claimed: a GPU may not be available at once. */
export const CLAIM_SECONDS = 6 * 3600;
/** Seconds from the start of a SageMaker job's image to its first heartbeat. */
export const JOB_START_SECONDS = 15 * 60;
/**
 * Seconds of silence that are excused at most, which the state machine has to await: an attempt waits for quota, for a
 * machine and for its image, or, interrupted, for a new machine and its image; each wait may take the claim timeout. The
 * watcher notices other silence within minutes.
 */
export const EXCUSED_SECONDS_MAX = 3 * CLAIM_SECONDS + JOB_START_SECONDS;
/**
 * Seconds that an attempt may take, which the state machine has to await: it waits for quota, SageMaker looks for machines
 * for the claim timeout beyond the run time, and what it made is handed over.
 */
export const ATTEMPT_SECONDS_MAX = TRAINING_HOURS_MAX * 3600 + 2 * CLAIM_SECONDS + JOB_START_SECONDS;
/** Waits for an instance at an iteration, as the state machine allows them: AWS may have none of a type for hours. */
const CAPACITY_WAITS_MAX = 8;
/** Attempts at an iteration: three of trainers, and those that found no instance. */
export const ATTEMPTS_MAX = 3 + CAPACITY_WAITS_MAX;
/** Optimiser steps between checkpoints: the maximum that a dead trainer loses. */
export const CHECKPOINT_STEPS = 25;

/** Token limits of answers to held-out rows: slightly more than the usual reference has. */
const ANSWER_TOKENS = { min: 48, max: 512 } as const;
const CHARACTERS_PER_TOKEN = 4;

/** The same of reasoning traces in front of them. A base model thinks at other lengths than the rows do. */
const TRACE_TOKENS = { min: 512, max: 4096 } as const;

interface TokenLimits {
  readonly min: number;
  readonly max: number;
}

function tokensFor(texts: readonly string[], { min, max }: TokenLimits): number {
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  return Math.min(max, Math.max(min, Math.ceil((1.25 * longest) / CHARACTERS_PER_TOKEN)));
}

/**
 * The token limit of answers with their reasoning traces, from the held-out rows. At most half of the context beyond the limit of
 * answers without traces: trainers keep the other half for the prompt.
 * @param traces of the rows; none if the model is not trained with them
 * @param context tokens of a row
 */
export function answerTokensMax(
  references: readonly string[],
  traces: readonly string[],
  context: number,
): number {
  const answer = tokensFor(references, ANSWER_TOKENS);
  if (traces.every((trace) => trace === '')) return answer;
  return Math.max(answer, Math.min(answer + tokensFor(traces, TRACE_TOKENS), Math.floor(context / 2)));
}
