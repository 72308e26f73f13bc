import * as z from 'zod';
import { FileFormat } from '#shared/platform/schema/file-format.ts';

/** One of the files that an ingest reads. */
export const FileToRead = z.object({
  key: z.string(),
  /** What messages, and the rows of a document, call the file. */
  name: z.string(),
  format: FileFormat,
  /** Whether its provider may have put it into a ZIP archive of its own. */
  may_be_zipped: z.boolean(),
  /** Whether it is left out with a warning where it holds no rows; absent: the ingest fails then. */
  may_be_empty: z.boolean().optional(),
  /** SHA-256 that the caller gave for it, in lower-case hexadecimal. */
  sha256: z.string().nullable(),
});
export type FileToRead = z.infer<typeof FileToRead>;

/**
 * What an ingest reads, in the order of the rows. It is an object that the function that parses reads: a state could
 * not hold the names of 500 files.
 */
export const IngestPlan = z.object({
  files: z.array(FileToRead).min(1),
  /** Whether messages begin with the name of the file: there may be several. */
  names_files: z.boolean(),
  /** Share of the rows of each file that may be left out because they cannot be read. */
  unreadable_share_max: z.number().optional(),
  /** Whether personal data in texts becomes placeholders; absent: it stays. */
  redacts_personal_data: z.boolean().optional(),
});
export type IngestPlan = z.infer<typeof IngestPlan>;
