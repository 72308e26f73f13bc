import * as z from 'zod';
import { PairKind } from './pair-kind.ts';

/** Input of every task of a run; tasks read the rest from the run's record and its request object. */
export const RunContext = z.object({
  run_id: z.string(),
  dataset_id: z.string(),
  team_id: z.string(),
});
export type RunContext = z.infer<typeof RunContext>;

/**
 * One line of `runs/<run_id>/plan.jsonl`: a batch of a canonical chunk, short enough for one worker. `first_line` is its
 * place in the chunk's object, `first_row` that in the dataset. Where `max_rows` takes a sample, `selected` has the
 * 0-based places within the batch; null selects all of it.
 */
export const BatchPlan = RunContext.extend({
  n: z.int().min(0),
  chunk_key: z.string(),
  first_line: z.int().min(0),
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  selected: z.array(z.int().min(0)).nullable(),
  /** Object that says what becomes of the rows, if it is not the request of the run. */
  request_key: z.string().optional(),
});
export type BatchPlan = z.infer<typeof BatchPlan>;

/** One line of `runs/<run_id>/work.jsonl`: a batch, and further small ones that the same worker works on with it. */
export const BatchWork = BatchPlan.extend({ also: z.array(BatchPlan).optional() });
export type BatchWork = z.infer<typeof BatchWork>;

/** One line of `runs/<run_id>/evaluation/plan.jsonl`: a few sampled rows, kept small so that workers share them. */
export const ScorePlan = RunContext.extend({
  n: z.int().min(0),
  /** Place of its first row in the sample. */
  first_row: z.int().min(0),
  sample_key: z.string(),
  /** Of a pilot: the request of the arm whose answers are compared, and not scored alone. Else that of the run. */
  request_key: z.string().optional(),
});
export type ScorePlan = z.infer<typeof ScorePlan>;

/**
 * One line of `runs/<run_id>/expansion/plan.jsonl`: rows that are to be added in other languages, made of rows of one
 * batch. Numbers go on after those of the run's batches, so that results, checkpoints and progress lie beside theirs.
 */
export const ExpandPlan = RunContext.extend({
  n: z.int().min(0),
  /** Place of its first row among those that are added. */
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  /** Batch whose result holds the rows that these are made of. */
  batch: z.int().min(0),
  /** Object of `ExpansionSelection` lines. */
  selection_key: z.string(),
  /** Object of the labels in the dataset's columns, a JSON string a line; plans of earlier versions have none. */
  labels_key: z.string().optional(),
});
export type ExpandPlan = z.infer<typeof ExpandPlan>;

/** One line of `runs/<run_id>/expansion/work.jsonl`, as that of batches. */
export const ExpandWork = ExpandPlan.extend({ also: z.array(ExpandPlan).optional() });
export type ExpandWork = z.infer<typeof ExpandWork>;

/**
 * One line of the plan of a run that makes a dataset of another: rows that are made of those of one chunk. `n` also names
 * their result, checkpoints and progress.
 */
export const GrowPlan = RunContext.extend({
  n: z.int().min(0),
  /** Place of its first row among those that are made. */
  first_row: z.int().min(0),
  row_count: z.int().min(1),
  chunk_key: z.string(),
  /** Index in the source of the chunk's first row. */
  chunk_first_row: z.int().min(0),
  /** Object of `ExpansionSelection` lines. */
  selection_key: z.string(),
  /** Object of the labels in the dataset's columns, a JSON string a line; plans of earlier versions have none. */
  labels_key: z.string().optional(),
  /** Object that says what is made of them. */
  request_key: z.string(),
});
export type GrowPlan = z.infer<typeof GrowPlan>;

/** One line of the plan of a round of candidates: so many, from `first_row` on. `n` goes on from round to round. */
export const CandidatePlan = RunContext.extend({
  n: z.int().min(0),
  first_row: z.int().min(0),
  row_count: z.int().min(1),
});
export type CandidatePlan = z.infer<typeof CandidatePlan>;

export const WorkerOutcome = z.object({ status: z.enum(['finished', 'unfinished', 'waiting', 'stopped']) });

/** A shard of the curated pool as a search is told of it. */
export const ShardPlace = z.object({ load_id: z.string(), n: z.int().min(0), row_count: z.int().min(1) });
export type ShardPlace = z.infer<typeof ShardPlace>;

/** One line of the plan of a search: a few shards of the curated pool. */
export const SearchPlan = RunContext.extend({
  n: z.int().min(0),
  shards: z.array(ShardPlace).min(1),
  /** Place of its first row among all rows that are searched. */
  first_row: z.int().min(0),
});
export type SearchPlan = z.infer<typeof SearchPlan>;

/** Rows in the style of the source, or on topics of all kinds. */
export const WrittenKind = z.enum(['similar', 'general']);
export type WrittenKind = z.infer<typeof WrittenKind>;

/** One line of the plan of rows that a model is to write for an augmentation. */
export const WritingPlan = RunContext.extend({
  n: z.int().min(0),
  kind: WrittenKind,
  /** Place of its first row among those that are to be written. */
  first_row: z.int().min(0),
  row_count: z.int().min(1),
});
export type WritingPlan = z.infer<typeof WritingPlan>;

/** Rows of a shard whose vectors an earlier index has: `count` from the place `at` on, in its `shard` from `line` on. */
export const KnownVectors = z.object({
  at: z.int().min(0),
  shard: z.int().min(0),
  line: z.int().min(0),
  count: z.int().min(1),
});
export type KnownVectors = z.infer<typeof KnownVectors>;

/** One line of the plan of a search index; `run_id` is the build's id. */
export const IndexPlan = RunContext.extend({
  n: z.int().min(0),
  /** The build that has vectors of these rows; null without one. */
  known: z
    .object({ build_id: z.string(), vectors: z.array(KnownVectors) })
    .nullable()
    .default(null),
});
export type IndexPlan = z.infer<typeof IndexPlan>;

/** An attempt of a trainer at an iteration of a training; `run_id` is the experiment's id. */
export const AttemptContext = RunContext.extend({
  iteration: z.int().min(1),
  attempt: z.int().min(1),
});
export type AttemptContext = z.infer<typeof AttemptContext>;

export const QueueAttemptInput = AttemptContext.extend({ task_token: z.string().min(1) });
export type QueueAttemptInput = z.infer<typeof QueueAttemptInput>;

/** What the answers of a trained model are compared with: those of the base model, or of a comparison's original side. */
export const Against = z.enum(['base', 'original']);
export type Against = z.infer<typeof Against>;

/** One line of the plan of a comparison: answers that a judge compares. */
export const ComparePlan = RunContext.extend({
  n: z.int().min(0),
  iteration: z.int().min(1),
  /** Place of its first row among those that are held out. */
  first_row: z.int().min(0),
  sample_key: z.string(),
  /** Kinds of pairs for which the judge is believed. */
  kinds: z.array(PairKind),
  against: Against.default('base'),
});
export type ComparePlan = z.infer<typeof ComparePlan>;
