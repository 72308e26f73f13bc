import * as z from 'zod';
import { shareOfWordsKept, wordingOf } from '#shared/answers/decide/facts.ts';
import { foldLabel } from '#shared/answers/decide/labels.ts';
import { isBareNumber, numbersOf, resultOf } from '#shared/answers/decide/numbers.ts';
import { type AnswerForm, asksForAdvice } from '#shared/answers/decide/read-form.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import { type Asking, askModel, type CallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { orNothing } from './or-nothing.ts';
import { answerInForm } from './prompts/answer-in-form.v1.ts';
import { blindAnswer } from './prompts/blind-answer.v1.ts';
import { sameClaims } from './prompts/same-claims.v1.ts';
import { readInForm } from './read-in-form.ts';

/**
 * How blind answers are compared with a row's own. `label`, `number`, `string`: as a whole, by its form. `result`: by
 * the number that a worked solution ends with. `data`: as parsed JSON. `prose`: by a model, where the request asks.
 */
export const BLIND_KINDS = ['label', 'number', 'string', 'data', 'result', 'prose'] as const;
export type BlindKind = (typeof BLIND_KINDS)[number];

/** A row about which a model is asked. */
export interface BlindRow {
  /** The request with its context and earlier turns. */
  readonly request: string;
  /** The request alone. */
  readonly prompt: string;
  readonly answer: string;
  readonly form: AnswerForm;
}

/** What a model answers if it does not see the row's own answer. */
export const BlindOpinion = z.object({
  kind: z.enum(BLIND_KINDS),
  /** Answers that were given. */
  votes: z.int().min(0),
  /** The answer that two of them agree on; null if no two do. */
  agreed: z.string().nullable(),
  /** Whether the row's own answer is another than the agreed one. */
  differs: z.boolean(),
});
export type BlindOpinion = Readonly<z.infer<typeof BlindOpinion>>;

/** Longest answer in prose that is compared, in words: a longer one says more than its request asks for. */
const PROSE_WORDS_MAX = 60;
/** A line that is a result: a number with at most a few words around it. */
const RESULT_LINE =
  // At most 120 characters.
  /^(?:.{0,60}(?:=|:|\bis\b|####)\s*)?[^\d\n]{0,12}[-−]?[$€£]?\d[\d.,:]*(?:\/\d+)?\s*[%°]?(?:\s*[\p{L}²³/]{1,12}){0,2}[.!)*]{0,3}$/u;

/** How a row can be answered blind; null if its answer is one of many right ones. */
export function blindKindOf({ form, prompt, answer }: Omit<BlindRow, 'request'>): BlindKind | null {
  const { kind } = form;
  const text = answer.trim();
  const wanted = prompt.slice(-WANTED_CHARACTERS_MAX);
  if (text === '' || ESTIMATED.test(wanted)) return null;
  // A choice among labels, and what is calculated, is settled by its request.
  if (kind === 'label') return kind;
  const isOpen = kind === 'open' || kind === 'short';
  const lastLine = text.slice(text.lastIndexOf('\n') + 1).trim();
  const isCalculated =
    form.endsWithNumber || isBareNumber(text) || /\bhow (?:many|much|long|far|old)\b/i.test(prompt);
  if (isOpen && isCalculated && lastLine.length <= 120 && RESULT_LINE.test(lastLine)) return 'result';
  if (FREE.test(wanted)) return null;
  if (kind === 'number' || kind === 'string') return kind;
  if (dataIn(text) !== null) return 'data';
  const isFact = /[?？]/.test(prompt) && !asksForAdvice(prompt) && !SPEAKS_TO_SOMEONE.test(prompt);
  return isOpen && isFact && text.split(/\s+/).length <= PROSE_WORDS_MAX ? 'prose' : null;
}

/** A question about the one who answers, or about a place that only they know. */
const SPEAKS_TO_SOMEONE =
  /\b(?:you|your|yours|today|now|here|this (?:shop|store|place|office|morning|week)|the (?:shop|store|office))\b/i;

/** The canonical JSON of an object or a list, in which the order of keys and of the list does not count; null if a text is none. */
function dataIn(text: string): string | null {
  if (!/^[[{]/.test(text) || text.length > DATA_CHARACTERS_MAX) return null;
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(Array.isArray(value) ? value.map((each) => canonicalJson(each)).sort() : value);
  } catch {
    return null;
  }
}

const DATA_CHARACTERS_MAX = 20_000;

/** The end of a request, where it says what is wanted. */
const WANTED_CHARACTERS_MAX = 4000;
/** A request for a judgement or an estimate. */
const ESTIMATED =
  /\b(?:on a scale|stars|estimat\w*|approximate\w*|roughly|rat(?:e|ing) (?:this|the|how|of|from)|rate it|scor(?:e|ing) (?:this|the|how|from)|invent|imagine|your (?:opinion|favou?rite))\b/i;
/** A further request with many right answers. */
const FREE =
  /\b(?:suggest|generate|create|compose|formulate|paraphrase|rephrase|rewrite|summari[sz]e|make up|come up with|ask (?:a|an|one)|write (?:a|an|me|your|some|one)|name (?:a|an|one|some|any|two|three|four|five)|give (?:an? |one |some |a few |me |two |three )|list (?:some|a few|two|three|four|five|any)|examples?|synonyms?|antonyms?|rhym\w+|titles?|headlines?|slogans?|fictional|random|any (?:other|one)|rat(?:e|ing)|scor(?:e|ing)|do you (?:like|think|feel|prefer)|recommend|advice|why|how (?:can|do|should|would|could) (?:i|we|you)|describe|explain|tips?|keywords?|tags?|fill in|blank|complete the)\b/i;

/** Votes at most: two that agree end it. */
const VOTES = 3;

/**
 * Asks for answers to a row's request without showing its own answer, until two agree. Null if the row cannot be asked
 * about in this way, or if no call was answered.
 * @throws {ModelOutage}
 */
export async function askBlind(
  model: ModelClient,
  row: BlindRow,
  asking: Asking,
  meter: CallMeter,
): Promise<BlindOpinion | null> {
  const [opinion = null] = await compareBlind(model, row, [row.answer], asking, meter);
  return opinion;
}

/**
 * Asks once for answers to a row's request, and compares each of several own ones with them.
 * @throws {ModelOutage}
 */
export async function compareBlind(
  model: ModelClient,
  row: BlindRow,
  answers: readonly string[],
  asking: Asking,
  meter: CallMeter,
): Promise<(BlindOpinion | null)[]> {
  const kind = blindKindOf(row);
  if (kind === null) return answers.map(() => null);
  const votes: string[] = [];
  let agreed: string | null = null;
  for (let variation = 0; variation < VOTES && agreed === null; variation += 1) {
    const vote = await orNothing(voteOn(model, row, kind, variation, asking, meter));
    if (vote === null) continue;
    agreed = votes.find((other) => isSame(kind, other, vote)) ?? null;
    votes.push(vote);
  }
  if (votes.length === 0) return answers.map(() => null);
  const opinions: BlindOpinion[] = [];
  for (const answer of answers) {
    const differs =
      agreed !== null && !(await saysSame(model, { ...row, answer }, kind, agreed, asking, meter));
    opinions.push({ kind, votes: votes.length, agreed, differs });
  }
  return opinions;
}

async function voteOn(
  model: ModelClient,
  { request, form }: BlindRow,
  kind: BlindKind,
  variation: number,
  asking: Asking,
  meter: CallMeter,
): Promise<string> {
  if (kind === 'prose')
    return askModel(model, blindAnswer(request, kind, variation), readText, asking, meter);
  if (kind === 'result') {
    return askModel(model, blindAnswer(request, kind, variation), readResult, asking, meter);
  }
  const demanded: AnswerForm = kind === 'data' ? { ...form, kind: 'json' } : form;
  const asked = answerInForm({
    ...{ request, variation, form: demanded },
    ...{ draft: null, fault: null, image: null, blueprint: null },
  });
  return askModel(model, asked, (generation) => readInForm(generation, demanded), asking, meter);
}

function readResult(generation: Generation): string {
  const text = readText(generation);
  const result = resultOf(text.slice(text.lastIndexOf('\n') + 1)) ?? resultOf(text);
  if (result === null) throw new UnusableAnswer('The model answered without a number');
  return result;
}

/** Whether a worked solution ends with a result. */
export function hasResult(answer: string, result: string): boolean {
  return isSame('result', answer, result);
}

/** Prose agrees that has the same numbers and mostly the same words. */
const PROSE_SHARE_MIN = 0.4;

/** Whether two answers are the same by a program. */
function isSame(kind: BlindKind, a: string, b: string): boolean {
  if (kind === 'label') return foldLabel(a) === foldLabel(b);
  if (kind === 'data') return dataIn(a.trim()) !== null && dataIn(a.trim()) === dataIn(b.trim());
  if (kind === 'result') return resultOf(a) !== null && resultOf(a) === resultOf(b);
  if (kind === 'prose') {
    const values = (text: string) =>
      JSON.stringify(
        numbersOf(text)
          .map(({ value }) => value)
          .sort(),
      );
    return values(a) === values(b) && shareOfWordsKept(a, b) >= PROSE_SHARE_MIN;
  }
  if (isBareNumber(a) && isBareNumber(b)) return resultOf(a) === resultOf(b);
  const words = (text: string) => wordingOf(text).join(' ');
  return words(a) === words(b) && words(a) !== '';
}

/** Whether a row's own answer says what others agree on. What a model cannot compare counts as the same. */
async function saysSame(
  model: ModelClient,
  { request, answer }: BlindRow,
  kind: BlindKind,
  agreed: string,
  asking: Asking,
  meter: CallMeter,
): Promise<boolean> {
  if (kind !== 'prose') return isSame(kind, answer.trim(), agreed);
  if (wordingOf(answer).join(' ') === wordingOf(agreed).join(' ')) return true;
  const answers = { request, first: answer.trim(), second: agreed };
  const same = await orNothing(askModel(model, sameClaims(answers), readSame, asking, meter));
  return same ?? true;
}

function readSame({ text }: Generation): boolean {
  const same = readJsonObject(text)?.same;
  if (typeof same !== 'boolean')
    throw new UnusableAnswer('The model did not say whether the answers are the same');
  return same;
}
