import type { AnswerProfile } from '#shared/answers/decide/answer-profile.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { RowMapping } from '#shared/answers/decide/row-mapping.ts';
import { learnProfile, type MaterialReader, materialReader } from '#shared/answers/decide/row-material.ts';
import { standAnswer } from '#shared/answers/decide/standing-answer.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { SampledRow } from '#shared/runs/schema/row-score.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { checkRow } from './check-row.ts';

export interface DrawnRow {
  /** The dataset's row. */
  readonly line: string;
  readonly result: RunResult;
}

export interface SampleReading {
  readonly specification: RowMapping;
  readonly reader: MaterialReader;
  /** The common form of the sample's original answers. */
  readonly profile: AnswerProfile;
  readonly detectLanguage: LanguageDetector;
}

/** A row with its text before and after, and the check results of both; null if there is nothing to score. */
export function describeRow({ line, result }: DrawnRow, reading: SampleReading): SampledRow | null {
  const { specification, reader } = reading;
  const material = reader.read(readCells(line, reader.columns));
  if ('skip' in material) return null;
  const { enhanced_prompt: prompt, enhanced_completion: after } = result.cells ?? {};
  // A completion that was blanked by the safety filter is not graded.
  if (after === undefined || after === null) return null;
  const standing = standAnswer(
    material,
    // Both answers are compared with the inferred prompt.
    specification.mode === 'completion_only' ? (prompt ?? '') : material.prompt,
    reading,
  );
  return {
    dataset_row: result.row,
    request: standing.request,
    before: material.completion.trim() === '' ? null : material.completion,
    after,
    checks: checkRow({
      standing,
      hasOriginal: specification.mode === 'chat' || specification.mapping.completion !== undefined,
      after,
      result,
    }),
  };
}

/** How sampled rows are read: `lines` are those of the sample. */
export function readingOf(
  lines: readonly string[],
  specification: RowMapping,
  detectLanguage: LanguageDetector,
): SampleReading {
  return {
    specification,
    reader: materialReader(specification),
    profile: learnProfile(lines, specification, detectLanguage),
    detectLanguage,
  };
}
