/** Between heartbeats of a trainer. */
export const HEARTBEAT_SECONDS = 20;
/** Silence after which a trainer is taken for dead. */
export const SILENCE_SECONDS = 180;
/** Time for which an attempt waits to be claimed: a GPU may have to be found first. */
export const CLAIM_SECONDS = 6 * 3600;
/** Time in which a training job of SageMaker gets from its image to its first heartbeat. */
export const JOB_START_SECONDS = 15 * 60;
/** Optimiser steps between checkpoints: what a dead trainer loses at most. */
export const CHECKPOINT_STEPS = 25;

/** Tokens of an answer to a row that is held out: a few more than a usual reference has. */
const ANSWER_TOKENS = { min: 48, max: 512 } as const;
const CHARACTERS_PER_TOKEN = 4;

/** How long answers may become, given the references of the rows that are held out. */
export function answerTokensMax(references: readonly string[]): number {
  const longest = Math.max(0, ...references.map(({ length }) => length));
  const tokens = Math.ceil((1.25 * longest) / CHARACTERS_PER_TOKEN);
  return Math.min(ANSWER_TOKENS.max, Math.max(ANSWER_TOKENS.min, tokens));
}
