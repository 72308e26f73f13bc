import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { NO_PROFILE } from '#shared/adaptation/decide/answers/answer-profile.ts';
import { type AnswerForm, readForm } from '#shared/adaptation/decide/answers/read-form.ts';
import { answerInForm } from '#shared/adaptation/decide/prompts/answer-in-form.v1.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';

/** A question with one short answer, and a right and a wrong row for it. */
export const ClosedQuestion = z.object({
  id: z.string(),
  kind: z.enum(['fact', 'choice', 'yes_no', 'number', 'label', 'context']),
  prompt: z.string(),
  context: z.string().optional(),
  right: z.string(),
  wrong: z.string(),
  /** An expression that answers with the right fact match. */
  key: z.string(),
});
export type ClosedQuestion = z.infer<typeof ClosedQuestion>;

export const STEPS = [
  'answer-1',
  'answer-2',
  'answer-3',
  'sentence',
  'pair-right-1',
  'pair-right-2',
  'pair-wrong-1',
  'pair-wrong-2',
] as const;
export type Step = (typeof STEPS)[number];

const FILLERS = new Set('the a an of in on at is are was were it its to and by for with from'.split(' '));

/** The words of a text without case and articles. */
export function withoutMarks(text: string): string[] {
  const plain = normalizeText(text.slice(0, 2_000), 'NFKC').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !FILLERS.has(word)) ?? [];
}

/** What the model answered to a question in one step. */
export const ClosedAnswer = z.object({ id: z.string(), step: z.enum(STEPS), text: z.string() });
export type ClosedAnswer = z.infer<typeof ClosedAnswer>;

const QUESTIONS = new URL('./closed-questions.jsonl', import.meta.url);

export async function loadClosedQuestions(): Promise<ClosedQuestion[]> {
  const lines = (await readFile(QUESTIONS, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => ClosedQuestion.parse(JSON.parse(line)));
}

/** The answers of a file that may not exist yet. */
export async function readClosedAnswers(file: string): Promise<ClosedAnswer[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => ClosedAnswer.parse(JSON.parse(line)));
}

/** What the rules correct is measured on every fifth question: most of them need every step there. */
export const WRONG_EVERY = 5;

export interface ClosedMeasure {
  readonly model: ModelClient;
  readonly questions: readonly ClosedQuestion[];
  /** JSON Lines; answers that are in it are not asked for again. */
  readonly file: string;
  readonly concurrency: number;
}

/** Asks a model the questions: on its own three times and in a sentence, then by pairs where it contradicts a row. */
export async function measureClosedQuestions(measure: ClosedMeasure): Promise<ClosedAnswer[]> {
  const { model, questions, file, concurrency } = measure;
  const answers = await readClosedAnswers(file);
  const known = new Map(answers.map(({ id, step, text }) => [`${id} ${step}`, text]));
  await mkdir(dirname(file), { recursive: true });
  const ask = async (id: string, step: Step, request: GenerateRequest): Promise<string> => {
    const held = known.get(`${id} ${step}`);
    if (held !== undefined) return held;
    const { text } = await model.generate(request);
    const answer = { id, step, text };
    known.set(`${id} ${step}`, text);
    answers.push(answer);
    await appendFile(file, `${JSON.stringify(answer)}\n`);
    return text;
  };
  const one = async (question: ClosedQuestion, place: number): Promise<void> => {
    const { id } = question;
    const form = formOf(question);
    const first = labelOf(await ask(id, 'answer-1', alone(question, form, 0)));
    for (const side of place % WRONG_EVERY === 0 ? (['right', 'wrong'] as const) : (['right'] as const)) {
      if (!contradicts(first, question[side], form)) continue;
      await ask(id, 'answer-2', alone(question, form, 1));
      await ask(id, 'answer-3', alone(question, form, 2));
      const rival = isBare(form) ? first : await ask(id, 'sentence', inSentence(question));
      await ask(id, `pair-${side}-1`, asPair(question, question[side], rival));
      await ask(id, `pair-${side}-2`, asPair(question, rival, question[side]));
    }
  };
  let next = 0;
  const work = async (): Promise<void> => {
    for (let question = questions[next]; question !== undefined; question = questions[next]) {
      const place = next;
      next += 1;
      await one(question, place);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return answers;
}

export const formOf = ({ prompt, right }: ClosedQuestion): AnswerForm =>
  readForm({ request: prompt, answer: right, profile: NO_PROFILE });

/** Whether the form is so short that answers are compared as a whole. */
export const isBare = ({ kind }: AnswerForm): boolean => kind === 'label' || kind === 'number';

/** The label in an answer by schema, or the answer itself. */
export function labelOf(text: string): string {
  const label = text.trim().startsWith('{') ? readJsonObject(text)?.answer : undefined;
  return typeof label === 'string' ? label : text.trim();
}

/** Whether a short answer and an answer of a row say different things, as far as their words tell. */
export function contradicts(short: string, answer: string, form: AnswerForm): boolean {
  if (isBare(form)) return withoutMarks(short).join('') !== withoutMarks(answer).join('');
  const stem = (word: string): string => word.slice(0, Math.max(4, word.length - 2));
  const stems = new Set(withoutMarks(answer).map(stem));
  return !withoutMarks(short).some((word) => stems.has(stem(word)));
}

const requestOf = ({ prompt, context }: ClosedQuestion): string =>
  context === undefined ? prompt : `${prompt}\ncontext: ${context}`;

const alone = (question: ClosedQuestion, form: AnswerForm, variation: number): GenerateRequest =>
  answerInForm({
    request: requestOf(question),
    form,
    draft: null,
    fault: null,
    variation,
    image: null,
    blueprint: null,
  });

const inSentence = (question: ClosedQuestion): GenerateRequest => ({
  messages: [
    {
      role: 'system',
      content: `You answer requests in exactly the form that they demand: nothing before the answer, nothing after it.\n${FENCE_RULE}`,
    },
    {
      role: 'user',
      content: `${fence([{ name: 'request', text: requestOf(question) }])}\nReply with one short sentence that states the answer.`,
    },
  ],
  maxOutputTokens: 60,
  temperature: 0,
  seed: 1,
});

const PAIR_SCHEMA = {
  type: 'object',
  properties: { right: { type: 'string', enum: ['1', '2'] } },
  required: ['right'],
  additionalProperties: false,
};

const asPair = (question: ClosedQuestion, first: string, second: string): GenerateRequest => ({
  messages: [
    {
      role: 'system',
      content: `You compare two answers to a request. One is right, the other is wrong. You know the subject and check the facts.\n${FENCE_RULE}`,
    },
    {
      role: 'user',
      content: `${fence([
        { name: 'request', text: requestOf(question) },
        { name: 'answer_1', text: first },
        { name: 'answer_2', text: second },
      ])}\nWhich answer is right? Reply with JSON: {"right": "1"} or {"right": "2"}.`,
    },
  ],
  maxOutputTokens: 20,
  temperature: 0,
  seed: 1,
  jsonSchema: { name: 'right', schema: PAIR_SCHEMA },
});
