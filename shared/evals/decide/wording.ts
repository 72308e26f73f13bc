import type { Wording } from '#shared/openai/decide/translate-error.ts';
import { ADVICE_TO_TRUNCATE } from '#shared/responses/decide/answer.ts';

const FEWER_TOKENS = ', or lower max_output_tokens';

/** Errors of responses in the words of `sampling_params` of a run. */
export const IN_WORDS_OF_RUN: Wording = {
  renamed: (path) => (path === 'max_output_tokens' ? 'max_completion_tokens' : path),
  words: [
    [ADVICE_TO_TRUNCATE, ''],
    [', top_logprobs or max_tool_calls', ''],
    ['max_output_tokens', 'max_completion_tokens'],
  ],
};

/** The same of a grader, of which only some can bound their answers. */
export const IN_WORDS_OF_GRADER: Wording = {
  renamed: (path) => (path === 'max_output_tokens' ? 'max_completions_tokens' : path),
  words: [
    [ADVICE_TO_TRUNCATE, ''],
    [' Lower max_output_tokens, top_logprobs or max_tool_calls.', ''],
    [FEWER_TOKENS, ''],
    ['max_output_tokens', 'max_completions_tokens'],
  ],
};
