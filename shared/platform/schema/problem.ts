import * as z from 'zod';
import { type ErrorCode, errorCatalog } from '../errors/catalog.ts';

const codes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]];

/**
 * The body of every error, from every route. `error` repeats it in the shape that OpenAI's clients read.
 * `details` name each bad field with its path.
 */
export const Problem = z
  .object({
    statusCode: z.int().describe('HTTP status of the response, 400 to 503.'),
    message: z.string().describe('What is wrong and what to do about it.'),
    code: z.enum(codes).describe('Stable code of the error. Test this field in programs, not `message`.'),
    details: z
      .array(
        z.looseObject({
          path: z
            .string()
            .describe(
              'Where the field is: `column_mapping.prompt`, `query.limit`, `files[0].file_name`; `body` for the body as a whole.',
            ),
          message: z.string().describe('What is wrong with the field.'),
        }),
      )
      .describe('One entry for each bad field; empty when no field is at fault.'),
    request_id: z
      .string()
      .describe(
        'Id of the request in the log of the service. Give it to the operator when you report a failure.',
      ),
    error: z
      .object({
        message: z.string().describe('The `message` above.'),
        type: z.string().describe('Kind of error in OpenAI’s terms, such as `invalid_request_error`.'),
        param: z.string().describe('Path of the first bad field; empty when no field is at fault.'),
        code: z.string().describe('The `code` above.'),
      })
      .describe('The same error in the shape that OpenAI clients read.'),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
