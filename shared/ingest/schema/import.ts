import * as z from 'zod';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';

/** Where an import comes from, without the files that it takes from there. */
export const ImportOrigin = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('huggingface'), repository: z.string(), revision: z.string() }),
  z.object({
    provider: z.literal('kaggle'),
    owner: z.string(),
    slug: z.string(),
    /** Null takes the current one. */
    version: z.int().min(1).nullable(),
  }),
  z.object({
    provider: z.literal('google_sheets'),
    /** `e/…` for one that is published to the web instead of shared by link. */
    spreadsheet_id: z.string(),
    /** Empty takes every tab. */
    sheet_names: z.array(z.string()),
  }),
  z.object({ provider: z.literal('object'), url: z.string() }),
]);
export type ImportOrigin = z.infer<typeof ImportOrigin>;

/** The source of an import. It is an object of the dataset, since it may be too large for an item of the table. */
export const ImportSource = z.object({
  origin: ImportOrigin,
  /** Paths below the origin; empty where the origin itself says what there is. */
  files: z.array(z.string()),
  format: TabularFormat,
});
export type ImportSource = z.infer<typeof ImportSource>;

/** Files of one import that are downloaded together; `first` is the place of the first among all. */
export const DownloadBatch = z.object({
  origin: ImportOrigin,
  first: z.int().min(0),
  files: z.array(z.string()),
});
export type DownloadBatch = z.infer<typeof DownloadBatch>;

/** How far the download of an import has come. It travels in the state machine, so that any invocation can go on. */
export const DownloadProgress = z.object({
  /** Files that are whole. */
  files: z.int().min(0),
  /** Bytes of those. */
  bytes: z.int().min(0),
  /** Attempts in a row that brought nothing. */
  failures: z.int().min(0),
  /** What there is of the next file; null where nothing can be built upon. */
  part: z
    .object({
      upload_id: z.string(),
      etags: z.array(z.string()),
      /** `ETag` or `Last-Modified` of the file, without which the rest could belong to another version. */
      validator: z.string(),
    })
    .nullable(),
});
export type DownloadProgress = z.infer<typeof DownloadProgress>;

/** Names of the files of an import in their order, for messages about them. */
export const ImportedNames = z.array(z.string());
