import type { Defect } from '#shared/answers/decide/diagnose.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile, materialReader } from '#shared/answers/decide/row-material.ts';
import { standAnswer } from '#shared/answers/decide/standing-answer.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { AskFailure, type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { createRowProgram } from './adapt-rows.ts';
import type { AdaptationSpecification } from './specification.ts';

/** What a check finds in a row. */
interface Finding {
  readonly defect: Defect;
  readonly why: string;
  /** The kind of answer that the row was held against. */
  readonly form: string;
}

/** What adapting does to a row before it asks a model. */
export type DryRunResult =
  /** The row has nothing to improve. */
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'kept' }
  /** A model is asked; if it answers nothing, the row gets `fallback`, or keeps its completion where that is null. */
  | ({ readonly outcome: 'doubted'; readonly fallback: string | null } & Finding)
  /** The completion changes without a model. */
  | ({ readonly outcome: 'changed'; readonly completion: string } & Finding);

const frozen: Clock = { now: () => 0, sleep: async () => undefined };

/**
 * Runs rows of a dataset one after the other through the service's own program with a model that answers nothing. Prompts stay: only
 * completions are looked at.
 * @param lines the canonical rows of the dataset, from which the common form of its completions is learned
 */
export function createDryRun(
  lines: readonly string[],
  specification: AdaptationSpecification,
  detectLanguage: LanguageDetector,
): (line: string) => Promise<DryRunResult> {
  const profile = learnProfile(lines, specification, detectLanguage);
  const reader = materialReader(specification);
  let isAsked = false;
  /** A model that answers nothing. */
  const silent: ModelClient = {
    modelId: 'none',
    async generate() {
      isAsked = true;
      throw new ModelError('rejected', 'A dry run asks no model');
    },
  };
  const program = createRowProgram({
    specification: { ...specification, prompt_rephrase: false },
    rewriteModel: silent,
    answerModel: silent,
    arbiter: createArbiter({ judge: null, calibration: null, detectLanguage }),
    detectLanguage,
    profile,
    contextTokensMax: Number.POSITIVE_INFINITY,
    readImageFile: async () => null,
    fetchImage: async () => null,
    searcher: null,
  });
  const asking: Asking = {
    limit: createAdaptiveLimit({ concurrencyMax: 1, clock: frozen, random: () => 0 }),
    clock: frozen,
    random: () => 0,
    attemptsMax: 1,
    serverErrorsMax: 1,
    outageSecondsMax: 1,
  };
  return async (line) => {
    const cells = readCells(line, reader.columns);
    const material = reader.read(cells);
    if ('skip' in material) return { outcome: 'skipped' };
    const { diagnosis, form } = standAnswer(material, material.prompt, { profile, detectLanguage });
    if (diagnosis.defect === null) return { outcome: 'kept' };
    const seen = { defect: diagnosis.defect, why: diagnosis.why, form: form.kind };
    isAsked = false;
    const processed = await program.run(cells, asking, newCallMeter()).catch((error: unknown) => {
      if (error instanceof AskFailure) return null;
      throw error;
    });
    const delivered = processed?.outcome === 'changed' ? (processed.cells.enhanced_completion ?? null) : null;
    const completion = delivered === material.completion ? null : delivered;
    return completion === null || isAsked
      ? { outcome: 'doubted', ...seen, fallback: completion }
      : { outcome: 'changed', ...seen, completion };
  };
}
