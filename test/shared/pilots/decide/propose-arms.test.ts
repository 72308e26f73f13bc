import { expect, test } from 'vitest';
import type { RowMode } from '#shared/answers/decide/row-mapping.ts';
import { proposeArms } from '#shared/pilots/decide/propose-arms.ts';
import { PilotArm } from '#shared/pilots/schema/arm.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';

const MODES: readonly RowMode[] = [
  'prompt_and_completion',
  'prompt_only',
  'completion_only',
  'chat',
  'universal_prompt',
];
const words = (count: number): string => 'word '.repeat(count);
const texts = (...completions: string[]) =>
  completions.map((completion) => ({ prompt: 'Tell me of it.', completion }));
const namesOf = (mode: RowMode, ...completions: string[]): (string | undefined)[] =>
  proposeArms({ mode, texts: texts(...completions) }).map(({ name }) => name);

test.each(MODES)('proposed arms are two to six that differ, valid and named, of %s', (mode) => {
  const contents = [
    [],
    texts(''),
    texts(words(50)),
    texts(words(1)),
    texts('1. Add 3 and 4.\n2. Take 2 away: 5.'),
    texts(words(5_000)),
    texts('\ud800', `e${'\u0301'.repeat(9_999)}`, '日本語'.repeat(5_000), ' \n'.repeat(5_000)),
  ];
  for (const content of contents) {
    const arms = proposeArms({ mode, texts: content });

    expect(arms.length).toBeGreaterThanOrEqual(2);
    expect(arms.length).toBeLessThanOrEqual(6);
    for (const arm of arms) expect(PilotArm.parse(arm)).toEqual(arm);
    expect(new Set(arms.map(({ name }) => name)).size).toBe(arms.length);
    expect(new Set(arms.map(({ name: _, ...request }) => JSON.stringify(request))).size).toBe(arms.length);
    expect(JSON.stringify(arms)).not.toContain('deduplication');
  }
});

test('proposed arms begin with the default, and have preference pairs', () => {
  const arms = proposeArms({ mode: 'chat', texts: texts(words(50)) });

  expect(arms[0]).toEqual({ name: 'Default' });
  expect(arms).toContainEqual({ name: 'Preference pairs', training_type: 'preference_pairs' });
});

test.each([
  [10, ['Length: concise']],
  [50, ['Length: minimal', 'Length: detailed']],
  [100, ['Length: concise', 'Length: extensive']],
  [300, ['Length: detailed']],
  [600, ['Length: extensive']],
])('proposed arms of answers with %i words have the lengths beside theirs', (count, lengths) => {
  const names = namesOf('chat', words(count), words(count), words(1));

  expect(names.filter((name) => name?.startsWith('Length'))).toEqual(lengths);
});

test('proposed arms of labels have no length, and of prompts alone two', () => {
  expect(namesOf('chat', 'yes', 'no', 'very likely').join()).not.toContain('Length');
  expect(namesOf('prompt_only', '').join()).toContain('Length: concise,Length: detailed');
});

test('proposed arms treat prompts otherwise than by default, where prompts are the caller’s', () => {
  const rephrased = (mode: RowMode) =>
    proposeArms({ mode, texts: texts(words(9)) }).flatMap(
      ({ recipe_specification: recipe }) => recipe?.recipes?.prompt_rephrase ?? [],
    );

  expect(MODES.map(rephrased)).toEqual([[false], [false], [], [true], []]);
});

test('proposed arms have reasoning traces where answers go by steps or compute', () => {
  const prose = `A plain answer in words. ${words(20)}`;

  expect(namesOf('chat', prose, '1. Open it.\n2. Close it.')).toContain('Reasoning traces');
  expect(namesOf('chat', prose, prose, prose, '3 × 4 = 12')).toContain('Reasoning traces');
  expect(namesOf('chat', '42', prose)).toContain('Reasoning traces');
  expect(namesOf('chat', prose, prose, prose, prose, '3 × 4 = 12')).not.toContain('Reasoning traces');
  const asked = [{ prompt: 'How much is 3 apples at 4 cents?', completion: '' }];
  expect(proposeArms({ mode: 'prompt_only', texts: asked }).map(({ name }) => name)).toContain(
    'Reasoning traces',
  );
});

test('proposed arms are found at once in hostile texts', () => {
  const propose = (text: string) =>
    proposeArms({ mode: 'chat', texts: Array(10).fill({ prompt: text, completion: text }) });

  // Ten texts at once.
  expect(slowTexts(propose, 2_000)).toEqual([]);
});
