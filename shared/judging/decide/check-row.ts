import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { splitCompletion } from '#shared/answers/decide/row-material.ts';
import type { StandingAnswer } from '#shared/answers/decide/standing-answer.ts';
import type { RowChecks } from '#shared/runs/schema/row-score.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';

export interface DeliveredRow {
  /** The row's original answer; empty if there was none. */
  readonly standing: StandingAnswer;
  /** Whether the run has original answers. */
  readonly hasOriginal: boolean;
  readonly after: string;
  readonly result: Pick<RunResult, 'edit' | 'sources'>;
}

/** Runs the checks on a row before and after, both against the form of the original request. */
export function checkRow({ standing, hasOriginal, after, result }: DeliveredRow): RowChecks {
  const { original, diagnosis, request, prompt, form, detectLanguage } = standing;
  // The reasoning before an answer is not compared.
  const text = splitCompletion(after).answer.trim();
  const changed = text !== original.trim();
  const before_defect = hasOriginal ? diagnosis.defect : null;
  const after_defect = changed
    ? diagnose({ request, prompt, answer: text, form, detectLanguage }).defect
    : diagnosis.defect;
  const wasSound = hasOriginal && before_defect === null;
  return {
    changed,
    has_original: hasOriginal,
    before_defect,
    after_defect,
    harm: changed && wasSound ? faultOf(standing, text, { keepsFacts: mustKeepFacts(result) }) : null,
    ...(result.edit === undefined ? {} : { edit: result.edit }),
  };
}

/** Search results may contradict the original. */
const mustKeepFacts = ({ sources }: DeliveredRow['result']): boolean => (sources ?? []).length === 0;
