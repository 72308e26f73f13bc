import * as z from 'zod';
import { decimal, text } from '#shared/platform/schema/common.ts';

/** Who may doubt a row: the checks of its form, its code that was run, its comparison with other rows, or a model that answered its request. */
export const Doubter = z.enum(['program', 'execution', 'neighbours', 'model']);
export type Doubter = z.infer<typeof Doubter>;

export const DoubtReason = z.object({
  witness: Doubter.meta({ example: 'execution' }).describe(
    'Who doubts: a check of its form and arithmetic (`program`, of rows that no run has adapted), its code was run (`execution`), it was compared with the other rows (`neighbours`), or a model answered the request without seeing the answer (`model`).',
  ),
  kind: text('example_failed').describe('Stable code of what was seen.'),
  message: text('The example “f(2) == 3” yields “2”, not “3”.').describe('What was seen, as a sentence.'),
});
export type DoubtReason = z.infer<typeof DoubtReason>;

/** Why the answer of a row is probably wrong. */
export const Doubt = z
  .object({
    probability: decimal(0.94)
      .min(0)
      .max(1)
      .describe('How probable it is that the answer of the row is wrong, 0 to 1.'),
    reasons: z.array(DoubtReason).describe('What was seen, each by one witness.'),
    proposal: z
      .string()
      .optional()
      .describe("A better answer, where one is known. It is not in the place of the row's own."),
  })
  .meta({ id: 'Doubt' });
export type Doubt = z.infer<typeof Doubt>;
