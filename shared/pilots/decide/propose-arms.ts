import { lengthTargets } from '#shared/answers/decide/length.ts';
import { isBareNumber, numbersOf } from '#shared/answers/decide/numbers.ts';
import type { RowMode } from '#shared/answers/decide/row-mapping.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import { Length } from '#shared/answers/schema/length.ts';
import type { PilotArm } from '../schema/arm.ts';

/** Texts that are read at most, and characters of each. */
const TEXTS_MAX = 200;
const CHARACTERS_MAX = 4_000;
/** Characters of an answer that are searched for steps and numbers. */
const SEARCHED_CHARACTERS_MAX = 1_500;

/** Reasoning is proposed from this share of answers with steps or numbers on. */
const STEPPED_SHARE_MIN = 0.25;

/**
 * `arms: "auto"`: two to six arms that a user would want to compare. The default; prompts rephrased or not, whichever
 * is not the default; the length classes next to that of the median answer; reasoning traces where answers have steps
 * or numbers; preference pairs. None deduplicates: a pilot compares the same rows for all arms.
 */
export function proposeArms({
  mode,
  texts,
}: {
  mode: RowMode;
  texts: readonly { prompt: string; completion: string }[];
}): PilotArm[] {
  const read = texts.slice(0, TEXTS_MAX).map(({ prompt, completion }) => ({
    prompt: prompt.slice(0, CHARACTERS_MAX),
    completion: completion.slice(0, CHARACTERS_MAX),
  }));
  const completions = read.map(({ completion }) => completion).filter((text) => text.trim() !== '');
  const shown = completions.length > 0 ? completions : read.map(({ prompt }) => prompt);
  return [
    { name: 'Default' },
    ...rephrasing(mode),
    ...lengthsBeside(completions).map(
      (length): PilotArm => ({ name: `Length: ${length}`, brand_controls: { length } }),
    ),
    ...(isStepped(shown)
      ? [{ name: 'Reasoning traces', recipe_specification: { recipes: { reasoning_traces: true } } }]
      : []),
    { name: 'Preference pairs', training_type: 'preference_pairs' },
  ];
}

/** The arm whose prompts are treated otherwise than by default. Inferred and dataset-wide prompts are not rephrased. */
function rephrasing(mode: RowMode): PilotArm[] {
  const arm = (name: string, prompt_rephrase: boolean): PilotArm => ({
    name,
    recipe_specification: { recipes: { prompt_rephrase } },
  });
  if (mode === 'prompt_and_completion' || mode === 'prompt_only') return [arm('Prompts as they are', false)];
  return mode === 'chat' ? [arm('Prompts rephrased', true)] : [];
}

/** The length classes one below and one above the median answer. Labels and bare numbers have no other length. */
function lengthsBeside(completions: readonly string[]): Length[] {
  if (completions.length === 0) return ['concise', 'detailed'];
  const words = completions.map((text) => wordsOf(text).length).sort((a, b) => a - b);
  const median = words[Math.floor(words.length / 2)] ?? 0;
  if (median < lengthTargets.minimal.wordsMin) return [];
  const fitting = Length.options.findIndex((length) => median <= lengthTargets[length].wordsMax);
  const at = fitting === -1 ? Length.options.length : fitting;
  return [at - 1, at + 1].flatMap((place) => Length.options[place] ?? []);
}

/** Whether many of the texts go step by step, or compute. */
function isStepped(texts: readonly string[]): boolean {
  const stepped = texts
    .map((text) => text.slice(0, SEARCHED_CHARACTERS_MAX))
    .filter((text) => hasSteps(text) || isBareNumber(text) || numbersOf(text).length >= 2);
  return stepped.length > 0 && stepped.length >= STEPPED_SHARE_MIN * texts.length;
}

function hasSteps(text: string): boolean {
  return (text.match(/^[ \t]{0,8}(?:\d{1,2}[.)]|step \d{1,2}[.:)])[ \t]/gim) ?? []).length >= 2;
}
