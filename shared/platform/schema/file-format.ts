import * as z from 'zod';

export const FileFormat = z.enum([
  'csv',
  'json',
  'jsonl',
  'parquet',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'html',
  'zip',
  'txt',
]);
export type FileFormat = z.infer<typeof FileFormat>;

export const TabularFormat = z.enum(['csv', 'json', 'jsonl', 'parquet']);
export type TabularFormat = z.infer<typeof TabularFormat>;

/** Forms of rows that trainers read, each as JSON Lines. */
export const TrainingForm = z.enum(['openai', 'sharegpt', 'alpaca', 'trl']);
export type TrainingForm = z.infer<typeof TrainingForm>;

/** What a download can be: tables, forms for trainers, and the files that tell trainers how to read those. */
export const ExportFormat = z.enum([
  ...TabularFormat.options,
  ...TrainingForm.options,
  'dataset_info',
  'axolotl',
]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Formats whose files become passages of text; the others are tables as they stand. */
export const DocumentFormat = FileFormat.exclude(TabularFormat.options);
export type DocumentFormat = z.infer<typeof DocumentFormat>;

export const ImageColumnFormat = z.enum(['embedded_bytes', 'url', 'file_reference']);
export type ImageColumnFormat = z.infer<typeof ImageColumnFormat>;
