import * as z from 'zod';
import { TrainingType } from '#shared/adaptation/schema/adaptation.ts';
import { RunBudget } from '#shared/runs/decide/budget.ts';
import type { WrittenKind } from '#shared/runs/schema/run-context.ts';
import { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { SourceRun } from '../source-run.ts';

/** The object that says what a run adds to the rows of another dataset, in a dataset of its own. */
export const AugmentRunRequest = z.object({
  source: SourceRun,
  /** Of the dataset that is made. */
  mapping: ConfiguredColumnMapping,
  /** Columns by which a row is told to repeat another. */
  asks: z.array(z.string()).min(1),
  /** Columns of the source whose cells are conversations, or the turns before an answer. */
  conversations: z.array(z.string()).default([]),
  /** Columns of the source that its prompts are about. */
  context: z.array(z.string()).default([]),
  /** The column of the source with the turns before its prompts. */
  history: z.string().optional(),
  /** The column of the source with the system messages of rows whose conversations have none. */
  system: z.string().optional(),
  training_type: TrainingType,
  /** Of the pool, on the topics of the source. */
  domain_rows: z.int().min(0),
  /** Of the pool, on other topics. */
  general_rows: z.int().min(0),
  /** That a model writes in the style of the source. */
  similar_rows: z.int().min(0),
  /** That a model writes on topics of all kinds. */
  written_general_rows: z.int().min(0),
  budget: RunBudget,
});
export type AugmentRunRequest = z.infer<typeof AugmentRunRequest>;

/** What is looked for in the pool: the same for all its shards. */
export const PoolSearch = z.object({
  /** The model of the vectors. */
  model: z.string(),
  topics: z.array(
    z.object({
      centre: z.array(z.number()),
      /** Rows that are to be added of it. */
      rows: z.int().min(0),
      /** Rows that are to be found: some are dropped for what the dataset has already. */
      candidates: z.int().min(0),
    }),
  ),
  /** The similarity to its nearest topic that a row on the topics has at least. */
  nearness: z.number().default(-1),
  pool_rows: z.int().min(0),
  /** Rows that are drawn, by `seed`, for general rows. */
  drawn: z.int().min(0),
  seed: z.string(),
});
export type PoolSearch = z.infer<typeof PoolSearch>;

/** A message of the user and the reply to it, in front of a prompt. */
export const Exchange = z.object({ user: z.string(), assistant: z.string() });
export type Exchange = z.infer<typeof Exchange>;

/** A row of the source that one in its style is to be like. */
export const ExampleRow = z.object({
  /** The system message; empty without one. */
  system: z.string().default(''),
  /** The turns before the prompt. */
  earlier: z.array(Exchange).default([]),
  prompt: z.string(),
  /** What the prompt is about, as it stands behind it in training; empty where that is all in the prompt. */
  context: z.string().default(''),
  completion: z.string(),
  /** Whether the cell of the answer has the turns before it. */
  holds_request: z.boolean().default(false),
});
export type ExampleRow = z.infer<typeof ExampleRow>;

/** A row that a search found, for a topic or, where that is null, because it was drawn. */
export const Candidate = z.object({
  /** Place among all rows that are searched. */
  row: z.int().min(0),
  topic: z.int().min(0).nullable(),
  /** Inner product with the topic; of a drawn row that with the topic that it is nearest to. */
  score: z.number(),
});
export type Candidate = z.infer<typeof Candidate>;

/** The columns that say of an added row how it came there; null in the others. */
export const AUGMENTATION_COLUMNS = [
  { name: 'augmentation_kind', type: 'VARCHAR' },
  { name: 'augmentation_source', type: 'VARCHAR' },
] as const;
export type AugmentationKind = 'domain' | 'general' | 'similar';

/** Rows that a model writes for a run, by kind. */
export const writtenRows = ({
  similar_rows,
  written_general_rows,
}: AugmentRunRequest): Readonly<Record<WrittenKind, number>> => ({
  similar: similar_rows,
  general: written_general_rows,
});

/** All rows that a run is to add, by kind: those of the pool and those that a model writes. */
export function wantedRows(request: AugmentRunRequest): Readonly<Record<AugmentationKind, number>> {
  const written = writtenRows(request);
  return {
    domain: request.domain_rows,
    general: request.general_rows + written.general,
    similar: written.similar,
  };
}

/** Whether the cells of a column are conversations, or the turns before an answer. */
export const isTurns = (
  { mapping, conversations }: Pick<AugmentRunRequest, 'mapping' | 'conversations'>,
  name: string,
): boolean => name === mapping.chat || conversations.includes(name);

/** The column with the turns before prompts; none where these are conversations, of which trainings read no others. */
export const historyColumn = (
  request: Pick<AugmentRunRequest, 'asks' | 'mapping' | 'conversations' | 'history'>,
): string | undefined => (isTurns(request, request.asks[0] ?? '') ? undefined : request.history);

/** Prompts of a row that `readRow` gives at most: a request with turns before it is known by the first of them, too. */
function promptsOfRow(request: AugmentRunRequest): number {
  const { mapping, asks } = request;
  const history = historyColumn(request);
  const answer = mapping.completion ?? mapping.chosen;
  const hasTurns = (name: string, n: number): boolean =>
    history !== undefined ||
    isTurns(request, name) ||
    (n === 0 && answer !== undefined && isTurns(request, answer));
  return asks.reduce((sum, name, n) => sum + (hasTurns(name, n) ? 2 : 1), 0);
}

/** Prompts that a run compares at most: those of the rows of its source, and of the rows that it is to add. */
export const promptsOf = (request: AugmentRunRequest, sourceRows: number): number =>
  sourceRows * promptsOfRow(request) + countRows(wantedRows(request));

export const countRows = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);

/** The columns that have the texts of an added row, and which of them each has. The source may lack some. */
export function textColumns(
  request: AugmentRunRequest,
): (readonly [name: string, text: 'system' | 'earlier' | 'prompt' | 'completion' | 'rejected'])[] {
  const { mapping, system, training_type: type } = request;
  const history = historyColumn(request);
  const { prompt, completion, rejected } = mapping;
  const isPair = type === 'preference_pairs';
  const chosen = isPair
    ? (mapping.chosen ?? 'chosen')
    : completion === undefined
      ? mapping.chosen
      : undefined;
  return [
    ...(system === undefined ? [] : [[system, 'system'] as const]),
    ...(history === undefined ? [] : [[history, 'earlier'] as const]),
    ...(prompt === undefined ? [] : [[prompt, 'prompt'] as const]),
    ...(completion === undefined ? [] : [[completion, 'completion'] as const]),
    ...(chosen === undefined ? [] : [[chosen, 'completion'] as const]),
    ...(isPair ? [[rejected ?? 'rejected', 'rejected'] as const] : []),
  ];
}
