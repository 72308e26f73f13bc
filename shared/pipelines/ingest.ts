import * as z from 'zod';
import { ErrorData } from '../schema/common.ts';
import { pipeline, task } from './pipeline.ts';

export const IngestInput = z.object({ dataset_id: z.string(), run_id: z.string() });

/** Uploaded file → canonical chunks, manifest and description. */
export const ingest = pipeline({
  id: 'ingest',
  description: 'Reads an uploaded file into canonical chunks',
  input: IngestInput,
  timeoutSeconds: 3600,
  tasks: {
    'convert-file': task({
      input: IngestInput,
      output: z.object({ row_count: z.int() }),
      uses: {
        table: 'write',
        bucket: { read: ['uploads', 'imports', 'datasets'], write: ['datasets'], delete: ['uploads'] },
      },
      // A Parquet file is read by row groups, which may be large.
      memoryMb: 3008,
      timeoutSeconds: 900,
      ephemeralStorageMb: 10_240,
      layers: ['duckdb'],
    }),
    'describe-dataset': task({
      input: IngestInput,
      output: z.object({ described: z.boolean() }),
      uses: {
        table: 'write',
        bucket: { read: ['datasets'] },
        models: ['describe'],
        secrets: ['model_api_key'],
      },
      memoryMb: 512,
      timeoutSeconds: 120,
    }),
    'finish-ingest': task({
      input: IngestInput.extend({ error: ErrorData.nullable() }),
      output: z.object({ status: z.string() }),
      uses: { table: 'write' },
      memoryMb: 256,
      timeoutSeconds: 60,
    }),
  },
  children: [],
  workers: [],
});
