import * as z from 'zod';
import { pipeline, task } from '#shared/platform/pipelines/pipeline.ts';
import { ErrorData } from '#shared/platform/schema/common.ts';

export const IngestInput = z.object({ dataset_id: z.string(), run_id: z.string() });

/** Uploaded file → canonical chunks, manifest and description; or the rows of an append → the next version. */
export const ingest = pipeline({
  id: 'ingest',
  description: 'Reads an uploaded file into canonical chunks',
  input: IngestInput,
  // A file waits for a place of its team, and appended rows for the run that is active.
  timeoutSeconds: 172_800,
  tasks: {
    'plan-ingest': task({
      input: IngestInput,
      output: z.object({ files: z.int().min(1), wait_seconds: z.int().min(0) }),
      memoryMb: 512,
      timeoutSeconds: 600,
    }),
    // Parses files of strangers: it reaches the files that are being read, and no dataset.
    'convert-file': task({
      input: IngestInput,
      output: z.object({ row_count: z.int() }),
      // A Parquet file is read by row groups, which may be large.
      memoryMb: 3008,
      timeoutSeconds: 900,
      ephemeralStorageMb: 10_240,
      layers: ['duckdb'],
    }),
    'record-rows': task({
      input: IngestInput,
      output: z.object({
        status: z.enum(['recorded', 'appended', 'waiting']),
        wait_seconds: z.int().min(0),
      }),
      // A file of many short rows has tens of thousands of chunks, each of which is copied.
      memoryMb: 1769,
      timeoutSeconds: 900,
    }),
    'describe-dataset': task({
      input: IngestInput,
      output: z.object({ described: z.boolean() }),
      memoryMb: 512,
      timeoutSeconds: 120,
    }),
    'finish-ingest': task({
      input: IngestInput.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
  },
  children: [],
  workers: [],
});
