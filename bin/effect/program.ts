import { adaptRows } from '#shared/domain/adaptation/adapt-rows.ts';
import { createArbiter } from '#shared/domain/adaptation/arbiter.ts';
import { learnProfile } from '#shared/domain/adaptation/row-material.ts';
import { type RowProgram, readCells, type SourceCells } from '#shared/domain/adaptation/row-program.ts';
import { specificationOf } from '#shared/domain/adaptation/specification.ts';
import type { JudgeCalibration } from '#shared/domain/evaluation/calibration.ts';
import { loadLanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import type { Asking, CallMeter } from '#shared/domain/model/ask-model.ts';
import type { EmbeddingClient, ModelClient } from '#shared/domain/model/port.ts';
import type { LabRow } from './row.ts';

/** What an installation would have. */
export interface LabModels {
  readonly rewrite: ModelClient;
  readonly answer: ModelClient;
  readonly judge: ModelClient | null;
  /** Of the judge; null where it was not measured. */
  readonly calibration: JudgeCalibration | null;
  readonly embedder: EmbeddingClient | null;
  readonly contextTokensMax: number;
}

/** How a dataset is asked about before its first row; what that costs is the dataset's. */
export interface DatasetWork {
  readonly asking: Asking;
  readonly meter: CallMeter;
}

/** The service's own program for a dataset, wired as a chunk worker wires it: no recipes, no controls. */
export async function programOf(
  rows: readonly LabRow[],
  models: LabModels,
  _work: DatasetWork,
): Promise<RowProgram> {
  const detectLanguage = await loadLanguageDetector();
  const { rewrite, answer, judge, calibration, contextTokensMax } = models;
  const specification = specificationOf(
    { recipe_specification: { recipes: { prompt_rephrase: false } } },
    mappingOf(rows),
    { image_column_formats: null, language_expansion: null },
    'adapt',
  );
  return adaptRows({
    specification,
    rewriteModel: rewrite,
    answerModel: answer,
    arbiter: createArbiter({ judge, calibration, detectLanguage }),
    detectLanguage,
    profile: learnProfile(rows.map(lineOf), specification, detectLanguage),
    contextTokensMax,
    readImageFile: async () => null,
    searcher: null,
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
