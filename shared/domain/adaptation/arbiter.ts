import type { LanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { comparePair } from '#shared/domain/evaluation/judge.ts';
import {
  measureRequest,
  relevanceByEmbeddings,
  scoreByMetrics,
  UNRELATED_TEXT,
} from '#shared/domain/evaluation/metrics.ts';
import { type Asking, askEmbeddings, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/domain/model/port.ts';
import type { LengthTarget } from './length.ts';

export interface Comparison {
  readonly request: string;
  readonly original: string;
  readonly candidate: string;
  readonly length: LengthTarget;
}

/** Decides whether a rewritten answer may take the original's place: only where it does not score worse. */
export interface Arbiter {
  /** @throws {AskFailure} {ModelOutage} */
  isWorse(comparison: Comparison, asking: Asking, meter: CallMeter): Promise<boolean>;
}

export interface ArbiterOptions {
  /** Only a judge whose pair calibration is trusted; null leaves the decision to the metrics. */
  readonly judge: ModelClient | null;
  readonly embedder: EmbeddingClient | null;
  readonly detectLanguage: LanguageDetector;
}

/**
 * A trusted judge decides by comparing both blind in both orders; where it names one answer in one order and the
 * other in the other, and where there is no trusted judge, the reference-free metrics decide. Answers in another
 * language than the original's are worse whatever the judge says.
 */
export function createArbiter({ judge, embedder, detectLanguage }: ArbiterOptions): Arbiter {
  async function isWorseByMetrics(
    { request, original, candidate, length }: Comparison,
    asking: Asking,
    meter: CallMeter,
  ): Promise<boolean> {
    let relevances: readonly (number | undefined)[] = [undefined, undefined];
    if (embedder !== null) {
      const texts = [request, UNRELATED_TEXT, original, candidate];
      const [asked, unrelated, ...answers] = await askEmbeddings(embedder, texts, asking, meter);
      relevances = answers.map((answer) =>
        asked === undefined || unrelated === undefined
          ? undefined
          : relevanceByEmbeddings(asked, answer, unrelated),
      );
    }
    const measured = measureRequest(request, detectLanguage);
    const [before, after] = [original, candidate].map(
      (answer, n) =>
        scoreByMetrics({ request: measured, answer, length, detectLanguage, relevance: relevances[n] }).score,
    );
    return (after ?? 0) < (before ?? 0);
  }

  return {
    async isWorse(comparison, asking, meter) {
      const { request, original, candidate } = comparison;
      if (speaksAnotherLanguage(original, candidate, detectLanguage)) {
        return true;
      }
      if (judge !== null) {
        const { better } = await comparePair(
          judge,
          { request, first: original, second: candidate },
          asking,
          meter,
        );
        if (better !== 'split') {
          return better === 'first';
        }
      }
      return isWorseByMetrics(comparison, asking, meter);
    },
  };
}

/** Whether two texts are in different languages; false where one of them is too short to tell. */
export function speaksAnotherLanguage(a: string, b: string, detectLanguage: LanguageDetector): boolean {
  const [first, second] = [detectLanguage(a), detectLanguage(b)];
  return first !== null && second !== null && first !== second;
}
