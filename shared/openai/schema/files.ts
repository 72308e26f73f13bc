import * as z from 'zod';
import { FilePurpose } from '#shared/datasets/schema/dataset.ts';
import { count, IntegerText, text } from '#shared/platform/schema/common.ts';
import { listOf, PageQuery } from './page.ts';

/** Files as OpenAI's clients write and read them. */

const FILE_ID = 'file-3f0c5a522c0a4c538f4e0f6f1d5b8a10';

export const FileParams = z.strictObject({
  file_id: text(FILE_ID).min(1).max(200).describe('Id of the file, or of a dataset, 1 to 200 characters.'),
});

export const CreateFileForm = z.strictObject({
  file: z
    .file()
    .refine(
      ({ name }) => /^[^\p{Cc}"]{1,255}$/u.test(name),
      'needs a name of 1 to 255 characters, without quotes and control characters',
    )
    .meta({ example: 'support.jsonl' })
    .describe('The file, with its name of 1 to 255 characters.'),
  purpose: FilePurpose.exclude(['batch_output'])
    .meta({ example: 'fine-tune' })
    .describe('What the file is for. The service takes every file for each of them.'),
});

export const ListFilesQuery = PageQuery.extend({
  limit: IntegerText.pipe(z.int().min(1).max(10_000))
    .optional()
    .describe('Page size, 1 to 10,000, default 20. A page has at most 100 files.'),
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('Order by the time of creation: `desc` (default) lists the newest first.'),
  purpose: z
    .enum([...FilePurpose.options, 'fine-tune-results'])
    .optional()
    .describe(
      'Only files of this purpose. Files that jobs and batches leave are not listed: the job names them.',
    ),
});

export const FileObject = z.object({
  id: text(FILE_ID).describe('Id of the file; its digits are the id of the dataset.'),
  object: z.literal('file').describe('Kind of the object.'),
  bytes: count(48_213).describe('Size in bytes; 0 for a dataset that did not come by this API.'),
  created_at: z
    .int()
    .min(0)
    .meta({ example: 1_795_341_600 })
    .describe('Time of creation, seconds since 1970-01-01 UTC.'),
  filename: text('support.jsonl').describe('Name of the file.'),
  purpose: z
    .enum(['fine-tune', 'fine-tune-results', 'batch', 'batch_output', 'user_data'])
    .describe(
      'What the file is for. OpenAI’s clients know no purpose `evals` of a file: it is `user_data` here.',
    ),
  status: z
    .enum(['uploaded', 'processed', 'error'])
    .meta({ example: 'processed' })
    .describe(
      '`uploaded` while its rows are read, then `processed`; `error` for a file that cannot be read.',
    ),
  status_details: z
    .string()
    .nullable()
    .describe('Why the file cannot be read; null unless its status is `error`.'),
});
export type FileObject = z.infer<typeof FileObject>;

export const FilePage = listOf(FileObject, FILE_ID);

export const DeletedFile = z.object({
  id: text(FILE_ID).describe('Id of the deleted file.'),
  object: z.literal('file').describe('Kind of the object.'),
  deleted: z.literal(true).describe('Always true.'),
});
