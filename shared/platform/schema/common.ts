import * as z from 'zod';

export const DateTime = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 date-time, UTC', example: '2026-11-22T10:00:00.000Z' });

export const DatasetId = z
  .string()
  .meta({ description: 'Id of the dataset.', example: '3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10' });

export const RunId = z
  .string()
  .meta({ description: 'Id of the run.', example: 'a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93' });

export const UserId = z.uuid().meta({ example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' });

/** A text, a count and a number, each with its example. */
export const text = (example: string) => z.string().meta({ example });
/** The model of examples: the one that `npm run local` serves without settings, so that they run there as they stand. */
export const EXAMPLE_MODEL = 'qwen2.5-coder-1.5b';
export const count = (example: number) => z.int().min(0).meta({ example });
export const decimal = (example: number) => z.number().meta({ example });

export const NextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` to get the next page; null on the last page.');

/** A limit, an offset or a count that arrives as text: the public client sends `20.0` for the number 20. */
export const IntegerText = z
  .string()
  .regex(/^-?\d+(\.0+)?$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int());

export const IdempotencyKey = z.string().min(1).max(255).meta({ example: 'nightly-2026-11-22' });

/** Of a request that starts work: asks for its price alone. */
export const EstimateOnly = z.boolean().optional().meta({
  description:
    'If true, validates the request and returns its price; nothing is created and no credits are reserved. Default: false.',
  example: true,
});

/** Of a request that creates a dataset. */
export const DatasetIdempotencyKey = IdempotencyKey.optional().describe(
  'Key of 1 to 255 characters. A repeated request with the same key returns the first dataset with zero credits.',
);

export const OrganizationId = z.guid('must be the id of an organization, a UUID');

export const DatasetParams = z.strictObject({
  dataset_id: DatasetId.min(1).max(200).describe('Id of the dataset, 1 to 200 characters.'),
});

/** The error of a failed dataset or run (spec §2.1). */
export const ErrorData = z.object({
  message: z.string().describe('What went wrong and what to do about it.'),
  code: z.string().describe('Stable code. Those of errors are listed in `Problem.code`.'),
  level: z
    .enum(['error', 'warning'])
    .describe('`error` when the work failed; `warning` when it was done and something is to be known of it.'),
});
export type ErrorData = z.infer<typeof ErrorData>;

/** The earlier shape of the same record, which stands beside it. */
export const LegacyError = z.object({ message: z.string().describe('The `message` of `error_data`.') });

/** A presigned link to a file of the bucket. */
export const DownloadLink = z
  .object({
    url: z
      .url()
      .meta({
        example:
          'https://tunesmith.s3.amazonaws.com/exports/3f0c5a52-2c0a-4c53-8f4e-0f6f1d5b8a10/a8d1f3b2-9c47-4f60-b0de-5e1c2a7f8d93/data.csv?X-Amz-Expires=900',
      })
      .describe('Link to the file. Whoever has it can download the file until it expires.'),
    file_name: text('support-answers.csv').describe('Name under which the file is saved.'),
    expires_at: DateTime.meta({ example: '2026-11-22T10:15:00.000Z' }).describe(
      'Time from which the link no longer works, ISO 8601 in UTC.',
    ),
  })
  .meta({ id: 'DownloadLink' });

/** An object of JSON with any names. Not `z.record`, which leaves out the name `__proto__`. */
export const jsonObject = (message: string) =>
  z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      message,
    )
    .meta({ type: 'object', additionalProperties: true });
