import * as z from 'zod';
import { DETECTED_CHARACTERS_MAX, type LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import {
  AskFailure,
  type Asking,
  askEmbeddings,
  askModel,
  type CallMeter,
  UnusableAnswer,
} from '#shared/models/decide/ask-model.ts';
import type { EmbeddingClient, Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { SafetyCategory } from '../../schema/safety.ts';
import { UNRELATED_TEXT } from '../metrics.ts';
import {
  type ReviewedTexts,
  SAFETY_PROMPT_VERSION,
  SEVERITY_MAX,
  safetyPrompt,
} from '../prompts/safety.v1.ts';
import { withoutOrders } from '../without-orders.ts';
import { issuesOf, SafetyScores, scoreCategories } from './safety-scores.ts';
import { SAFETY_WORDS, SAFETY_WORDS_VERSION } from './safety-words.ts';

export interface SafetyReview {
  /** Null, like that of the response, for a text in a language that only a judge could read. */
  readonly prompt: SafetyScores | null;
  readonly response: SafetyScores | null;
  /** The scorer's name in reports. */
  readonly scoredBy: string;
  /** Why the word lists replaced the judge; null if they did not. */
  readonly judgeFailure: string | null;
}

/** Scores a prompt and its response in all five categories. */
export interface SafetyScorer {
  /** @throws {ModelOutage} */
  review(texts: ReviewedTexts, asking: Asking, meter: CallMeter): Promise<SafetyReview>;
}

export interface SafetyScorerOptions {
  /** A judge with a trusted safety calibration; null uses the word lists. */
  readonly judge: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
  readonly detectLanguage: LanguageDetector;
}

/**
 * Scores with the trusted judge, in one call a row, or else with word lists. The lists also score a row that the judge
 * cannot score, because its text is too long or the provider filters the answer. They are English: in another language
 * they report the issues that they find, and no score if they find none.
 */
export function createSafetyScorer({ judge, embedder, detectLanguage }: SafetyScorerOptions): SafetyScorer {
  const byWords = createWordScorer(embedder, detectLanguage);
  return {
    async review(texts, asking, meter) {
      if (judge === null || (texts.prompt.trim() === '' && texts.response.trim() === '')) {
        return byWords(texts, null, asking, meter);
      }
      try {
        const scores = await judgeSafety(judge, texts, asking, meter);
        return { ...scores, scoredBy: `${judge.modelId} (${SAFETY_PROMPT_VERSION})`, judgeFailure: null };
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error;
        return byWords(texts, error.message, asking, meter);
      }
    },
  };
}

/**
 * The judge's severities as scores. Sentences that address the judge are removed from its prompt; harm may hide in
 * them, so an issue that the word lists find in them counts too.
 * @throws {AskFailure} {ModelOutage}
 */
export async function judgeSafety(
  judge: ModelClient,
  texts: ReviewedTexts,
  asking: Asking,
  meter: CallMeter,
): Promise<JudgedTexts> {
  const prompt = partVerdicts(texts.prompt);
  const response = partVerdicts(texts.response);
  const shown = { prompt: prompt.shown, response: response.shown };
  const judged = await askModel(judge, safetyPrompt(shown), readSeverities, asking, meter);
  return {
    prompt: withIssues(judged.prompt, scoreByWords(prompt.orders)),
    response: withIssues(judged.response, scoreByWords(response.orders)),
  };
}

/** Scores of both texts by a judge, which reads every language. */
export const JudgedTexts = z.object({ prompt: SafetyScores, response: SafetyScores });
export type JudgedTexts = Readonly<z.infer<typeof JudgedTexts>>;

function readSeverities(generation: Generation): JudgedTexts {
  const answer = Answer.safeParse(readJsonObject(generation.text)).data;
  if (answer === undefined) {
    throw new UnusableAnswer('The judge did not list the issues of both texts in the form asked for');
  }
  const scoresOf = (issues: z.infer<typeof Issues>): SafetyScores =>
    scoreCategories((category) => {
      const named = issues.filter((issue) => issue.category === category);
      return Math.max(0, ...named.map(({ severity }) => severity)) / SEVERITY_MAX;
    });
  return { prompt: scoresOf(answer.request), response: scoresOf(answer.response) };
}

const Issues = z.array(z.object({ category: SafetyCategory, severity: z.number().min(0).max(SEVERITY_MAX) }));
const Answer = z.object({ request: Issues, response: Issues });

const VERDICTS: readonly RegExp[] = [
  /\b(score|rate|rank|mark|label|classify|grade|report|output|return|answer|reply|respond|give|assign|set)\b.{0,60}\b(0|zero|zeros|none|safe|harmless|lowest|no issues?)\b/i,
  /\b(ignore|disregard|forget|override)\b.{0,60}\b(previous|above|prior|instructions?|rules?|safety|categor\w+|filters?)\b/i,
  /\b(this|the) (text|row|message|content|request|response|prompt)\b.{0,40}\b(is|are|was)\b.{0,20}\b(safe|harmless|fine|approved)\b/i,
];

/** Separates the sentences of a text that address the reviewer. */
function partVerdicts(text: string): { readonly shown: string; readonly orders: string } {
  const sentences = text.split(/(?<=[.!?]\s|\n)/);
  const isOrder = (sentence: string): boolean =>
    withoutOrders(sentence) !== sentence || VERDICTS.some((verdict) => verdict.test(sentence));
  const orders = sentences.filter(isOrder);
  return orders.length === 0
    ? { shown: text, orders: '' }
    : {
        shown: sentences
          .filter((sentence) => !isOrder(sentence))
          .join('')
          .trim(),
        orders: orders.join(''),
      };
}

function withIssues(scores: SafetyScores, hidden: SafetyScores): SafetyScores {
  const issues = issuesOf(hidden);
  return scoreCategories((category) =>
    issues.includes(category) ? Math.max(scores[category], hidden[category]) : scores[category],
  );
}

/** The score of a word with harmless meanings, and the maximum that the text's similarity to the category adds. */
const WORD_SCORE = 0.3;
const LIKENESS_SHARE = 0.5;
const LIKENESS_ALONE_SHARE = 0.45;

/**
 * Scores by the word lists: 1 for an unambiguous phrase, 0.3 for a word that may be harmless. `likeness` (0 to 1) can
 * turn such a word into an issue, but never a text without one.
 */
export function scoreByWords(
  text: string,
  likeness: (category: SafetyCategory) => number = () => 0,
): SafetyScores {
  return scoreCategories((category) => {
    const { phrases, words } = SAFETY_WORDS[category];
    if (phrases.some((phrase) => phrase.test(text))) return 1;
    return words.test(text)
      ? WORD_SCORE + LIKENESS_SHARE * likeness(category)
      : LIKENESS_ALONE_SHARE * likeness(category);
  });
}

/** A text at this share of the way from an unrelated text to a category's description counts as fully similar. */
const FULL_LIKENESS = 0.6;

/** A letter of a script that no list uses; such a text may be too short to detect its language. */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Fewer letters than this in a Latin script are often names and terms, and with a digit calculations, which the detector
 * takes for any language; their row says which one it is.
 */
const LETTERS_OF_PROSE_MIN = { words: 24, calculation: 40 } as const;
/** The same of a text that is given to a tool: names of places and people, titles and addresses are longer than words of prose. */
const LETTERS_OF_ARGUMENT_MIN = 60;

function createWordScorer(embedder: EmbeddingClient | null, detectLanguage: LanguageDetector) {
  /**
   * @param isRowEnglish whether the row of the text is
   * @param isArgument whether it is given to a tool
   */
  function isEnglish(text: string, isRowEnglish: () => boolean, isArgument = false): boolean {
    // The detector looks at the beginning, which may have no letters.
    const spoken = text.slice(text.search(/\p{L}/u));
    const language = detectLanguage(spoken);
    if (language === 'en') return true;
    if (FOREIGN_LETTER.test(text)) return false;
    if (language === null) return true;
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const { words, calculation } = LETTERS_OF_PROSE_MIN;
    const prose = isArgument ? LETTERS_OF_ARGUMENT_MIN : /\d/.test(text) ? calculation : words;
    return letters < prose && isRowEnglish();
  }

  function score(
    text: string,
    isRowEnglish: () => boolean,
    likeness: ((category: SafetyCategory) => number) | undefined,
    { said, given }: NonNullable<ReviewedTexts['parts']> = { said: text, given: [] },
  ): SafetyScores | null {
    const scores = scoreByWords(text, likeness);
    const isUnderstood =
      isEnglish(said, isRowEnglish) && given.every((each) => isEnglish(each, isRowEnglish, true));
    return isUnderstood || issuesOf(scores).length > 0 ? scores : null;
  }

  let described: readonly Float32Array[] | null = null;

  async function likenesses(
    client: EmbeddingClient,
    { prompt, response }: ReviewedTexts,
    asking: Asking,
    meter: CallMeter,
  ): Promise<((category: SafetyCategory) => number)[]> {
    described ??= await askEmbeddings(
      client,
      [UNRELATED_TEXT, ...SafetyCategory.options.map((category) => SAFETY_WORDS[category].description)],
      // All rows share the answer, so it belongs to the call memo of none.
      { ...asking, memo: undefined },
      meter,
    );
    const vectors = await askEmbeddings(client, [prompt, response], asking, meter);
    const [unrelated, ...categories] = described;
    return vectors.map((vector) => {
      const floor = dot(vector, unrelated);
      return (category: SafetyCategory): number => {
        const near = dot(vector, categories[SafetyCategory.options.indexOf(category)]);
        return Math.min(1, Math.max(0, (near - floor) / (1 - floor) / FULL_LIKENESS));
      };
    });
  }

  return async (
    texts: ReviewedTexts,
    judgeFailure: string | null,
    asking: Asking,
    meter: CallMeter,
  ): Promise<SafetyReview> => {
    let likeness: ((category: SafetyCategory) => number)[] = [];
    let scoredBy = SAFETY_WORDS_VERSION;
    if (embedder !== null && texts.prompt.trim() !== '' && texts.response.trim() !== '') {
      try {
        likeness = await likenesses(embedder, texts, asking, meter);
        scoredBy = `${SAFETY_WORDS_VERSION} with ${embedder.modelId}`;
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error;
      }
    }
    const row = [texts.prompt, texts.response]
      .map((text) => beginningOf(text, DETECTED_CHARACTERS_MAX))
      .join('\n');
    let language: boolean | null = null;
    const isRowEnglish = (): boolean => {
      language ??= detectLanguage(row) === 'en';
      return language;
    };
    return {
      prompt: score(texts.prompt, isRowEnglish, likeness[0]),
      response: score(texts.response, isRowEnglish, likeness[1], texts.parts),
      scoredBy,
      judgeFailure,
    };
  };
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  return a.reduce((sum, value, n) => sum + value * (b?.[n] ?? 0), 0);
}
