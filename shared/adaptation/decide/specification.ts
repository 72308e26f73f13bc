import * as z from 'zod';
import { Length } from '#shared/answers/schema/length.ts';
import { LintRecipe } from '#shared/answers/schema/lint.ts';
import { SafetyCategory } from '#shared/judging/schema/safety.ts';
import { ImageColumnFormat } from '#shared/platform/schema/file-format.ts';
import { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { TrainingType, Verification } from '../schema/adaptation.ts';

/** A request in the pipeline's form, with every default resolved. */
export const AdaptationSpecification = z.object({
  mode: z.enum(['prompt_and_completion', 'prompt_only', 'completion_only', 'chat', 'universal_prompt']),
  mapping: ConfiguredColumnMapping,
  /** The columns of what stands before the prompts, which no role has. */
  before: z.object({ history: z.string().optional(), system: z.string().optional() }).optional(),
  /** Those of the columns of prompts and completions whose cells are conversations; absent if there are none. */
  conversations: z.array(z.string()).optional(),
  /** Columns of an earlier run that the rows came with, and that stay as they are called, in a review of rows that no run has adapted. */
  carried: z.array(z.string()).optional(),
  /** The format of the mapped image column; null if none is mapped. */
  image_format: ImageColumnFormat.nullable(),
  training_type: TrainingType,
  prompt_rephrase: z.boolean(),
  deduplication: z.boolean(),
  reasoning_traces: z.boolean(),
  prompt_metadata_injection: z.boolean(),
  length: Length.nullable(),
  blueprint: z.string().nullable(),
  /** Null if no category is requested. `/run` blanks completions that violate one of `categories`. */
  safety: z.object({ categories: z.array(SafetyCategory), blanks_violations: z.boolean() }).nullable(),
  /** Whether answers use web search results (`hallucination_mitigation`). */
  grounding: z.boolean(),
  max_rows: z.int().nullable(),
  /** Absent: rows are looked at by the witnesses that ask no model, and by no other. */
  verification: Verification.optional(),
  /** The most rows that a model is asked about; absent: all of them. */
  verification_rows: z.int().min(1).optional(),
  /** Rows that fail these checks are dropped before any model call. */
  lint: LintRecipe.nullable().default(null),
  /** Rows that the run adds in other languages. */
  expansion: ResolvedExpansion.nullable().default(null),
});
export type AdaptationSpecification = z.infer<typeof AdaptationSpecification>;

type Verifying = Pick<AdaptationSpecification, 'verification'>;
type Moded = Pick<AdaptationSpecification, 'mode'>;

/** Whether the request wants a model to be asked. */
export const wantsModel = ({ verification }: Verifying): boolean =>
  verification === 'flag' || verification === 'correct' || verification === 'drop';

/** Whether the rows have what a model can be asked about: answers, and the prompts that they answer. */
const hasAnswers = ({ mode }: Moded): boolean => mode !== 'prompt_only' && mode !== 'completion_only';

/** Whether a model is asked whether answers are true. */
export const asksModel = (specification: Verifying & Moded): boolean =>
  wantsModel(specification) && hasAnswers(specification);

/** Whether a model should be asked, and the rows have nothing that it can be asked about. */
export const asksInVain = (specification: Verifying & Moded): boolean =>
  wantsModel(specification) && !hasAnswers(specification);

/** Whether the witnesses that ask no model look at the rows. Without completions there is nothing to doubt. */
export const findsDoubts = ({ verification, mode }: Verifying & Moded): boolean =>
  verification !== 'off' && mode !== 'prompt_only';
