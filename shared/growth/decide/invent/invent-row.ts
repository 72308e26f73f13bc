import { findPair, type PreferencePair, varied } from '#shared/adaptation/decide/preference-pairs.ts';
import {
  IMPROVE_ANSWER_VERSION,
  improveAnswer,
} from '#shared/adaptation/decide/prompts/improve-answer.v2.ts';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { formFault } from '#shared/answers/decide/check-form.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { DEFAULT_LENGTH } from '#shared/answers/decide/length.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import type { Arbiter } from '#shared/judging/decide/arbiter.ts';
import type { Scorer } from '#shared/judging/decide/scorer.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { type Asking, askModel, type CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { CandidateResult } from '#shared/runs/schema/run-result.ts';
import type { Brief } from './brief.ts';
import { type InventRunRequest, SCORE_MIN } from './invent-request.ts';
import { INVENT_REQUEST_VERSION, inventRequest } from './prompts/invent-request.v1.ts';

/** Prompt versions for the run's record. */
export const INVENT_PROMPTS: Readonly<Record<string, string>> = {
  invent: INVENT_REQUEST_VERSION,
  answer: IMPROVE_ANSWER_VERSION,
};

export interface InventRowOptions {
  readonly request: Pick<InventRunRequest, 'training_type' | 'dataset_prompt'>;
  readonly rewriteModel: ModelClient;
  readonly answerModel: ModelClient;
  readonly scorer: Pick<Scorer, 'score'>;
  readonly arbiter: Arbiter;
  readonly detectLanguage: LanguageDetector;
}

/** Calls for a candidate: its request, its answer, its score, and additional ones for a pair. */
export function callsPerCandidate(trainingType: InventRunRequest['training_type']): number {
  return trainingType === 'preference_pairs' ? 3 + 2 + 4 : 3;
}

/**
 * Generates a candidate and judges it: a request from its brief, an answer (for a pair the better and the worse one),
 * and the score of the answer. A candidate below the minimum score is rejected; duplicates are found later.
 * @throws {AskFailure} if this candidate fails, {ModelOutage} if every one would
 */
export async function inventRow(
  options: InventRowOptions,
  brief: Brief,
  candidate: number,
  asking: Asking,
  meter: CallMeter,
): Promise<Pick<CandidateResult, 'outcome' | 'reason' | 'cells' | 'score'>> {
  const { request, rewriteModel, answerModel, scorer, arbiter, detectLanguage } = options;
  const description = request.dataset_prompt;
  const prompt = await askModel(
    rewriteModel,
    inventRequest(brief, description, candidate),
    readText,
    asking,
    meter,
  );
  const asked = improveAnswer({
    history: [],
    prompt,
    draft: '',
    context: [],
    length: DEFAULT_LENGTH,
    blueprint: description === null ? null : `The answers belong to this dataset: ${description}`,
  });
  let answer = await askModel(answerModel, asked, readText, asking, meter);
  const form = readForm({ request: prompt, answer: '', profile: NO_PROFILE });
  let pair: PreferencePair | null = null;
  if (request.training_type === 'preference_pairs') {
    pair = await findPair(
      {
        request: prompt,
        own: '',
        improved: answer,
        sample: (variation) => askModel(answerModel, varied(asked, variation), readText, asking, meter),
        faultOf: (rival) => {
          const seen = diagnose({ request: prompt, prompt, answer: rival, form, detectLanguage });
          return seen.defect === null ? null : seen.why;
        },
      },
      { arbiter, detectLanguage },
      asking,
      meter,
    );
    if (pair === null) {
      const message = 'No answer clearly beat another, so there is no pair';
      return { outcome: 'rejected', reason: { code: 'no_clear_winner', message } };
    }
    answer = pair.chosen;
  }
  const broken = formFault(form, answer);
  if (broken !== null) {
    return { outcome: 'rejected', reason: { code: 'form_broken', message: `The answer ${broken}` } };
  }
  const { score } = await scorer.score({ request: prompt, answer }, asking, meter);
  const cells = {
    enhanced_prompt: prompt,
    enhanced_completion: answer,
    ...(pair === null ? {} : { chosen: pair.chosen, rejected: pair.rejected }),
  };
  if (score >= SCORE_MIN) return { outcome: 'made', cells, score };
  const message = `The answer scores ${score.toFixed(1)} of 10, and the minimum is ${SCORE_MIN}`;
  return { outcome: 'rejected', reason: { code: 'below_threshold', message }, score };
}
