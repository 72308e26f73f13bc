import * as z from 'zod';
import { ConfiguredColumnMapping } from '../../schema/column-mapping.ts';
import { ResolvedExpansion } from '../../schema/expansion.ts';
import { RunBudget } from '../runs/run-request.ts';

/** Where a conversation stands in a row: one column of turns, or what came before the last reply and that reply. */
export const Conversation = z.union([
  z.object({ chat: z.string() }),
  z.object({ prompt: z.string(), completion: z.string() }),
]);
export type Conversation = z.infer<typeof Conversation>;

const common = {
  source: z.object({ dataset_id: z.string(), run_id: z.string().nullable() }),
  /** Of the dataset that is made. */
  mapping: ConfiguredColumnMapping,
  budget: RunBudget,
};

/** The stored request of a run that makes a new dataset from another one. */
export const ExpandRunRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('languages'),
    ...common,
    expansion: ResolvedExpansion,
    /** Rows that are added, for all targets together. */
    rows: z.int().min(1),
    /** Columns whose texts are put into another language. */
    texts: z.array(z.string()).min(1),
  }),
  z.object({
    kind: z.literal('conversations'),
    ...common,
    conversation: Conversation,
    /** Rows that are taken of the source. */
    rows: z.int().min(1),
  }),
]);
export type ExpandRunRequest = z.infer<typeof ExpandRunRequest>;

/** The columns that say of an added row what it was made of; null in the others. */
export const ORIGIN_COLUMNS = [
  { name: 'expansion_language', type: 'VARCHAR' },
  { name: 'expansion_country', type: 'VARCHAR' },
  { name: 'expansion_source_row', type: 'BIGINT' },
] as const;

/** The column in which a conversation goes on. */
export const EXTENDED_PROMPT = { name: 'extended_prompt', type: 'VARCHAR' } as const;
