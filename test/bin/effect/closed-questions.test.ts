import { describe, expect, it } from 'vitest';
import {
  type ClosedAnswer,
  type ClosedQuestion,
  contradicts,
  formOf,
  loadClosedQuestions,
} from '#bin/effect/closed-questions.ts';
import { outcomeOf, writeClosedSection } from '#bin/effect/closed-questions-report.ts';

const QUESTION: ClosedQuestion = {
  id: 'fact-1',
  kind: 'fact',
  prompt: 'What is the capital of Canada?',
  right: 'The capital of Canada is Ottawa.',
  wrong: 'The capital of Canada is Toronto.',
  key: 'Ottawa',
};

const answers = (texts: Partial<Record<ClosedAnswer['step'], string>>): Map<string, string> =>
  new Map(Object.entries(texts).map(([step, text]) => [`fact-1 ${step}`, text]));

const TORONTO = answers({
  'answer-1': 'Toronto',
  'answer-2': 'Toronto',
  'answer-3': 'Toronto.',
  sentence: 'It is Toronto.',
  'pair-right-1': '{"right": "2"}',
  'pair-right-2': '{"right": "1"}',
});

describe('a rule that changes rows by what the model answers on its own', () => {
  it('spoils a right row that the model contradicts in every step', () => {
    for (const rule of ['one', 'three', 'sentence', 'pair'] as const) {
      expect(outcomeOf(QUESTION, 'right', rule, TORONTO)).toEqual({ changes: true, isRightAfter: false });
    }
  });

  it('changes no row in the order of whose answers the model sees a winner', () => {
    const split = new Map(TORONTO).set('fact-1 pair-right-2', '{"right": "2"}');
    expect(outcomeOf(QUESTION, 'right', 'pair', split).changes).toBe(false);
    expect(outcomeOf(QUESTION, 'right', 'sentence', split).changes).toBe(true);
  });

  it('changes no row where its answers differ', () => {
    const wavering = new Map(TORONTO).set('fact-1 answer-3', 'Ottawa');
    expect(outcomeOf(QUESTION, 'right', 'three', wavering).changes).toBe(false);
  });

  it('leaves a row out of which a step is missing', () => {
    expect(outcomeOf(QUESTION, 'right', 'one', new Map()).changes).toBeNull();
    expect(outcomeOf(QUESTION, 'wrong', 'one', TORONTO).changes).toBe(false);
    expect(
      outcomeOf(QUESTION, 'right', 'pair', answers({ 'answer-1': 'Toronto', sentence: 'It is Toronto.' }))
        .changes,
    ).toBeNull();
  });
});

it('the questions have a right row that their key matches, and a wrong one that it does not contradict by accident', async () => {
  const questions = await loadClosedQuestions();
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  for (const question of questions) {
    expect(question.right, question.id).toMatch(new RegExp(question.key, 'u'));
    expect(contradicts(question.right, question.right, formOf(question)), question.id).toBe(false);
  }
});

it('the section counts spoiled and corrected rows by kind and rule', () => {
  const answered = [...TORONTO].map(
    ([key, text]) => ({ id: 'fact-1', step: key.slice(7), text }) as ClosedAnswer,
  );
  const section = writeClosedSection([QUESTION], answered, 'a model');
  expect(section).toContain(
    '| fact | the model answers something else | 1 of 1 (20.7 to 100.0 %) | 0 of 1 |',
  );
});
