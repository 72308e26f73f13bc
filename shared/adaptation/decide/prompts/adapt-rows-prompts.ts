import { PAIR_PROMPT_VERSION } from '#shared/judging/decide/prompts/pair.v1.ts';
import { SAFETY_PROMPT_VERSION } from '#shared/judging/decide/prompts/safety.v1.ts';
import { ANSWER_IN_FORM_VERSION } from '#shared/witnesses/decide/prompts/answer-in-form.v1.ts';
import { BLIND_ANSWER_VERSION } from '#shared/witnesses/decide/prompts/blind-answer.v1.ts';
import { FIND_ERROR_VERSION } from '#shared/witnesses/decide/prompts/find-error.v1.ts';
import { SAME_CLAIMS_VERSION } from '#shared/witnesses/decide/prompts/same-claims.v1.ts';
import { FINISH_ANSWER_VERSION } from './finish-answer.v1.ts';
import { FIT_LENGTH_VERSION } from './fit-length.v1.ts';
import { IMPROVE_ANSWER_VERSION } from './improve-answer.v2.ts';
import { INFER_PROMPT_VERSION } from './infer-prompt.v1.ts';
import { MEND_ANSWER_VERSION } from './mend-answer.v1.ts';
import { REASONING_TRACE_VERSION } from './reasoning-trace.v1.ts';
import { REWRITE_PROMPT_VERSION } from './rewrite-prompt.v1.ts';
import { TRANSLATE_TEXT_VERSION } from './translate-text.v1.ts';

/** Versions of the prompts of an adaptation, for the record of its run. Apart from the programs, which are large. */
export const ADAPT_ROWS_PROMPTS: Readonly<Record<string, string>> = {
  form: ANSWER_IN_FORM_VERSION,
  mend: MEND_ANSWER_VERSION,
  finish: FINISH_ANSWER_VERSION,
  translate: TRANSLATE_TEXT_VERSION,
  rewrite: REWRITE_PROMPT_VERSION,
  infer: INFER_PROMPT_VERSION,
  answer: IMPROVE_ANSWER_VERSION,
  length: FIT_LENGTH_VERSION,
  trace: REASONING_TRACE_VERSION,
  pair: PAIR_PROMPT_VERSION,
  safety: SAFETY_PROMPT_VERSION,
  blind: BLIND_ANSWER_VERSION,
  claims: SAME_CLAIMS_VERSION,
  error: FIND_ERROR_VERSION,
};
