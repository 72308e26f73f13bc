import * as z from 'zod';

/** What a witness said of a row. */
export const DoubtReason = z.object({
  witness: z
    .enum(['execution', 'neighbours', 'model'])
    .meta({ example: 'neighbours' })
    .describe('Who says so: code that was run, other rows of the dataset, or a model.'),
  kind: z.string().meta({ example: 'label_contradicted' }).describe('Stable code of what seems wrong.'),
  message: z
    .string()
    .meta({ example: 'Rows like this one have the label "refund".' })
    .describe('What the witness saw, as a sentence.'),
});
export type DoubtReason = z.infer<typeof DoubtReason>;

/** How doubtful an answer is, and why. */
export const Doubt = z
  .object({
    probability: z
      .number()
      .min(0)
      .max(1)
      .meta({ example: 0.87 })
      .describe('Probability that the answer is wrong, 0 to 1, to two decimals.'),
    reasons: z.array(DoubtReason).describe('What the witnesses say.'),
    proposal: z.string().optional().describe('The answer that a witness proposes; absent where none does.'),
  })
  .meta({ id: 'Doubt' });
export type Doubt = z.infer<typeof Doubt>;

/** The object with the doubts of a run's rows: those of which something is said, ascending by row. */
export const RunDoubts = z.object({
  /** Share of wrong rows among all, as far as the witnesses see them; null where none says that a row is wrong. */
  share_wrong: z.number().min(0).max(1).nullable(),
  /** Rows that each witness looked at. */
  looked_at: z.object({ execution: z.int().min(0), neighbours: z.int().min(0) }),
  /** Rows that a witness could have looked at, and did not. */
  not_looked_at: z.int().min(0),
  rows: z.array(Doubt.extend({ row: z.int().min(0) })),
});
export type RunDoubts = z.infer<typeof RunDoubts>;
