import * as z from 'zod';
import { TrainingType } from '../../schema/adaptation.ts';
import { ConfiguredColumnMapping } from '../../schema/column-mapping.ts';
import { RunBudget } from '../runs/run-request.ts';

/** The object that says what a run adds to the rows of another dataset, in a dataset of its own. */
export const AugmentRunRequest = z.object({
  source: z.object({ dataset_id: z.string(), run_id: z.string().nullable() }),
  /** Of the dataset that is made. */
  mapping: ConfiguredColumnMapping,
  /** Columns by which a row is told to repeat another. */
  asks: z.array(z.string()).min(1),
  training_type: TrainingType,
  domain_rows: z.int().min(0),
  general_rows: z.int().min(0),
  similar_rows: z.int().min(0),
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
  pool_rows: z.int().min(0),
  /** Rows that are drawn, by `seed`, for general rows. */
  drawn: z.int().min(0),
  seed: z.string(),
});
export type PoolSearch = z.infer<typeof PoolSearch>;

/** A row of the source that one in its style is to be like. */
export const ExampleRow = z.object({ prompt: z.string(), completion: z.string() });
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
