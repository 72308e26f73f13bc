import * as z from 'zod';
import { perHundred } from '#shared/platform/schema/row-prices.ts';

const Column = z.string().min(1);

/** Maximum of an instruction for all rows, in characters; a blueprint may have as many. */
const UNIVERSAL_PROMPT_CHARACTERS_MAX = 20_000;
/**
 * Maximum of a mapping, in bytes of its JSON. A dataset has up to three copies of it, which with the names of its columns have to fit
 * into one item of the table (400 KB).
 */
export const MAPPING_BYTES_MAX = 25_000;

/** Whether a mapping has room beside its copies and its dataset's columns. */
export const isShort = (mapping: object): boolean =>
  Buffer.byteLength(JSON.stringify(mapping)) <= MAPPING_BYTES_MAX;
const TOO_LONG = {
  message: `takes more than ${MAPPING_BYTES_MAX} bytes as JSON. Shorten its instruction, map fewer context columns, or give them shorter names`,
};
const PromptColumn = Column.meta({ example: 'question' });
const CompletionColumn = Column.meta({ example: 'answer' });

const ContextColumns = z
  .array(Column)
  .optional()
  .describe(
    'Columns that the model sees beside the prompt, as it does in a training. They stay columns of the dataset.',
  );

/** The mapping of `/adapt` (spec §4.8). Which fields go together is decided in the domain, which names the mode. */
export const ColumnMapping = z
  .strictObject({
    prompt: PromptColumn.optional().describe(
      'Column with the prompt of each row. Not allowed together with `chat` or `universal_prompt`.',
    ),
    completion: CompletionColumn.optional().describe(
      'Column with the completion (answer) of each row. If omitted, completions are generated.',
    ),
    chat: Column.optional().describe(
      'Column with a conversation per row: a list of `{role, content}`, nested or as JSON text. Excludes `prompt`, `completion`, `context` and `universal_prompt`.',
    ),
    context: ContextColumns,
    universal_prompt: z
      .string()
      .min(1)
      .max(UNIVERSAL_PROMPT_CHARACTERS_MAX)
      .optional()
      .describe(
        'One instruction for all rows (text, not a column name). Needs at least one `context` column or an `image` column.',
      ),
    image: Column.optional().describe(
      `Column with one image per row: URL, path or encoded bytes. It becomes a context column, which costs ${perHundred('image_context')} and excludes the dataset from training.`,
    ),
  })
  .refine(isShort, TOO_LONG)
  .meta({ id: 'ColumnMapping' });
export type ColumnMapping = z.infer<typeof ColumnMapping>;

/** The mapping of the deprecated `/run` (spec §4.7), where `prompt` is required. */
export const RunColumnMapping = z
  .strictObject({
    prompt: PromptColumn.describe('Column with the prompt of each row.'),
    completion: CompletionColumn.optional().describe(
      'Column with the completion (answer) of each row. If omitted, completions are generated.',
    ),
    chat: Column.optional().describe(
      'Column with a conversation per row: a list of `{role, content}`. If given, conversations are what is read, and the other columns stay as they are.',
    ),
    context: ContextColumns,
  })
  .refine(isShort, TOO_LONG);

/** The mapping of a raw ingest (spec §4.1). */
export const RawColumnMapping = z
  .strictObject({
    prompt: Column.optional().describe(
      'Column with the prompt of each row. Required unless `chat` is given.',
    ),
    completion: Column.optional().describe(
      'Column with the completion of each row. Required unless `chat`, or `chosen` and `rejected` are given.',
    ),
    chat: Column.optional().describe(
      'Column with a conversation per row, whose last reply is the completion. Excludes `prompt`, `completion`, `chosen` and `rejected`.',
    ),
    chosen: Column.optional().describe(
      'Column with the preferred answer. With `rejected` it makes a preference dataset.',
    ),
    rejected: Column.optional().describe('Column with the dispreferred answer. Required with `chosen`.'),
    context: z
      .array(Column)
      .optional()
      .describe(
        'Columns with context: a training folds them into the prompt, and they stay columns of the dataset. An unknown name fails the request.',
      ),
  })
  .refine(isShort, TOO_LONG)
  .refine((mapping) => (mapping.chosen === undefined) === (mapping.rejected === undefined), {
    message: 'chosen and rejected go together',
    path: ['chosen'],
  })
  .refine(({ chat, prompt }) => chat !== undefined || prompt !== undefined, {
    message: 'is required unless chat is given',
    path: ['prompt'],
  })
  .refine(
    ({ chat, prompt, completion, chosen }) =>
      chat !== undefined || prompt === undefined || completion !== undefined || chosen !== undefined,
    { message: 'is required unless both chosen and rejected are given', path: ['completion'] },
  )
  .refine(
    ({ chat, prompt, completion, chosen, rejected }) =>
      chat === undefined || [prompt, completion, chosen, rejected].every((column) => column === undefined),
    { message: 'holds prompts and completions already: omit it, or the columns of these', path: ['chat'] },
  )
  .meta({ id: 'RawColumnMapping' });
export type RawColumnMapping = z.infer<typeof RawColumnMapping>;

/** What GET /datasets/{id} shows (spec §2.1); the public client requires `context`. */
export const ConfiguredColumnMapping = z
  .object({
    prompt: z
      .string()
      .optional()
      .meta({ example: 'question' })
      .describe('Column with the prompts; absent when none is mapped.'),
    completion: z
      .string()
      .optional()
      .meta({ example: 'answer' })
      .describe('Column with the completions; absent when none is mapped.'),
    chat: z.string().optional().describe('Column with the conversations; absent when none is mapped.'),
    context: z
      .array(z.string())
      .meta({ example: [] })
      .describe('Columns with context; empty when none is mapped.'),
    image: z.string().optional().describe('Column with the images; absent when none is mapped.'),
    universal_prompt: z.string().optional().describe('Instruction for all rows; absent when there is none.'),
    chosen: z.string().optional().describe('Column with the preferred answers; absent when none is mapped.'),
    rejected: z
      .string()
      .optional()
      .describe('Column with the dispreferred answers; absent when none is mapped.'),
    beside: z
      .object({
        history: z.string().optional().describe('Column with the turns before the prompts.'),
        system: z.string().optional().describe('Column with the system prompts.'),
        tools: z.string().optional().describe('Column with the tools.'),
      })
      .meta({ example: { history: 'history' } })
      .optional()
      .describe(
        'Of a dataset that was made of others and has columns `history`, `system`, `tools` or `functions`: those that are read beside its prompts, as those of its sources are. Absent of uploads, of which the columns say it.',
      ),
  })
  .meta({ id: 'ConfiguredColumnMapping' });
export type ConfiguredColumnMapping = z.infer<typeof ConfiguredColumnMapping>;
