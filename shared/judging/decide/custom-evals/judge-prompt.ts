import { type ErrorDetail, ServiceError } from '#shared/platform/errors/service-error.ts';

/** `0 to 10`, `0-10`, `von 0 bis 10`, `zero to ten`: the scale of every score. */
const ZERO_TO_TEN = /(?<![\d.,])(?:0|zero)(?![\d.,]*\d)[^\d\n]{1,20}(?:10|ten)(?![\d.,]*\d)/i;
/** A range of two numbers, or "out of" one. */
const ANY_SCALE = /(?<![\d.])\d+\s*(?:-|–|—|to|through|bis|à|a|до|至|到|\/)\s*\d+|\bout of \d+|\bpercent/i;
const JUDGING =
  /\b(?:scor|grad|rat(?:e|ing)|judg|evaluat|assess|rank|mark|rubric|criteri|bewert|not[ea]|punt|évalu)/i;
/** Requests for fractional scores; rubrics also contain "version 3.1" and "fractions simplified". */
const DECIMALS =
  /(?<!\b(?:not|never|avoid|don['’]t)\s(?:\w+\s)?)\b(?:with|use|using|allow|allowing|give|return|in|to)\s(?:\w+\s)?(?:decimals?|half[- ]?points?|fractional (?:scores?|points?)|floats?)\b|\b(?:scores?|scored|grades?|ratings?|points?)\b[^.\n]{0,40}?(?<![\d.])\d\.\d/i;
/** Words of a request to score that do not name a criterion. */
const FILLER =
  /\b(?:please|you|are|an?|the|strict|fair|expert|judge|score|rate|grade|evaluate|assess|give|return|output|answers?|responses?|completions?|prompts?|integers?|whole|numbers?|from|to|on|of|scale|between|and|each|every|this|it|only|with|as|is|be|zero|ten|best|worst|highest|lowest)\b/gi;
const RUBRIC_CHARACTERS_MIN = 16;

const SCALE_SENTENCE = 'Score each answer with an integer from 0 (worst) to 10 (best).';

type Check = 'not_a_judge_prompt' | 'scale_not_zero_to_ten' | 'scores_not_integer' | 'missing_rubric';

/** Finds why a judge could not use a prompt: it must ask for integer scores from 0 to 10 and name the criteria. */
export function judgePromptFaults(prompt: string): { readonly code: Check; readonly detail: string }[] {
  const isOnScale = ZERO_TO_TEN.test(prompt);
  if (!isOnScale && !ANY_SCALE.test(prompt) && !JUDGING.test(prompt)) {
    return [
      {
        code: 'not_a_judge_prompt',
        detail: 'does not ask for a judgement: say what an answer is scored for, from 0 to 10',
      },
    ];
  }
  const faults: { code: Check; detail: string }[] = [];
  if (!isOnScale) {
    faults.push({
      code: 'scale_not_zero_to_ten',
      detail: 'does not use the scale 0 to 10: ask for scores from 0 to 10',
    });
  }
  if (DECIMALS.test(prompt)) {
    faults.push({ code: 'scores_not_integer', detail: 'asks for fractions: ask for integers' });
  }
  if (rubricOf(prompt).length < RUBRIC_CHARACTERS_MIN) {
    faults.push({
      code: 'missing_rubric',
      detail: 'does not say what earns a high or a low score: describe both',
    });
  }
  return faults;
}

/** The prompt without its request for a score. */
function rubricOf(prompt: string): string {
  return prompt
    .replace(ZERO_TO_TEN, ' ')
    .replaceAll(FILLER, ' ')
    .replaceAll(/[^\p{L}]+/gu, '');
}

/** @throws {ServiceError} `invalid_judge_prompt`, with an entry of `details` for each fault */
export function requireJudgePrompt(prompt: string): void {
  const faults = judgePromptFaults(prompt);
  if (faults.length === 0) return;
  const details = faults.map(
    ({ code, detail }): ErrorDetail => ({
      path: 'judge_prompt',
      message: detail,
      code,
      ...(code === 'scale_not_zero_to_ten' && !ANY_SCALE.test(prompt)
        ? { suggested_prompt: `${prompt.trim()}\n\n${SCALE_SENTENCE}` }
        : {}),
    }),
  );
  throw new ServiceError(
    'invalid_judge_prompt',
    `judge_prompt: ${details.map(({ message }) => message).join('; ')}`,
    { details },
  );
}
