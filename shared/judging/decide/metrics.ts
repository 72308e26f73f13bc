import type { LengthTarget } from '#shared/answers/decide/length.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';

/** Reference-free measures of an answer, each 0 to 10. */
export const METRICS = [
  'relevance',
  'completeness',
  'language',
  'repetition',
  'length_fit',
  'format',
] as const;
export type Metric = (typeof METRICS)[number];

/** Constant, so that scores of different runs are comparable: content has half of the weight, style the rest. */
export const METRIC_WEIGHTS: Record<Metric, number> = {
  relevance: 0.25,
  completeness: 0.25,
  language: 0.15,
  repetition: 0.15,
  length_fit: 0.1,
  format: 0.1,
};

export interface MetricScore {
  /** Weighted mean of the criteria, 0 to 10. */
  readonly score: number;
  readonly criteria: Readonly<Record<Metric, number>>;
}

/** Features of a request for the metrics, computed once for all its answers. */
export interface MeasuredRequest {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  readonly language: string | null;
}

export function measureRequest(text: string, detectLanguage: LanguageDetector): MeasuredRequest {
  const words = new Set(wordsOf(text));
  const stems = new Set<string>();
  for (const word of words) {
    if (isContent(word)) {
      stems.add(stemOf(word));
    }
  }
  return { text, words, stems, language: detectLanguage(text) };
}

export interface MetricInput {
  readonly request: MeasuredRequest;
  readonly answer: string;
  readonly length: LengthTarget;
  readonly detectLanguage: LanguageDetector;
  /** From `relevanceByEmbeddings`; without it relevance is lexical. */
  readonly relevance?: number | undefined;
}

/**
 * Scores an answer without a judge or a reference: whether it addresses the request, in its language, completely,
 * without repetition, at the requested length, well formed. It cannot tell whether the answer is true.
 */
export function scoreByMetrics(input: MetricInput): MetricScore {
  const { request, answer, length, detectLanguage, relevance } = input;
  const words = wordsOf(answer);
  const parts: Record<Metric, number> =
    words.length === 0
      ? { relevance: 0, completeness: 0, language: 0, repetition: 0, length_fit: 0, format: 0 }
      : {
          relevance: relevance ?? lexicalRelevance(request, words),
          completeness: completeness(answer, request, words),
          language: languageAgreement(request, answer, detectLanguage),
          repetition: variety(words),
          length_fit: lengthFit(words.length, length),
          format: wellFormedness(request.text, answer),
        };
  const score = METRICS.reduce((sum, metric) => sum + METRIC_WEIGHTS[metric] * parts[metric], 0);
  const criteria = Object.fromEntries(METRICS.map((metric) => [metric, toTen(parts[metric])]));
  return { score: toTen(score), criteria: criteria as Record<Metric, number> };
}

function toTen(share: number): number {
  return Math.round(share * 1000) / 100;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** A sentence unrelated to any request: models score unrelated texts differently. */
export const UNRELATED_TEXT = 'The ferry to the northern island leaves from the third pier at half past six.';

/** An answer at this share of the way from an unrelated text to an identical one counts as fully relevant. */
const FULL_RELEVANCE = 0.5;

/** Relevance, 0 to 1, from unit vectors of the request, its answer and `UNRELATED_TEXT`. */
export function relevanceByEmbeddings(
  request: Float32Array,
  answer: Float32Array,
  unrelated: Float32Array,
): number {
  const floor = cosine(request, unrelated);
  return clamp((cosine(request, answer) - floor) / (1 - floor) / FULL_RELEVANCE);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}

/** Words with this many equal initial letters count as forms of one word. */
const STEM_LETTERS = 5;
/** Shorter words are articles and prepositions in most languages with spaces. */
const CONTENT_LETTERS_MIN = 4;

/** The share of the request's content words in the answer; half of them is the maximum score. */
function lexicalRelevance({ stems }: MeasuredRequest, words: readonly string[]): number {
  if (stems.size === 0) {
    return 1;
  }
  const taken = new Set<string>();
  for (const word of words) {
    const stem = stemOf(word);
    if (stems.has(stem)) {
      taken.add(stem);
    }
  }
  return clamp(taken.size / stems.size / 0.5);
}

function stemOf(word: string): string {
  return word.length > STEM_LETTERS ? word.slice(0, STEM_LETTERS) : word;
}

/** Han characters begin here; scripts with spaces come before. */
const FIRST_UNSPACED_CODE = 0x2e80;

function isContent(word: string): boolean {
  return word.length >= CONTENT_LETTERS_MIN || word.charCodeAt(0) >= FIRST_UNSPACED_CODE;
}

/** Half for complete sentences, half for the number of new words (saturating, 63 % at eight new words). */
function completeness(answer: string, request: MeasuredRequest, words: readonly string[]): number {
  const added = new Set<string>();
  for (const word of words) {
    if (!request.words.has(word)) {
      added.add(word);
    }
  }
  return 0.5 * ending(answer, words.length) + 0.5 * (1 - Math.exp(-added.size / 8));
}

function ending(answer: string, wordCount: number): number {
  const text = answer.trimEnd();
  if (/(\.\.\.|…)$/.test(text)) {
    return 0;
  }
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const isListItem = /^\s*([-*•]|\d+[.)])\s/.test(lastLine);
  if (/[.!?。！？।؟:)\]}"'”’»`|]$/.test(text) || isListItem) {
    return 1;
  }
  // Names, numbers and commands need no full stop.
  return wordCount <= 6 ? 0.5 : 0;
}

function languageAgreement(request: MeasuredRequest, answer: string, detect: LanguageDetector): number {
  if (request.language === null) {
    return 1;
  }
  const language = detect(answer);
  return language === null || language === request.language ? 1 : 0;
}

/** The share of distinct three-word sequences; 40 % scores 0 and 90 % scores 1. */
function variety(words: readonly string[]): number {
  const total = words.length - 2;
  if (total < 1) {
    return 1;
  }
  const distinct = new Set<string>();
  for (let n = 0; n < total; n += 1) {
    distinct.add(`${words[n]} ${words[n + 1]} ${words[n + 2]}`);
  }
  return clamp((distinct.size / total - 0.4) / 0.5);
}

function lengthFit(words: number, target: LengthTarget): number {
  if (words < target.wordsMin) {
    return words / target.wordsMin;
  }
  return words > target.wordsMax ? target.wordsMax / words : 1;
}

const LEFTOVERS = /<\|[a-z_]+\|>|\[\/?INST\]|<\/?data-|as an ai (language )?model|lorem ipsum|\{\{\w+\}\}/i;

function wellFormedness(request: string, answer: string): number {
  let share = 1;
  if ((answer.match(/```/g)?.length ?? 0) % 2 === 1) {
    share -= 0.5;
  }
  if (LEFTOVERS.test(answer)) {
    share -= 0.5;
  }
  if (!isBalanced(answer)) {
    share -= 0.3;
  }
  if (/\bjson\b/i.test(request) && !/[[{]/.test(answer)) {
    share -= 0.5;
  }
  if (
    /\b(list|bullet points?|step by step|steps)\b/i.test(request) &&
    !/^[ \t]*([-*•]|\d+[.)])\s/m.test(answer)
  ) {
    share -= 0.2;
  }
  return clamp(share);
}

function isBalanced(text: string): boolean {
  let round = 0;
  let square = 0;
  let curly = 0;
  for (const bracket of text.match(/[()[\]{}]/g) ?? []) {
    round += bracket === '(' ? 1 : bracket === ')' ? -1 : 0;
    square += bracket === '[' ? 1 : bracket === ']' ? -1 : 0;
    curly += bracket === '{' ? 1 : bracket === '}' ? -1 : 0;
  }
  return round === 0 && square === 0 && curly === 0;
}
