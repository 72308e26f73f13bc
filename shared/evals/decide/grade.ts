import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { putOwn } from '#shared/platform/own.ts';
import type { Grader, GraderResult, SingleGrader, TemplateMessage } from '../schema/grader.ts';
import { compute } from './formula.ts';
import { similarity } from './similarity.ts';
import { faultOfTemplate, fill, type TemplateValues, Unfillable } from './template.ts';

/** What a model is asked. */
export interface ModelQuestion {
  readonly model: string;
  readonly input: readonly { readonly role: TemplateMessage['role']; readonly content: string }[];
  readonly temperature?: number | null | undefined;
  readonly top_p?: number | null | undefined;
  readonly max_output_tokens?: number | null | undefined;
  readonly reasoning?: { readonly effort: string } | undefined;
  readonly text?: { readonly format: Readonly<Record<string, unknown>> } | undefined;
}

/** A field of a question that a grader sends and nobody asked for, by its path: a model that does not take it is asked without. */
export type OwnField = 'temperature' | 'text.format';

/** A score, or in words why there is none. */
export type Score = number | string;

export interface GraderPorts {
  /**
   * Asks a model and answers its text.
   * @param own fields that may be left out
   * @throws {GraderFailed} if this question has no answer
   */
  readonly ask: (question: ModelQuestion, own: readonly OwnField[]) => Promise<string>;
  /** Runs `grade(sample, item)` of a program. */
  readonly runPython: (source: string, values: TemplateValues) => Promise<Score>;
}

/** Why a row has no score. */
export class GraderFailed extends Error {}

const THRESHOLD = 0.5;
const RANGE = [0, 1] as const;

/** Grades an answer to a row. What a grader cannot do is its `error`, and the row does not pass. */
export async function grade(
  grader: Grader,
  values: TemplateValues,
  ports: GraderPorts,
): Promise<GraderResult> {
  const of = { name: grader.name, type: grader.type };
  try {
    const { score, ...said } = await scoreOf(grader, values, ports);
    if (typeof score === 'number' && Number.isFinite(score)) {
      return { ...of, ...said, score, passed: score >= thresholdOf(grader), error: null };
    }
    throw new GraderFailed(typeof score === 'string' ? score : 'The score is not a finite number.');
  } catch (error) {
    if (!(error instanceof GraderFailed || error instanceof Unfillable)) throw error;
    return { ...of, score: 0, passed: false, error: error.message };
  }
}

function thresholdOf(grader: Grader): number {
  if (grader.type === 'string_check' || grader.type === 'label_model') return 1;
  if (grader.pass_threshold != null) return grader.pass_threshold;
  if (grader.type !== 'score_model') return THRESHOLD;
  const [low, high] = rangeOf(grader);
  return (low + high) / 2;
}

const rangeOf = ({
  range,
}: {
  readonly range?: readonly number[] | undefined;
}): readonly [number, number] => {
  const [low = RANGE[0], high = RANGE[1]] = range ?? RANGE;
  return [Math.min(low, high), Math.max(low, high)];
};

interface Scored {
  readonly score: Score;
  readonly label?: string;
}

async function scoreOf(grader: Grader, values: TemplateValues, ports: GraderPorts): Promise<Scored> {
  if (grader.type !== 'multi') return scoreOne(grader, values, ports);
  const scores: Record<string, number> = {};
  for (const [name, each] of Object.entries(grader.graders)) {
    const { score, error } = await grade(each, values, ports);
    if (error !== null) return { score: `${name}: ${error}` };
    putOwn(scores, name, score);
  }
  const value = compute(grader.calculate_output, scores);
  return { score: typeof value === 'string' ? `calculate_output ${value}` : value };
}

async function scoreOne(grader: SingleGrader, values: TemplateValues, ports: GraderPorts): Promise<Scored> {
  switch (grader.type) {
    case 'string_check': {
      const [input, reference] = [fill(grader.input, values), fill(grader.reference, values)];
      return { score: check(grader.operation, input, reference) ? 1 : 0 };
    }
    case 'text_similarity':
      return {
        score: similarity(
          grader.evaluation_metric,
          fill(grader.input, values),
          fill(grader.reference, values),
        ),
      };
    case 'label_model':
      return labelled(grader, values, ports);
    case 'score_model':
      return { score: await rated(grader, values, ports) };
    case 'python':
      return { score: await ports.runPython(grader.source, values) };
  }
}

function check(operation: 'eq' | 'ne' | 'like' | 'ilike', input: string, reference: string): boolean {
  if (operation === 'eq') return input === reference;
  if (operation === 'ne') return input !== reference;
  if (operation === 'like') return contains(input, reference);
  return contains(input.toLowerCase(), reference.toLowerCase());
}

/**
 * Whether a text contains another. By the failure function of Knuth, Morris and Pratt: in linear time, where `includes` takes seconds for
 * long texts of few letters.
 */
function contains(text: string, part: string): boolean {
  const borders = new Uint32Array(part.length);
  /** The length of the longest beginning of `part` that ends with `letter`, behind one of length `border`. */
  const next = (border: number, letter: string | undefined): number => {
    let length = border;
    while (length > 0 && part[length] !== letter) length = borders[length - 1] as number;
    return part[length] === letter ? length + 1 : 0;
  };
  for (let n = 1; n < part.length; n += 1) borders[n] = next(borders[n - 1] as number, part[n]);
  let found = 0;
  for (let n = 0; n < text.length && found < part.length; n += 1) found = next(found, text[n]);
  return found === part.length;
}

/** Characters of all messages of a question: many parts may each name a long text. */
export const QUESTION_CHARACTERS_MAX = 1_000_000;

/**
 * The messages of a template, filled.
 * @throws {Unfillable} beyond a million characters, or where a part of it cannot be filled
 */
export function fillMessages(
  messages: readonly TemplateMessage[],
  values: TemplateValues,
): { role: TemplateMessage['role']; content: string }[] {
  let left = QUESTION_CHARACTERS_MAX;
  const filled = (part: string): string => {
    const text = fill(part, values);
    left -= text.length;
    if (left >= 0) return text;
    throw new Unfillable(`The filled messages have more than ${QUESTION_CHARACTERS_MAX} characters.`);
  };
  return messages.map(({ role, content }) => ({ role, content: partsOf(content).map(filled).join('\n') }));
}

/** The templates of a message. */
const partsOf = (content: TemplateMessage['content']): string[] =>
  typeof content === 'string' ? [content] : [content].flat().map(({ text }) => text);

/** What is wrong with messages whatever the rows are: the path of the first that has a fault, and why; null if nothing is. */
export function faultOfMessages(
  messages: readonly TemplateMessage[],
  roots?: Parameters<typeof faultOfTemplate>[1],
): readonly [path: string, message: string] | null {
  for (const [n, { content }] of messages.entries()) {
    for (const part of partsOf(content)) {
      const fault = faultOfTemplate(part, roots);
      if (fault !== null) return [`[${n}].content`, fault];
    }
  }
  return null;
}

/** An object with all of these fields, and no other. */
const objectWith = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The JSON form of an answer with these fields. */
const formOf = (properties: Readonly<Record<string, object>>) => ({
  format: { type: 'json_schema', name: 'grade', strict: true, schema: objectWith(properties) },
});

/** The reasoning before a score, as scores of OpenAI's graders have it. */
const STEPS = {
  type: 'array',
  items: objectWith({ description: { type: 'string' }, conclusion: { type: 'string' } }),
};

/** The field of an answer in that form, within other text where a model is told the form in words alone; undefined where it is in another. */
const fieldOf = (answer: string, name: 'label' | 'result'): unknown => readJsonObject(answer)?.[name];

async function labelled(
  { model, input, labels, passing_labels: passing }: Extract<SingleGrader, { type: 'label_model' }>,
  values: TemplateValues,
  { ask }: GraderPorts,
): Promise<Scored> {
  const task = `Answer with JSON: {"label": one of ${JSON.stringify(labels)}}.`;
  const question = {
    model,
    input: [...fillMessages(input, values), { role: 'system' as const, content: task }],
    temperature: 0,
    text: formOf({ label: { type: 'string', enum: labels } }),
  };
  const answer = await ask(question, ['temperature', 'text.format']);
  const label = fieldOf(answer, 'label');
  if (typeof label !== 'string' || !labels.includes(label))
    return { score: 'The model gave none of the labels.' };
  return { score: passing.includes(label) ? 1 : 0, label };
}

async function rated(
  { model, input, range, sampling_params: sampling }: Extract<SingleGrader, { type: 'score_model' }>,
  values: TemplateValues,
  { ask }: GraderPorts,
): Promise<Score> {
  const [low, high] = rangeOf({ range });
  const task = `Answer with JSON: {"steps": [what you look at, and what follows from it], "result": a number from ${low} to ${high}}.`;
  const effort = sampling?.reasoning_effort;
  const question = {
    model,
    input: [...fillMessages(input, values), { role: 'system' as const, content: task }],
    temperature: sampling?.temperature ?? 0,
    top_p: sampling?.top_p,
    max_output_tokens: sampling?.max_completions_tokens,
    ...(effort == null ? {} : { reasoning: { effort } }),
    text: formOf({ steps: STEPS, result: { type: 'number' } }),
  };
  const isOwn = sampling?.temperature == null;
  const answer = await ask(question, isOwn ? ['temperature', 'text.format'] : ['text.format']);
  const score = fieldOf(answer, 'result');
  if (typeof score !== 'number') return 'The model gave no score.';
  return score < low || score > high ? `The model gave a score that is not from ${low} to ${high}.` : score;
}

/** What is wrong with a grader that its schema does not see: its path and why; null if nothing is. */
export function faultOf(grader: Grader): readonly [path: string, message: string] | null {
  if (grader.type === 'label_model') {
    const unknown = grader.passing_labels.find((label) => !grader.labels.includes(label));
    if (unknown !== undefined) return ['passing_labels', 'has a label that is not among labels'];
  }
  if (grader.type !== 'multi') return faultOfTemplates(grader);
  const entries = Object.entries(grader.graders);
  if (entries.length === 0 || entries.length > GRADERS_MAX)
    return ['graders', `needs 1 to ${GRADERS_MAX} graders`];
  const value = compute(grader.calculate_output, Object.fromEntries(entries.map(([name]) => [name, 1])));
  if (typeof value === 'string') return ['calculate_output', value];
  for (const [name, each] of entries) {
    const fault = faultOf(each);
    if (fault !== null) return [`graders.${name}.${fault[0]}`, fault[1]];
  }
  return null;
}

function faultOfTemplates(grader: SingleGrader): readonly [path: string, message: string] | null {
  if (grader.type === 'python') return null;
  if (grader.type === 'label_model' || grader.type === 'score_model') {
    const fault = faultOfMessages(grader.input);
    return fault === null ? null : [`input${fault[0]}`, fault[1]];
  }
  for (const path of ['input', 'reference'] as const) {
    const fault = faultOfTemplate(grader[path]);
    if (fault !== null) return [path, fault];
  }
  return null;
}

/** Graders of a multi grader. */
const GRADERS_MAX = 20;
