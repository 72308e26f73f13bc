import * as z from 'zod';

/** Mirrors `Check` of `decide/execution/sandbox.ts`, which says what the fields mean. */
const Check = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('example'),
    notation: z.enum(['doctest', 'call', 'prose', 'unrun']),
    quote: z.string(),
    expression: z.string(),
    literal: z.string().nullable(),
    text: z.string(),
    raises: z.string().nullable(),
    anyOrder: z.boolean(),
  }),
  z.object({ type: z.literal('setup'), code: z.string() }),
  z.object({ type: z.literal('test'), code: z.string() }),
]);

const CodeJob = z.object({
  language: z.enum(['python', 'javascript']),
  prelude: z.string(),
  code: z.string(),
  entry: z.string().nullable(),
  checks: z.array(Check),
});

const SqlJob = z.object({ language: z.literal('sql'), schema: z.array(z.string()), query: z.string() });

/** Programs of rows of one team. */
export const CodeJobs = z.object({ jobs: z.array(z.union([CodeJob, SqlJob])) });

const Outcome = z.object({
  is: z.enum(['passed', 'failed', 'raised', 'unclear']),
  came: z.string(),
  assertion: z.string().optional(),
});

const Ran = z.object({
  end: z.enum(['done', 'invalid', 'raised', 'unsupported', 'timeout', 'memory', 'crashed']),
  message: z.string(),
  outcomes: z.array(Outcome).readonly(),
});

/** How each ended, in their order; null for one that was not run. */
export const CodeOutcomes = z.object({ ran: z.array(Ran.nullable()) });
