import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';
import { Metadata } from './fine-tuning.ts';
import { listOf, PageQuery } from './page.ts';

/** Batches of requests as OpenAI's clients write and read them. */

const BATCH_ID = 'batch_9d2e3f4a5b6c4d7e9f0a1b2c3d4e5f61';
const FILE_ID = 'file-3f0c5a522c0a4c538f4e0f6f1d5b8a10';
const OUTPUT_ID = 'file-1a2b3c4d5e6f4a7b8c9d0e1f2a3b4c5d';

/** Endpoints that a batch may ask. */
export const BATCH_ENDPOINTS = ['/v1/chat/completions', '/v1/responses'] as const;
export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number];

export const BatchParams = z.strictObject({
  batch_id: text(BATCH_ID).min(1).max(200).describe('Id of the batch, 1 to 200 characters.'),
});

export const CreateBatchRequest = z
  .strictObject({
    input_file_id: z
      .string()
      .min(1)
      .max(200)
      .meta({ example: FILE_ID })
      .describe(
        'Id of the file with the requests, 1 to 200 characters. Each line is `{"custom_id", "method": "POST", "url", "body"}`.',
      ),
    endpoint: z
      .enum(BATCH_ENDPOINTS)
      .describe(
        'What the requests of the batch ask; the `url` of each is the same. Embeddings are not offered.',
      ),
    completion_window: z.literal('24h').describe('Time until which requests are sent: always a day.'),
    metadata: Metadata,
  })
  .meta({ id: 'CreateBatchRequest' });
export type CreateBatchRequest = z.infer<typeof CreateBatchRequest>;

export const BatchStatus = z.enum([
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
]);
export type BatchStatus = z.infer<typeof BatchStatus>;

export const BatchFault = z.object({
  code: text('invalid_request').describe('Stable code.'),
  message: text('custom_id: is the one of another line too').describe('What is wrong.'),
  line: z
    .int()
    .min(1)
    .nullable()
    .meta({ example: 3 })
    .describe('Line of the file, from 1; null for the batch.'),
  param: z
    .string()
    .nullable()
    .meta({ example: 'custom_id' })
    .describe('Field of the line; null without one.'),
});
export type BatchFault = z.infer<typeof BatchFault>;

const at = (what: string) =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({ example: 1_795_341_600 })
    .describe(`${what}, in seconds since 1970; null before that.`);

const outputs = (what: string) =>
  z
    .string()
    .nullable()
    .meta({ example: OUTPUT_ID })
    .describe(
      `Id of the file with ${what}; null until the batch has ended, and if there are none. Kept for 30 days.`,
    );

export const Batch = z
  .object({
    id: text(BATCH_ID).describe('Id of the batch.'),
    object: z.literal('batch').describe('Kind of the object.'),
    endpoint: z.enum(BATCH_ENDPOINTS).describe('What its requests ask.'),
    errors: z
      .object({
        object: z.literal('list').describe('Kind of the object.'),
        data: z.array(BatchFault).describe('Errors, at most 100.'),
      })
      .nullable()
      .describe('Why the batch failed; null unless its status is `failed`.'),
    input_file_id: text(FILE_ID).describe('Id of the file with the requests.'),
    completion_window: z.literal('24h').describe('Time until which requests are sent.'),
    status: BatchStatus.meta({ example: 'completed' }).describe(
      '`validating` while lines are checked, then `in_progress`; `finalizing` while files are written. `completed`, `failed`, ' +
        '`expired` and `cancelled` are final.',
    ),
    output_file_id: outputs('the answers'),
    error_file_id: outputs('the requests without an answer, each with the reason'),
    created_at: z
      .int()
      .min(0)
      .meta({ example: 1_795_341_600 })
      .describe('Time of creation, in seconds since 1970.'),
    in_progress_at: at('Time at which its first request was sent'),
    expires_at: at('Time after which no request is sent'),
    finalizing_at: at('Time at which all requests were answered'),
    completed_at: at('Time of completion'),
    failed_at: at('Time at which it failed'),
    expired_at: at('Time at which its window was found to be over'),
    cancelling_at: at('Time at which it was asked to be cancelled'),
    cancelled_at: at('Time at which it was cancelled'),
    request_counts: z
      .object({
        total: count(250).describe('Requests of the file; 0 until they are counted.'),
        completed: count(248).describe('Those with an answer.'),
        failed: count(2).describe('Those with an error.'),
      })
      .describe('Requests by what became of them.'),
    usage: z
      .object({
        input_tokens: count(4_200).describe('Tokens that models read.'),
        input_tokens_details: z
          .object({ cached_tokens: count(0).describe('Those read from a cache.') })
          .describe('What they were.'),
        output_tokens: count(9_100).describe('Tokens that models wrote.'),
        output_tokens_details: z
          .object({ reasoning_tokens: count(0).describe('Those of reasoning.') })
          .describe('What they were.'),
        total_tokens: count(13_300).describe('Sum of both.'),
      })
      .nullable()
      .describe('Tokens of all answers; null until the batch has ended.'),
    metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ example: { team: 'support' } })
      .describe('Metadata of the request; null without any.'),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof Batch>;

export const BatchPage = listOf(Batch, BATCH_ID);
export const ListBatchesQuery = PageQuery;
