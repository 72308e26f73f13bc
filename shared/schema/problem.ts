import * as z from 'zod';
import { type ErrorCode, errorCatalog } from '../errors/catalog.ts';

const codes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]];

/**
 * The body of every error, from every route. `error` repeats it in the shape that OpenAI's clients read.
 * `details` name each bad field with its path.
 */
export const Problem = z
  .object({
    statusCode: z.int(),
    message: z.string(),
    code: z.enum(codes),
    details: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    request_id: z.string(),
    error: z.object({
      message: z.string(),
      type: z.string(),
      /** Empty where no field is named: some clients take nothing but text. */
      param: z.string(),
      code: z.string(),
    }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
