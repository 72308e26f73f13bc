import * as z from 'zod';

/** The kinds of rows of the effect suite, each a separate dataset. */
export const KINDS = [
  'open_careless',
  'open_good',
  'choice',
  'label',
  'yes_no',
  'number',
  'extraction',
  'exact_string',
  'code',
  'sql',
  'json',
  'table',
  'arithmetic',
  'translation',
  'voice',
  'refusal',
  'dialogue',
  'long_context',
  'wrong_fact',
  'damaged',
] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds whose answers must match exactly: no harm at all is allowed. */
export const EXACT_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'choice',
  'label',
  'yes_no',
  'number',
  'extraction',
  'exact_string',
  'code',
  'sql',
  'json',
  'table',
  'arithmetic',
]);

/**
 * State of the original completion: `good` satisfies its checker, all others do not. `careless`: right, but thin,
 * misspelt, unpunctuated or in the wrong form. `wrong`: well written and false.
 */
export const Quality = z.enum(['good', 'careless', 'wrong', 'empty', 'cut_off', 'wrong_language']);
export type Quality = z.infer<typeof Quality>;

const Pattern = z.string().min(1);

/** A predicate over one answer. All checks trim the answer first. */
export type Check =
  /** The whole answer is exactly one of these strings. */
  | { readonly type: 'exact'; readonly answers: readonly string[] }
  /** The whole answer is a number within `tolerance`, followed by one of `units` (none: a bare number). */
  | {
      readonly type: 'number';
      readonly value: number;
      readonly tolerance: number;
      readonly units?: readonly string[] | undefined;
    }
  /** The text states this number (thousands separators allowed) as its result: the last number of the text. */
  | { readonly type: 'result'; readonly value: number; readonly tolerance: number }
  /** The answer matches this regular expression (flags `isu` unless given). */
  | { readonly type: 'pattern'; readonly pattern: string; readonly flags?: string | undefined }
  /** The whole answer (a code fence around it allowed) is JSON that equals `value`; the order of keys does not matter. */
  | { readonly type: 'json'; readonly value: unknown }
  /** The whole answer is a Markdown or CSV table whose cells, trimmed, are these; the first row is the header. */
  | {
      readonly type: 'table';
      readonly format: 'markdown' | 'csv';
      readonly rows: readonly (readonly string[])[];
    }
  /** The answer contains code (a fence, or all of it) that defines `entry` and passes every test. */
  | {
      readonly type: 'code';
      readonly language: 'python' | 'javascript';
      readonly entry: string;
      readonly tests: readonly { readonly args: readonly unknown[]; readonly result: unknown }[];
    }
  /** The answer is one SQL query that returns these rows on DuckDB after `setup`; `ordered` compares their order too. */
  | {
      readonly type: 'sql';
      readonly setup: readonly string[];
      readonly rows: readonly (readonly unknown[])[];
      readonly ordered: boolean;
    }
  /** Properties of prose; all given fields must hold. */
  | {
      readonly type: 'text';
      /** Regular expressions (flags `isu`) that must all match. */
      readonly includes?: readonly string[] | undefined;
      /** Regular expressions (flags `isu`) that must not match. */
      readonly excludes?: readonly string[] | undefined;
      readonly person?: 'first' | 'second' | 'third' | undefined;
      /** ISO 639-1. */
      readonly language?: string | undefined;
      readonly words_min?: number | undefined;
      readonly words_max?: number | undefined;
      readonly sentences?: number | undefined;
      /** Non-empty lines. */
      readonly lines?: number | undefined;
      /**
       * Begins with a capital letter (or digit, quote, list marker) and ends with punctuation; contains no chat word or
       * misspelling from the list in `check-answer.ts`.
       */
      readonly written?: boolean | undefined;
    }
  | { readonly type: 'all'; readonly of: readonly Check[] };

export const Check: z.ZodType<Check> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('exact'), answers: z.array(z.string()).min(1) }),
    z.strictObject({
      type: z.literal('number'),
      value: z.number(),
      tolerance: z.number().min(0),
      units: z.array(z.string()).optional(),
    }),
    z.strictObject({ type: z.literal('result'), value: z.number(), tolerance: z.number().min(0) }),
    z.strictObject({ type: z.literal('pattern'), pattern: Pattern, flags: z.string().optional() }),
    z.strictObject({ type: z.literal('json'), value: z.unknown() }),
    z.strictObject({
      type: z.literal('table'),
      format: z.enum(['markdown', 'csv']),
      rows: z.array(z.array(z.string())).min(2),
    }),
    z.strictObject({
      type: z.literal('code'),
      language: z.enum(['python', 'javascript']),
      entry: z.string(),
      tests: z.array(z.strictObject({ args: z.array(z.unknown()), result: z.unknown() })).min(2),
    }),
    z.strictObject({
      type: z.literal('sql'),
      setup: z.array(z.string()),
      rows: z.array(z.array(z.unknown())),
      ordered: z.boolean(),
    }),
    z.strictObject({
      type: z.literal('text'),
      includes: z.array(Pattern).optional(),
      excludes: z.array(Pattern).optional(),
      person: z.enum(['first', 'second', 'third']).optional(),
      language: z.string().optional(),
      words_min: z.int().optional(),
      words_max: z.int().optional(),
      sentences: z.int().optional(),
      lines: z.int().optional(),
      written: z.boolean().optional(),
    }),
    z.strictObject({ type: z.literal('all'), of: z.array(Check).min(1) }),
  ]),
) as z.ZodType<Check>;

/** A row of the effect suite. */
export const LabRow = z.strictObject({
  /** `<kind>-<n>`, unique over both halves. */
  id: z.string(),
  kind: z.enum(KINDS),
  /** Rows of one dataset are adapted together; by default the kind. */
  dataset: z.string().optional(),
  prompt: z.string(),
  /** Turns before the prompt, for `dialogue` only. */
  history: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .optional(),
  /** A context column. */
  context: z.string().optional(),
  completion: z.string(),
  quality: Quality,
  /** A right and well-written answer, which passes the checker. */
  reference: z.string(),
  check: Check,
  /** The failure quoted in part 6 that this row represents. */
  failure: z.string().optional(),
});
export type LabRow = z.infer<typeof LabRow>;
