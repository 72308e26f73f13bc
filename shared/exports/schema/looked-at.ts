import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';

export const LookedAt = z
  .object({
    status: z
      .enum(['done', 'looking', 'failed', 'none'])
      .meta({ example: 'done' })
      .describe(
        '`done`: they have looked. `looking`: they are looking, or wait for another dataset of the team; ask again in some seconds. `failed`: they could not look; they try again after five minutes. `none`: nobody looks, as in a run with verification `off`, or of rows that were never adapted: before the first `GET /review`, or where it is not known which columns hold questions and answers, or where they have pairs.',
      ),
    program: count(250).describe('Rows whose form and arithmetic were checked.'),
    execution: count(12).describe('Rows whose code was run.'),
    neighbours: count(250).describe('Rows that were compared with the others.'),
    not_looked_at: count(0).describe(
      'Rows at which none of them looked. A null `doubt` of these says nothing; that of the others says that nothing was seen.',
    ),
    not_listed: count(0).describe(
      'Rows that they doubt beyond the 5,000 most doubtful, which alone have a `doubt`.',
    ),
    silent: z
      .array(
        z.object({
          witness: z.enum(['execution', 'neighbours']).describe('Who was silent.'),
          code: z
            .enum(['no_embedding_model', 'too_few_rows', 'failed'])
            .describe('Stable code of the reason.'),
          message: text('The installation has no embedding model.').describe('The reason as a sentence.'),
        }),
      )
      .meta({ example: [] })
      .describe('Witnesses that did not look, or not as they could, and why.'),
  })
  .meta({ id: 'LookedAt' })
  .describe(
    'At how many rows the witnesses that ask no model have looked, so that rows without a doubt can be told from rows that nobody looked at.',
  );
export type LookedAt = z.infer<typeof LookedAt>;
