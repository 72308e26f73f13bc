import type { LengthTarget } from '#shared/answers/decide/length.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { type Asking, askEmbeddings, type CallMeter } from '#shared/models/decide/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import { isRubricTrusted, type JudgeCalibration } from './calibration.ts';
import { scoreByRubric } from './judge.ts';
import { measureRequest, relevanceByEmbeddings, scoreByMetrics, UNRELATED_TEXT } from './metrics.ts';

export interface AnswerScore {
  /** 0 to 10. */
  readonly score: number;
  readonly criteria: Readonly<Record<string, number>>;
}

export type ScoringMode = 'calibrated_judge' | 'reference_free_metrics';

/** Scores single answers. */
export interface Scorer {
  readonly mode: ScoringMode;
  /** @throws {AskFailure} {ModelOutage} */
  score(item: { request: string; answer: string }, asking: Asking, meter: CallMeter): Promise<AnswerScore>;
}

export interface ScorerOptions {
  readonly judge: ModelClient | null;
  readonly calibration: JudgeCalibration | null;
  readonly embedder: EmbeddingClient | null;
  readonly detectLanguage: LanguageDetector;
  readonly length: LengthTarget;
}

/** The scoring mode for a judge with this calibration; null without a judge or a calibration. */
export function scoringModeOf(calibration: JudgeCalibration | null): ScoringMode {
  return isRubricTrusted(calibration) ? 'calibrated_judge' : 'reference_free_metrics';
}

/** The judge if its calibration is trusted, else the reference-free metrics. */
export function createScorer(options: ScorerOptions): Scorer {
  const { judge, calibration } = options;
  return judge !== null && scoringModeOf(calibration) === 'calibrated_judge'
    ? { mode: 'calibrated_judge', score: (item, asking, meter) => scoreByRubric(judge, item, asking, meter) }
    : createMetricScorer(options);
}

function createMetricScorer({ embedder, detectLanguage, length }: ScorerOptions): Scorer {
  return {
    mode: 'reference_free_metrics',
    async score({ request, answer }, asking, meter) {
      const relevance =
        embedder === null ? undefined : await embedRelevance(embedder, { request, answer }, asking, meter);
      const measured = measureRequest(request, detectLanguage);
      return scoreByMetrics({ request: measured, answer, length, detectLanguage, relevance });
    },
  };
}

async function embedRelevance(
  embedder: EmbeddingClient,
  { request, answer }: { request: string; answer: string },
  asking: Asking,
  meter: CallMeter,
): Promise<number> {
  const vectors = await askEmbeddings(embedder, [request, answer, UNRELATED_TEXT], asking, meter);
  const [asked, answered, unrelated] = vectors;
  if (asked === undefined || answered === undefined || unrelated === undefined) {
    throw new Error('The embedding model answered fewer vectors than it was given texts.');
  }
  return relevanceByEmbeddings(asked, answered, unrelated);
}
