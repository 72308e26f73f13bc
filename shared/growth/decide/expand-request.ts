import * as z from 'zod';
import { RunBudget } from '#shared/runs/decide/budget.ts';
import { type ExpansionTarget, ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { SourceRun } from './source-run.ts';

/** The columns of what stands before a conversation; absent without any, and in requests that were stored before this field. */
const before = z.object({ history: z.string().optional(), system: z.string().optional() }).optional();

/** The columns of a conversation: one column of turns, or the turns before the last reply and that reply. */
export const Conversation = z.union([
  z.object({ chat: z.string(), before }),
  z.object({
    before,
    prompt: z.string(),
    completion: z.string(),
    /**
     * Those of the two whose cells are conversations. Absent in requests that were stored before this field: their prompts are
     * conversations where they can be read as such.
     */
    conversations: z.array(z.string()).optional(),
  }),
]);
export type Conversation = z.infer<typeof Conversation>;

const common = {
  source: SourceRun,
  /** The mapping of the new dataset. */
  mapping: ConfiguredColumnMapping,
  budget: RunBudget,
};

/** The stored request of a run that makes a new dataset from another one. */
export const ExpandRunRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('languages'),
    ...common,
    expansion: ResolvedExpansion,
    /** Rows to add, for all targets together. */
    rows: z.int().min(1),
    /** Columns to translate. */
    texts: z.array(z.string()).min(1),
    /** That of them with the turns before the prompts; cells in which no turns can be read stay. */
    history: z.string().optional(),
  }),
  z.object({
    kind: z.literal('conversations'),
    ...common,
    conversation: Conversation,
    /** Rows to copy from the source. */
    rows: z.int().min(1),
  }),
]);
export type ExpandRunRequest = z.infer<typeof ExpandRunRequest>;

/** The targets of a run; none of one that goes on with conversations. */
export const targetsOf = (request: ExpandRunRequest): readonly ExpansionTarget[] =>
  request.kind === 'languages' ? request.expansion.targets : [];

/**
 * Rows in other languages that a new dataset gets: rounded for all targets together, so that `expand` of the public client, which
 * converts a number of rows to a share, gets exactly that number.
 */
export const rowsInLanguages = (rows: number, expansion: ResolvedExpansion | null): number =>
  expansion === null ? 0 : Math.round(rows * expansion.sample_rate * expansion.targets.length);

/** The columns with the origin of an added row; null in the source's rows. */
export const ORIGIN_COLUMNS = [
  { name: 'expansion_language', type: 'VARCHAR' },
  { name: 'expansion_country', type: 'VARCHAR' },
  { name: 'expansion_source_row', type: 'BIGINT' },
] as const;

/** The column with the continued conversation. */
export const EXTENDED_PROMPT = { name: 'extended_prompt', type: 'VARCHAR' } as const;
