import { expect, test } from 'vitest';
import { judgePromptFaults } from '#shared/judging/decide/custom-evals/judge-prompt.ts';

const codes = (prompt: string): string[] => judgePromptFaults(prompt).map(({ code }) => code);

test.each([
  'Score from 0 to 10: ten for an answer that names its source, zero for one without.',
  'You are a strict grader. Use an integer scale of 0-10. Deduct points for jargon and missing steps.',
  'Bewerte die Antwort von 0 bis 10. Höchste Punktzahl für klare Schritte ohne Fachwörter.',
  '请按0到10的整数评分。10分：回答引用了来源，步骤清楚，没有专业术语；0分：完全没有来源。',
  'From 0 to 10. Ten: fractions are simplified and TLS 1.3 is named in the answer. Zero: neither is.',
  'Whole numbers from 0 to 10, never use decimals. Ten for an answer that cites the paragraph it relies on.',
  'Rate politeness, zero to ten, using whole numbers without decimals; rude answers earn nothing.',
])('a rubric is taken: %s', (prompt) => {
  expect(codes(prompt)).toEqual([]);
});

test.each([
  ['Write a long poem about cats and the sea at night.', ['not_a_judge_prompt']],
  ['Score politeness and warmth from 1 to 5, five being the warmest.', ['scale_not_zero_to_ten']],
  ['Judge whether the answer names its sources and links them.', ['scale_not_zero_to_ten']],
  ['Score from 0 to 100 how well sources are named and linked.', ['scale_not_zero_to_ten']],
  ['Score from 0 to 10 with decimals such as 7.5 how well sources are named.', ['scores_not_integer']],
  [
    'Score from 0 to 10, half points allowed in your scores; use half points for near misses.',
    ['scores_not_integer'],
  ],
  ['Give a score from 0 to 10 (for instance 7.5) for how well sources are named.', ['scores_not_integer']],
  ['Please rate each answer on a scale from 0 to 10.', ['missing_rubric']],
])('%s has the faults %j', (prompt, expected) => {
  expect(codes(prompt)).toEqual(expected);
});
