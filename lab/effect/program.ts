import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { RowProgram } from '#shared/adaptation/decide/row-program.ts';
import type { AnswerVerifier } from '#shared/adaptation/decide/verify-answer.ts';
import { readCells, type SourceCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile, materialReader } from '#shared/answers/decide/row-material.ts';
import { standAnswer } from '#shared/answers/decide/standing-answer.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import type { JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { checkRow } from '#shared/judging/decide/check-row.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { EmbeddingClient, ModelClient } from '#shared/models/decide/port.ts';
import type { LabResult } from './result.ts';
import type { LabRow } from './row.ts';

/** The models of an installation. */
export interface LabModels {
  readonly rewrite: ModelClient;
  readonly answer: ModelClient;
  readonly judge: ModelClient | null;
  /** The judge's calibration; null if there is none. */
  readonly calibration: JudgeCalibration | null;
  readonly embedder: EmbeddingClient | null;
  readonly contextTokensMax: number;
  /** Who says whether answers are true, where a specification verifies them; absent if nobody does. */
  readonly verifier?: AnswerVerifier;
}

/** The reader of a dataset's rows, and the common form of their completions; without a model. */
export type DatasetReading = Awaited<ReturnType<typeof readDataset>>;

export async function readDataset(rows: readonly LabRow[]) {
  const specification = specificationOf(
    { recipe_specification: { recipes: { prompt_rephrase: false } } },
    mappingOf(rows),
    { columns: null, image_column_formats: null, language_expansion: null },
    'adapt',
  );
  const detectLanguage = await loadLanguageDetector();
  return {
    specification,
    reader: materialReader(specification),
    profile: learnProfile(rows.map(lineOf), specification, detectLanguage),
    detectLanguage,
  };
}

/** The service's own program for a dataset, configured as in a chunk worker: no recipes, no controls. */
export function programOf(
  {
    specification,
    profile,
    detectLanguage,
  }: Pick<DatasetReading, 'specification' | 'profile' | 'detectLanguage'>,
  models: LabModels,
): RowProgram {
  const { rewrite, answer, judge, calibration, contextTokensMax, verifier } = models;
  return createRowProgram({
    specification,
    rewriteModel: rewrite,
    answerModel: answer,
    arbiter: createArbiter({ judge, calibration, detectLanguage }),
    detectLanguage,
    profile,
    contextTokensMax,
    readImageFile: async () => null,
    fetchImage: async () => null,
    searcher: null,
    ...(verifier === undefined ? {} : { verifier }),
  });
}

function mappingOf(rows: readonly LabRow[]) {
  if (rows.some(({ kind }) => kind === 'dialogue')) return { chat: 'chat' };
  const hasContext = rows.some(({ context }) => context !== undefined);
  return { prompt: 'prompt', completion: 'completion', ...(hasContext ? { context: ['context'] } : {}) };
}

/** The row as a canonical line of a dataset. */
function lineOf({ kind, prompt, completion, context, history = [] }: LabRow): string {
  if (kind !== 'dialogue') return JSON.stringify({ prompt, completion, context: context ?? null });
  const reply = completion.trim() === '' ? [] : [{ role: 'assistant', content: completion }];
  return JSON.stringify({ chat: [...history, { role: 'user', content: prompt }, ...reply] });
}

/** The cells of a row that a program reads. */
export function cellsOf(row: LabRow, program: RowProgram): SourceCells {
  return readCells(lineOf(row), program.columns);
}

/** Runs the checks of an evaluation on a row; a failed row is not evaluated. */
export function seeRow(
  row: LabRow,
  { outcome, adapted, edit }: Pick<LabResult, 'outcome' | 'adapted' | 'edit'>,
  { reader, profile, detectLanguage }: DatasetReading,
): Required<Pick<LabResult, 'defect' | 'checks'>> {
  const material = reader.read(readCells(lineOf(row), reader.columns));
  if ('skip' in material) return { defect: null, checks: null };
  const standing = standAnswer(material, material.prompt, { profile, detectLanguage });
  const checks = checkRow({
    standing,
    hasOriginal: true,
    // If the last turn of a conversation has no answer, the program reads an earlier reply.
    after: adapted === row.completion ? material.completion : adapted,
    result: edit ? { edit } : {},
  });
  return { defect: standing.diagnosis.defect, checks: outcome === 'failed' ? null : checks };
}
